/** A key that is a function: asked before each call, within its limits, and never shown. */

import { inspect } from 'node:util';
import {
  ConfigurationError,
  PaymentsError,
  RequestAbortedError,
  ResponseValidationError,
  TimeoutError,
} from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund } from '../../support/fixtures.ts';
import { createClient, json, secretKey } from '../../support/mock-service.ts';
import { everyForm } from '../forms.ts';

const neverSettles = () => new Promise<string>(() => {});

describe.each(everyForm)('the key of %s', (_name, form) => {
  const option = form.operation === 'transact.sale' ? 'securityKey' : 'secretKey';

  /** A client whose key is this function, and the credentials that it sent. */
  function clientBy(provider: () => string | Promise<string>, options = {}) {
    const sent: (string | null)[] = [];
    const fetch = async (request: Request) => {
      const inForm = new URLSearchParams(await request.text()).get('security_key');
      sent.push(inForm ?? request.headers.get('authorization'));
      return json(form.result);
    };
    return { sent, payments: createClient({ fetch, [option]: provider, ...options }) };
  }

  it('is asked for before each call', async () => {
    let number = 0;
    const { sent, payments } = clientBy(async () => `sk_v1_test_${++number}`);
    await form.call(payments);
    await form.call(payments);
    const scheme = option === 'secretKey' ? 'Bearer ' : '';
    expect(sent).toEqual([`${scheme}sk_v1_test_1`, `${scheme}sk_v1_test_2`]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error(`vault down for ${secretKey}`)), 'a failure'],
    ['returns nothing', () => Promise.resolve(undefined as never), 'something else'],
    ['returns an empty string', () => '', 'something else'],
    ['returns a line break', () => `${secretKey}\n`, 'was it copied whole?'],
    ['returns quotes', () => `"${secretKey}"`, 'a string in quotes'],
  ])('that %s ends the call before a request is sent', async (_what, provider, received) => {
    const { sent, payments } = clientBy(provider);
    const error = await failureOf(form.call(payments), ConfigurationError);
    expect(error.issues).toMatchObject([{ path: option, received: expect.stringContaining(received) }]);
    expect(inspect(error)).not.toContain(secretKey);
    expect(sent).toEqual([]);
  });

  it('that never settles ends with the time of the call, which an option of the call shortens', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { sent, payments } = clientBy(neverSettles, { totalTimeout: 5_000 });
    const failure = failureOf(form.call(payments, { totalTimeout: 900 }), TimeoutError);
    const later = failureOf(form.call(payments), TimeoutError);
    await vi.advanceTimersByTimeAsync(900);
    const error = await failure;
    expect(error).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: form.unsent, attempts: 0 });
    expect(error.message).toContain(`No value from ${option}() within 900 ms`);
    expect(error.message.includes('No money moved by this call.')).toBe(form.method !== 'GET');
    await vi.advanceTimersByTimeAsync(4_100);
    expect((await later).message).toContain('within 5000 ms');
    expect(sent).toEqual([]);
  });

  it('that never settles ends with the signal of the call', async () => {
    const controller = new AbortController();
    const { sent, payments } = clientBy(neverSettles);
    const call = form.call(payments, { signal: controller.signal });
    controller.abort('closed');
    const error = await failureOf(call, RequestAbortedError);
    expect(error).toMatchObject({ cause: 'closed', attempts: 0, outcome: form.unsent });
    expect(sent).toEqual([]);
  });

  it('stays secret after a rotation, the old one and the new', async () => {
    // Nothing in their form tells that they are keys.
    const keys = ['quiet-river-0001', 'green-garden-0002'];
    const asked = keys.values();
    const fetch = async () => json({ code: 'NO', message: `not ${keys.join(' nor ')}` }, { status: 400 });
    const payments = createClient({ fetch, [option]: () => asked.next().value ?? '' });
    await failureOf(form.call(payments), PaymentsError);
    const error = await failureOf(form.call(payments), PaymentsError);
    expect(error.message).toContain('not [redacted] nor [redacted]');
  });
});

it('is judged as a test key for each call by what the function then returns', async () => {
  const keys = ['sk_v1_test_1', 'sk_v1_live_2', 'sk_v1_test_3'];
  const asked = keys.values();
  const fetch = async () => json({ ...refund, livemode: true });
  const { refunds } = createClient({ fetch, secretKey: () => asked.next().value ?? '' });
  await failureOf(refunds.retrieve('rf_1'), ResponseValidationError);
  expect((await refunds.retrieve('rf_1')).livemode).toBe(true);
  await failureOf(refunds.retrieve('rf_1'), ResponseValidationError);
});
