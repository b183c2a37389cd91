/** Promise 2: every error says whether money may have moved. */

import {
  ConfigurationError,
  ConnectionError,
  PaymentsClient,
  PaymentsError,
  RequestAbortedError,
  TransactionDeclinedError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { response } from '../support/socket-server.ts';
import { type Answer, broken, json, ok, wireClient } from './wire.ts';

const by = { operationId: 'order-1042', maxRetries: 0 };

/** With the key, the service would have repeated an earlier success. */
const decline = json('402 Payment Required', { code: 'card_declined' });

/** What one attempt proves, by what came of it. */
const causes: readonly (readonly [outcome: PaymentsError['outcome'], what: string, answer: Answer])[] = [
  ['not_executed', 'a decline with a code', decline],
  ['not_executed', 'a refusal', json('400 Bad Request', { code: 'INVALID' })],
  ['not_executed', 'a wrong key', json('401 Unauthorized', { code: 'UNAUTHORIZED' })],
  ['not_executed', 'too many requests', response('429 Too Many Requests', '')],
  [
    'not_executed',
    'a store of keys that is down',
    json('503 Unavailable', { code: 'IDEMPOTENCY_STORE_UNAVAILABLE' }),
  ],
  ['unknown', 'a failure of the service', response('500 Internal Server Error', '')],
  ['unknown', 'a broken connection', broken],
  ['unknown', 'an earlier call in progress', json('409 Conflict', { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' })],
  [
    'unknown',
    'an earlier call with another body',
    json('422 Unprocessable', { code: 'IDEMPOTENCY_BODY_MISMATCH' }),
  ],
  ['unknown', 'a payment page of a proxy', response('402 Payment Required', '<h1>Pay for your plan</h1>')],
  ['unknown', 'a conflict without a code', response('409 Conflict', 'Conflict')],
  ['unknown', 'a page in place of the result', response('200 OK', '<html>')],
  [
    'executed',
    'a result that breaks off',
    response('200 OK', '{"id":', 'content-type: application/json\r\n'),
  ],
  ['executed', 'a result of another form', ok({ id: 7 })],
];

describe('a call that moves money', () => {
  it.each(causes)('is %s after %s', async (outcome, _what, answer) => {
    const { payments, requests } = await wireClient(answer);
    const error = await failureOf(payments.paymentIntents.create(intentParams, by), PaymentsError);
    expect(error).toMatchObject({ outcome });
    expect(requests).toHaveLength(1);
  });

  it.each(causes)(
    'stays possible after a broken connection unless the retry is declined: one that is %s after %s',
    async (outcome, _what, answer) => {
      const { payments } = await wireClient(broken, answer);
      const call = payments.paymentIntents.create(intentParams, { ...by, maxRetries: 1 });
      const error = await failureOf(call, PaymentsError);
      const isProof = outcome === 'executed' || answer === decline;
      expect(error.outcome).toBe(isProof ? outcome : 'unknown');
    },
  );

  it('is not executed if nothing was sent', async () => {
    const { payments, requests } = await wireClient();
    const calls = [
      payments.paymentIntents.create({ ...intentParams, amount: 12.5 }, by),
      payments.paymentIntents.create(intentParams, { ...by, signal: AbortSignal.abort() }),
      new PaymentsClient({ baseUrl: 'http://127.0.0.1:9', secretKey: 'sk_v1_test_1' }).paymentIntents.create(
        intentParams,
        by,
      ),
    ];
    for (const call of calls)
      expect(await failureOf(call, PaymentsError)).toMatchObject({ outcome: 'not_executed' });
    expect(() => new PaymentsClient({ baseUrl: 'nowhere' })).toThrow(ConfigurationError);
    expect(requests).toEqual([]);
  });

  it('is executed if an earlier call with its id was, whatever becomes of it', async () => {
    const { payments } = await wireClient(ok(paymentIntent), broken);
    await payments.paymentIntents.create(intentParams, by);
    for (const params of [intentParams, { ...intentParams, amount: 12.5 }]) {
      const error = await failureOf(payments.paymentIntents.create(params, by), PaymentsError);
      expect(error.outcome).toBe('executed');
      expect(error.message).toMatch(
        /^An earlier call of this operation took effect: call again with the same operationId or key to get its result\. This call: /,
      );
    }
  });

  it('is unknown if its caller gives it up when it has left', async () => {
    const sandbox = await startSandbox();
    const giveUp = new AbortController();
    sandbox.faults.inject({ kind: 'latency', operation: 'paymentIntents.create', ms: 60_000 });
    const payments = clientOf(sandbox, { hooks: { request: () => void setImmediate(() => giveUp.abort()) } });
    const call = payments.paymentIntents.create(intentParams, { ...by, signal: giveUp.signal });
    expect(['not_executed', 'unknown']).toContain((await failureOf(call, RequestAbortedError)).outcome);
  });

  it('settles a doubt when it is repeated with the same id', async () => {
    const sandbox = await startSandbox();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    const payments = clientOf(sandbox);
    const error = await failureOf(payments.paymentIntents.create(intentParams, by), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true });
    const { response } = await payments.paymentIntents.create(intentParams, by).withResponse();
    expect(response.idempotentReplayed).toBe(true);
  });
});

describe('a card sale', () => {
  it('that is declined moved no money', async () => {
    const payments = clientOf(await startSandbox());
    const call = payments.transact.sale({ ...saleParams, amount: '0.50' }, { throwOnDecline: true });
    expect(await failureOf(call, TransactionDeclinedError)).toMatchObject({ outcome: 'not_executed' });
  });

  it.each<[string, Answer]>([
    ['a broken connection', broken],
    ['a failure', response('500 Internal Server Error', '')],
    ['a body without a result', response('200 OK', 'hello=1')],
    ['two results', response('200 OK', 'response=1&response=2')],
  ])('is unknown after %s', async (_what, answer) => {
    const { payments, requests } = await wireClient(answer);
    expect(await failureOf(payments.transact.sale(saleParams), PaymentsError)).toMatchObject({
      outcome: 'unknown',
    });
    expect(requests).toHaveLength(1);
  });
});

it('a call that only reads is not an operation, whatever becomes of it', async () => {
  const answers: readonly Answer[] = [
    broken,
    response('500 Internal Server Error', ''),
    response('200 OK', 'oops'),
  ];
  for (const answer of answers) {
    const { payments } = await wireClient(answer);
    const error = await failureOf(payments.paymentIntents.retrieve('pi_1', { maxRetries: 0 }), PaymentsError);
    expect(error.outcome).toBe('not_an_operation');
    const unsent = await failureOf(payments.paymentIntents.retrieve('..'), PaymentsError);
    expect(unsent.outcome).toBe('not_an_operation');
  }
});
