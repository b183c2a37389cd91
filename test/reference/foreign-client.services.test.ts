/** A client that a third-party generator builds from `openapi.json` works with the sandbox. */

import { type Document, OpenAPIClientAxios } from 'openapi-client-axios';
import type { Sandbox } from 'payments-client-sandbox';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeOpenApi } from '../../scripts/reference/openapi.ts';
import { startSandbox } from '../support/sandbox.ts';

const definition: Document = JSON.parse(await writeOpenApi());

let sandbox: Sandbox;
/** Sends an operation and returns the response with any status. */
let send: (
  operation: string,
  parameters: Record<string, string | number>,
  body?: unknown,
) => Promise<{ status: number; data: unknown }>;
/** Sends an operation that must succeed and returns the body. */
let call: (...request: Parameters<typeof send>) => Promise<unknown>;

beforeEach(async () => {
  sandbox = await startSandbox();
  const client = await new OpenAPIClientAxios({
    definition,
    withServer: { url: sandbox.url },
    axiosConfigDefaults: {
      headers: { authorization: `Bearer ${sandbox.secretKey}` },
      validateStatus: () => true,
    },
  }).init();
  send = async (operation, parameters, body) => {
    const method = client[operation];
    if (method === undefined) throw new Error(`The client has no ${operation}.`);
    return method(parameters, body);
  };
  call = async (...request) => {
    const { status, data } = await send(...request);
    expect(status).toBe(200);
    return data;
  };
});

const idOf = (object: unknown) => String(Reflect.get(Object(object), 'id'));
const key = { 'Idempotency-Key': 'from-another-client' };
const params = { amount: 1200, currency: 'usd' };

describe('a generated client', () => {
  it('pays, refunds, deletes, restores and lists', async () => {
    const intent = await call('paymentIntents_create', key, params);
    expect(intent).toMatchObject({ object: 'payment_intent', amount: 1200 });
    expect(await call('paymentIntents_create', key, params)).toEqual(intent);
    sandbox.pay(idOf(intent));
    const refund = await call(
      'refunds_create',
      { 'Idempotency-Key': 'k-2' },
      { payment_intent_id: idOf(intent) },
    );
    expect(await call('refunds_retrieve', { id: idOf(refund) })).toEqual(refund);
    const customer = idOf(await call('customers_create', {}, { first_name: 'Ada' }));
    expect(await call('customers_delete', { id: customer })).toMatchObject({ deleted: true });
    expect(await call('customers_restore', { id: customer })).toMatchObject({ deleted: false });
    expect(await call('paymentIntents_list', { limit: 1 })).toMatchObject({
      data: [{ id: idOf(intent) }],
      has_more: false,
    });
  });

  it('makes a sale over the form endpoint, and reports a wrong credential', async () => {
    const { securityKey: security_key } = sandbox;
    const form = new URLSearchParams({ type: 'sale', amount: '12.00', payment_token: 'tok_1', security_key });
    expect(await call('transact_submit', {}, form)).toContain('response=1&');
    form.set('security_key', 'another');
    expect(await call('transact_submit', {}, form)).toContain('response=3&');
  });

  it('loads the browser script without a key', async () => {
    expect(await call('gateway_script', {})).toContain('Gateway');
  });

  it('reads the status and the code of an error', async () => {
    expect(await send('refunds_retrieve', { id: 'rf_none' })).toMatchObject({
      status: 404,
      data: { error: { code: 'OBJECT_NOT_FOUND' } },
    });
    await call('paymentIntents_create', key, params);
    expect(await send('paymentIntents_create', key, { ...params, amount: 1 })).toMatchObject({
      status: 422,
      data: { error: { code: 'IDEMPOTENCY_BODY_MISMATCH' } },
    });
  });
});
