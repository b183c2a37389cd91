/** Promise 6: a successful charge is never reported as a failed one. */

import { PaymentsClient, PaymentsError, ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { response } from '../support/socket-server.ts';
import { ok, wireClient, wireService } from './wire.ts';

const by = { operationId: 'order-1042' };

describe('a charge that took effect', () => {
  it.each<[what: string, odd: Record<string, unknown>]>([
    ['an amount of text', { ...paymentIntent, amount: '12.00' }],
    ['no id', { ...paymentIntent, id: undefined }],
    ['another object', { ...paymentIntent, object: 'refund' }],
    ['a part of an amount', { ...paymentIntent, amount: 0.5 }],
  ])(
    'and whose result has %s is executed, with the body and the key, and is sent once',
    async (_what, odd) => {
      const { payments, requests } = await wireClient(ok(odd));
      const error = await failureOf(
        payments.paymentIntents.create(intentParams, by),
        ResponseValidationError,
      );
      expect(error).toMatchObject({
        outcome: 'executed',
        body: JSON.parse(JSON.stringify(odd)),
        idempotencyKey: 'pc1:paymentIntents.create:order-1042',
      });
      expect(requests).toHaveLength(1);
    },
  );

  it('is a result if nothing but a field that nobody needs is odd and the caller reads with validation off', async () => {
    const { options } = await wireService(ok({ ...paymentIntent, client_secret: 7 }));
    const payments = new PaymentsClient({ ...options, validation: 'off' });
    expect(await payments.paymentIntents.create(intentParams, by)).toMatchObject({ id: 'pi_1' });
  });

  it('is not denied if the signal is aborted while the result arrives', async () => {
    const controller = new AbortController();
    const fetch = async () => {
      queueMicrotask(() => queueMicrotask(() => controller.abort()));
      return Response.json(paymentIntent);
    };
    const payments = new PaymentsClient({
      baseUrl: 'https://payments.test',
      secretKey: 'sk_v1_test_promise6',
      fetch,
    });
    const call = payments.paymentIntents.create(intentParams, { ...by, signal: controller.signal });
    const result: unknown = await call.then(
      (intent) => intent.id,
      (error: unknown) => error,
    );
    if (result instanceof PaymentsError) expect(result.outcome).toMatch(/^(?:unknown|executed)$/);
    else expect(result).toBe('pi_1');
  });

  it('is not denied because a hook or a logger of the caller throws', async () => {
    const { options, requests } = await wireService(ok(paymentIntent));
    const fail = () => {
      throw new Error('broken hook');
    };
    const hooks = { request: fail, response: fail, retry: fail, error: fail };
    const payments = new PaymentsClient({
      ...options,
      hooks,
      logger: { debug: fail, info: fail, warn: fail, error: fail },
    });
    expect(await payments.paymentIntents.create(intentParams, by)).toMatchObject({ id: 'pi_1' });
    expect(requests).toHaveLength(1);
  });
});

it('an approved card sale is approved, however its response is written', async () => {
  const fields = { response: '1', responsetext: 'SUCCESS: order (1042)', transactionid: '7001' };
  const bodies = [
    response(
      '200 OK',
      String(new URLSearchParams(fields)),
      'content-type: application/x-www-form-urlencoded\r\n',
    ),
    response(
      '200 OK',
      'response=1&responsetext=SUCCESS: order (1042)&transactionid=7001',
      'content-type: text/html\r\n',
    ),
    response('200 OK', JSON.stringify(fields), 'content-type: application/json\r\n'),
    response('200 OK', 'response=1&responsetext=100%&transactionid=7001'),
  ];
  for (const body of bodies) {
    const { payments } = await wireClient(body);
    expect(await payments.transact.sale(saleParams)).toMatchObject({ approved: true, transactionid: '7001' });
  }
});
