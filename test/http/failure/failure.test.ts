/** What the message of an error tells a person to do: by the outcome and the form of the call, and by the response. */

import { ApiError, ConnectionError, NotFoundError, PaymentsError } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refundParams } from '../../support/fixtures.ts';
import { createClient } from '../../support/mock-service.ts';
import { startAnew } from '../../support/new-process.ts';
import { type Form, forms } from '../forms.ts';

const by = { operationId: 'order-1' };

/** The message of a first call of this form whose response has this status and body. */
async function messageOf(form: Form, status: number, body = '', options = {}): Promise<string> {
  startAnew();
  const fetch = async () => new Response(body, { status });
  return (await failureOf(form.call(createClient({ fetch, maxRetries: 0, ...options })), PaymentsError))
    .message;
}

const moved = 'Money may have moved';
const acted = 'The call may have taken effect';
const repeat = 'call again with the same operationId or key to get its result.';
const repeatByKey =
  'call again with { idempotencyKey: error.idempotencyKey } to get its result, and give such calls an operationId.';
const lookUp = 'look the call up before you send it again.';

describe('the advice of an error', () => {
  it.each<readonly [name: keyof typeof forms, unknown: string, executed: string]>([
    ['a POST with a key', `${moved}: ${repeat}`, `The call took effect: ${repeat}`],
    ['a raw POST with a key', `${moved}: ${repeat}`, `The call took effect: ${repeat}`],
    ['a POST without a name', `${acted}: ${repeatByKey}`, `The call took effect: ${repeatByKey}`],
    [
      'a DELETE',
      `${acted}: calling again has no second effect.`,
      'The call took effect: calling again has no second effect.',
    ],
    ['a raw PATCH with a key', `${moved}: ${lookUp}`, 'The call took effect: do not send it again.'],
    ['a sale', `${moved}: ${lookUp}`, `${moved}: ${lookUp}`],
  ])('of %s follows its outcome', async (name, unknown, executed) => {
    const form = forms[name];
    expect(await messageOf(form, 500)).toContain(`. ${unknown} ${form.operation}: status 500.`);
    expect(await messageOf(form, 200, '{"id":')).toContain(`. ${executed} ${form.operation}: status 200.`);
    const refusal = await messageOf(form, 403);
    expect(refusal).toContain(`. No money moved by this call (inferred). ${form.operation}: status 403.`);
  });

  it.each(['a read', 'a list'] as const)('of %s says nothing of money', async (name) => {
    for (const [status, body] of [
      [500, ''],
      [200, '{"id":'],
      [403, ''],
    ] as const) {
      expect(await messageOf(forms[name], status, body)).not.toMatch(/oney|effect/);
    }
  });

  it.each([by, undefined])('of a PATCH that moves no money is to look it up: %j', async (options) => {
    const fetch = async () => new Response('', { status: 500 });
    const request = { method: 'PATCH', path: '/v1/x', body: {}, movesMoney: false } as const;
    const error = await failureOf(createClient({ fetch }).request(request, options), ApiError);
    expect(error.message).toContain(`${acted}: ${lookUp}`);
  });

  it.each([
    [
      'IDEMPOTENCY_BODY_MISMATCH',
      /had other parameters: look at what it did\. .* give it a new operationId\./,
    ],
    ['IDEMPOTENCY_ROUTE_CONFLICT', /used this key on another endpoint: look at what it did/],
  ])('after %s is to look at the earlier call, and not to repeat this one', async (code, advice) => {
    const message = await messageOf(forms['a POST with a key'], 422, JSON.stringify({ code }));
    expect(message).toMatch(advice);
    expect(message).not.toContain(repeat);
  });

  it('without a response does not say that it is inferred', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const { refunds } = createClient({ fetch: () => Promise.reject(refused), maxRetries: 0 });
    const error = await failureOf(refunds.create(refundParams, by), ConnectionError);
    expect(error.message).toContain(
      ' failed (ECONNREFUSED). No money moved by this call. refunds.create: 1 attempt.',
    );
  });
});

it('a replayed refusal of a read says nothing of an effect', async () => {
  const headers = { 'idempotent-replayed': 'true' };
  const fetch = async () => new Response('', { status: 500, headers });
  const error = await failureOf(forms['a read'].call(createClient({ fetch, maxRetries: 0 })), ApiError);
  expect(error).toMatchObject({ outcome: 'not_an_operation', idempotentReplayed: true });
});

it.each([
  [422, '', 'true'],
  [500, '', 'TRUE'],
  [200, '{"id":', 'true'],
  [500, '', undefined],
  [200, '{"id":', 'false'],
] as const)('the error of a %i %s has the replay of its response: %s', async (status, body, said) => {
  const headers = said === undefined ? {} : { 'idempotent-replayed': said };
  const fetch = async () => new Response(body, { status, headers });
  const { refunds } = createClient({ fetch, maxRetries: 0 });
  const error = await failureOf(refunds.create(refundParams, by), PaymentsError);
  expect(error).toHaveProperty('idempotentReplayed', said?.toLowerCase() === 'true');
});

