/** What each form of call sends, which options it takes, and what its promise tells of the response. */

import { InvalidRequestError, unknownField } from 'payments-client';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, refund } from '../support/fixtures.ts';
import { baseUrl, createClient, json, secretKey } from '../support/mock-service.ts';
import { everyForm, type Form, forms } from './forms.ts';

const operation = { operationId: 'order-1' };

/** A client that gets this body, and the requests that it sent. */
function clientGetting(body: object, init: ResponseInit = {}, options = {}) {
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request.clone());
    return json(body, init);
  };
  return { requests, payments: createClient({ fetch, ...options }) };
}

describe.each(everyForm)('%s', (_name, form) => {
  it('sends its own headers, those of the client and those of the call', async () => {
    const headers = { 'X-All': 'client', 'x-Both': 'client', 'User-Agent': 'shop' };
    const { requests, payments } = clientGetting(form.result, {}, { headers });
    // The client has a copy.
    Object.assign(headers, { 'X-All': 'later', 'x-more': 'later' });
    await form.call(payments, { headers: { 'X-BOTH': 'call', 'x-one': 'call' } });
    const [request] = requests;
    expect([request?.method, new URL(request?.url ?? '').pathname]).toEqual([form.method, form.path]);
    const sent = Object.fromEntries(request?.headers ?? []);
    const own = { 'x-all': 'client', 'x-both': 'call', 'x-one': 'call', 'user-agent': 'shop' };
    expect(sent).toMatchObject(own);
    expect(sent['x-more']).toBeUndefined();
    expect(sent['idempotency-key']).toEqual(form.idempotencyKey);
    const isSale = form.operation === 'transact.sale';
    expect(sent['authorization']).toBe(isSale ? undefined : `Bearer ${secretKey}`);
    const hasBody = form.method === 'POST' || form.method === 'PATCH';
    const type = hasBody ? 'application/json' : undefined;
    const ofForm = 'application/x-www-form-urlencoded;charset=UTF-8';
    expect(sent['content-type']).toBe(isSale ? ofForm : type);
  });

  it('starts at once, and is sent once however often it is awaited', async () => {
    const { requests, payments } = clientGetting(form.result);
    const call = form.call(payments);
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toHaveLength(1);
    expect(await call).toBe(await call);
    await call.withResponse();
    expect(requests).toHaveLength(1);
  });

  it.each([
    [{ 'idempotent-replayed': 'true' }, true],
    [{ 'idempotent-replayed': 'TRUE' }, true],
    [{ 'idempotent-replayed': 'false' }, false],
    [{ 'idempotent-replayed': '1' }, false],
    [{}, false],
  ])('returns its response: %j is a replay: %s', async (headers, idempotentReplayed) => {
    const init = { status: 201, headers: { 'x-request-id': 'req_1', 'x-extra': 'yes', ...headers } };
    const call = form.call(clientGetting(form.result, init).payments);
    const { data, response } = await call.withResponse();
    expect(data).toBe(await call);
    const { idempotencyKey } = form;
    expect(response).toMatchObject({ status: 201, requestId: 'req_1', idempotencyKey, idempotentReplayed });
    expect(response).toMatchObject({ attempts: 1, fromJournal: false });
    expect(response.headers.get('x-extra')).toBe('yes');
  });

  it('may have options of its own, such as a signal of another class', async () => {
    const signal = anything({ aborted: false, addEventListener() {}, removeEventListener() {} });
    const bounds = { timeout: 1, totalTimeout: 2 ** 31 - 1, maxRetries: 100 };
    const { requests, payments } = clientGetting(form.result);
    await form.call(payments, { signal, ...bounds, timeout: 1_000 });
    expect(requests).toHaveLength(1);
  });
});

/** Those whose options have a schema of their own. */
const optionForms = [forms['a POST with a key'], forms['a list'], forms['a sale']];