describe('the hint of a response', () => {
  const redirect = 'Redirects are not followed: set baseUrl to where the service is.';
  const key = 'Check that the key belongs to the service at baseUrl.';
  const state = 'Retrieve the object to see its state: an earlier call may have changed it.';
  const inProgress = '{"code":"IDEMPOTENCY_KEY_IN_PROGRESS"}';

  it.each<readonly [status: number, body: string, form: keyof typeof forms, hint: string | undefined]>([
    [300, '', 'a read', redirect],
    [307, '', 'a POST with a key', redirect],
    [399, '', 'a sale', redirect],
    [400, '', 'a read', undefined],
    [401, '', 'a read', key],
    [401, '', 'a sale', key],
    [403, '', 'a read', undefined],
    [409, '{"code":"SPENT"}', 'a POST with a key', state],
    [409, '', 'a DELETE', state],
    [409, '{"code":"SPENT"}', 'a read', undefined],
    [409, inProgress, 'a POST with a key', undefined],
    [500, '', 'a POST with a key', undefined],
  ])('%i %s to %s is: %s', async (status, body, form, hint) => {
    const message = await messageOf(forms[form], status, body);
    for (const one of [redirect, key, state]) expect(message.includes(one)).toBe(one === hint);
  });
});

describe('a 404', () => {
  const hint =
    /The path '(.+)' is inferred, not documented; if it is wrong, correct it with the option routes: \{ '(.+)': 'VERB \/path' \}\./;
  const body = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

  it.each([
    { code: 'resource_missing', message: "No such refund: 'rf_1'" },
    { error: { code: 'OBJECT_NOT_FOUND', message: "There is no refund 'rf_1'." } },
    { code: 'refund_not_found' },
    { message: 'The refund was not found.' },
  ])('does not blame the path if the object is missing: %j', async (said) => {
    expect(await messageOf(forms['a read'], 404, body(said))).not.toMatch(hint);
  });

  it.each([
    {},
    { code: 'not_found', message: 'Not Found' },
    { code: 'ROUTE_NOT_FOUND', message: 'There is no such route.' },
    { message: `Cannot GET ${forms['a read'].path}` },
    { message: `No refund at ${forms['a read'].path}` },
    { message: 'Invalid URL (object refund)' },
    { message: 'The refunder is gone' },
    'No such refund',
  ])('names the inferred path and the option if the body names no object: %j', async (said) => {
    const [, path, method] = hint.exec(await messageOf(forms['a read'], 404, body(said))) ?? [];
    expect([path, method]).toEqual(['GET /v1/refunds/{id}', 'refunds.retrieve']);
  });

  it.each([
    ['of a path that is documented', 'a DELETE', {}],
    ['of a path that the user wrote', 'a raw POST with a key', {}],
    [
      'of a path that the user corrected',
      'a read',
      { routes: { 'refunds.retrieve': 'GET /v1/(refunds*/{id}' } },
    ],
  ] as const)('says nothing %s', async (_what, form, options) => {
    expect(await messageOf(forms[form], 404, '{"message":"Not Found"}', options)).not.toMatch(hint);
  });

  it('recognizes the objects of a follow-up by their path', async () => {
    const fetch = async () => Response.json({ message: 'Unknown payment intent' }, { status: 404 });
    const cancel = createClient({ fetch }).paymentIntents.cancel('pi_1', by);
    expect((await failureOf(cancel, NotFoundError)).message).not.toMatch(hint);
  });

  it('of the sandbox has no hint', async () => {
    const { url: baseUrl, secretKey, fetch } = createSandbox();
    const call = createClient({ baseUrl, secretKey, fetch }).refunds.retrieve('rf_1');
    expect((await failureOf(call, NotFoundError)).message).not.toMatch(hint);
  });
});

describe('a refused connection', () => {
  const hint = 'it does not listen: call sandbox.listen() first, or give the client fetch: sandbox.fetch.';
  it.each([
    [createSandbox().url, 'ECONNREFUSED', true],
    [createSandbox().url, 'ECONNRESET', false],
    ['http://localhost:3000', 'ECONNREFUSED', false],
    ['https://payments.test', 'ECONNREFUSED', false],
  ])('to %s (%s) may be that of a sandbox that does not listen: %s', async (baseUrl, code, isHinted) => {
    const fetch = () => Promise.reject(Object.assign(new Error('connect'), { code }));
    const { refunds } = createClient({ baseUrl, fetch, maxRetries: 0 });
    const { message } = await failureOf(refunds.retrieve('rf_1'), ConnectionError);
    expect(message).toContain(`The connection to ${baseUrl} failed (${code}).`);
    expect(message.includes(hint)).toBe(isHinted);
  });
});