describe.each(optionForms)('$operation', (form: Form) => {
  it.each<readonly [options: object, path: string, received: string]>([
    [{ timeout: 0 }, 'options.timeout', 'the number 0'],
    [{ timeout: 2 ** 31 }, 'options.timeout', 'the number 2147483648'],
    [{ totalTimeout: '5' }, 'options.totalTimeout', 'a string of 1 character'],
    [{ maxRetries: -1 }, 'options.maxRetries', 'the number -1'],
    [{ maxRetries: 101 }, 'options.maxRetries', 'the number 101'],
    [{ signal: 5 }, 'options.signal', 'the number 5'],
    [{ signal: null }, 'options.signal', 'null'],
    [{ signal: {} }, 'options.signal', 'an object'],
    [{ signal: { aborted: false, addEventListener() {} } }, 'options.signal', 'an object'],
    [{ signal: { addEventListener() {}, removeEventListener() {} } }, 'options.signal', 'an object'],
    [
      { headers: { Authorization: 'x' } },
      "options.headers['Authorization']",
      'a header that the SDK sets itself',
    ],
    [{ headers: 5 }, 'options.headers', 'a number'],
    [{ timeuot: 5 }, 'options.timeuot', "an unknown option (did you mean 'timeout'?)"],
  ])('refuses the options %j', async (options, path, received) => {
    const { requests, payments } = clientGetting(form.result);
    const error = await failureOf(form.call(payments, anything(options)), InvalidRequestError);
    const issue = error.issues.find((one) => one.path === path);
    expect(issue?.received).toContain(received);
    expect(error.message).toContain(
      `${form.operation}: ${path}: expected ${issue?.expected}, got ${issue?.received}`,
    );
    expect(error).toMatchObject({ outcome: form.unsent, retryable: false });
    expect(requests).toHaveLength(0);
  });
});

describe('a call', () => {
  it('sends the method, the path, the headers and the body', async () => {
    const { requests, payments } = clientGetting(paymentIntent, {}, { baseUrl: `${baseUrl}/gateway/` });
    await payments.paymentIntents.create(intentParams, operation);
    const [request] = requests;
    expect(request).toMatchObject({ method: 'POST', url: `${baseUrl}/gateway/v1/payment_intents` });
    expect(await request?.text()).toBe('{"amount":1200,"currency":"usd"}');
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      accept: 'application/json',
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'pc1:paymentIntents.create:order-1',
      'user-agent': `payments-client/${manifest.version}`,
    });
  });

  it.each([5, null, 'order-1'])('refuses %j in place of options', async (options) => {
    const { requests, payments } = clientGetting(refund);
    const call = payments.refunds.retrieve('rf_1', anything(options));
    expect((await failureOf(call, InvalidRequestError)).issues).toMatchObject([
      { path: 'options', expected: 'an object' },
    ]);
    expect(requests).toHaveLength(0);
  });

  it('percent-encodes ids in its path', async () => {
    const { requests, payments } = clientGetting(refund);
    await payments.customers.retrieve('cus_1/../../x?y#z é').catch(() => {});
    expect(requests[0]?.url).toBe(`${baseUrl}/v1/customers/cus_1%2F..%2F..%2Fx%3Fy%23z%20%C3%A9`);
  });

  it('uses a route that the user corrected', async () => {
    const routes = { 'refunds.retrieve': 'POST /v2/refunds/{id}/get' };
    const { requests, payments } = clientGetting(refund, {}, { routes });
    await payments.refunds.retrieve('rf_1');
    expect(requests[0]).toMatchObject({ method: 'POST', url: `${baseUrl}/v2/refunds/rf_1/get` });
  });

  it('keeps unknown fields, which unknownField reads', async () => {
    const result = await clientGetting({ ...refund, risk_label: 'calm' }).payments.refunds.retrieve('rf_1');
    expect(unknownField(result, 'risk_label')).toBe('calm');
    expect(unknownField(result, 'toString')).toBeUndefined();
  });
});
