/** `beforeCall`: asked once before anything is recorded or sent; what it throws refuses the call. */

import { inspect } from 'node:util';
import {
  CallRefusedError,
  ConfigurationError,
  InvalidRequestError,
  PaymentsError,
  RequestAbortedError,
  TimeoutError,
  Transact,
} from 'payments-client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { product, saleParams } from '../support/fixtures.ts';
import { baseUrl, json, secretKey, skipBackOff } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { everyForm, forms } from './forms.ts';

const service = useScriptedService();
const neverSettles = () => new Promise<void>(() => {});
const tooMuch = () => {
  throw Object.assign(new RangeError(`over 50.00, said ${secretKey}\nfor 4929876512340988`), {
    code: 'LIMIT',
  });
};

beforeEach(skipBackOff);

describe.each(everyForm)('beforeCall of %s', (_name, form) => {
  it('ends the call by what it throws, and nothing is sent', async () => {
    const events: unknown[] = [];
    const hooks = { error: events.push.bind(events), end: events.push.bind(events) };
    const payments = service.createClient({ beforeCall: tooMuch, hooks });
    const error = await failureOf(form.call(payments), CallRefusedError);
    expect(error).toMatchObject({
      code: 'CALL_REFUSED',
      outcome: form.unsent,
      retryable: false,
      message:
        `${form.operation}: expected beforeCall to return, but it threw. Nothing was sent or recorded: call again ` +
        'once it lets the call pass. It says: over 50.00, said [redacted] for [redacted]',
      cause: { name: 'RangeError', code: 'LIMIT', message: 'over 50.00, said [redacted] for [redacted]' },
    });
    expect(inspect(error)).not.toMatch(/unit0001|4929876512340988/);
    expect(events).toMatchObject([{ error }, { error }]);
    expect(service.arrivals).toEqual([]);
  });

  it('is called once, whatever is retried, and before the request', async () => {
    const seen: number[] = [];
    const beforeCall = async () => void seen.push(service.arrivals.length);
    const isRetried = form.isRepeatable;
    service.answers(...(isRetried ? [json({}, { status: 503 })] : []), json(form.result));
    await form.call(service.createClient({ beforeCall, maxRetries: 2 }));
    expect([seen, service.arrivals.length]).toEqual([[0], isRetried ? 2 : 1]);
  });

  it('that never answers ends with the time of the call, or its signal', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const payments = service.createClient({ beforeCall: neverSettles });
    const late = failureOf(form.call(payments, { totalTimeout: 900 }), TimeoutError);
    await vi.advanceTimersByTimeAsync(900);
    expect(await late).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: form.unsent, attempts: 0 });
    expect((await late).message).toContain('No answer of beforeCall within 900 ms');
    const controller = new AbortController();
    const left = failureOf(form.call(payments, { signal: controller.signal }), RequestAbortedError);
    await vi.advanceTimersByTimeAsync(0);
    controller.abort('closed');
    expect(await left).toMatchObject({ cause: 'closed', outcome: form.unsent, attempts: 0 });
    expect([vi.getTimerCount(), service.arrivals]).toEqual([0, []]);
  });
});

describe('what beforeCall returns', () => {
  it.each([[undefined], [Promise.resolve()]])('lets the call pass if it is %o', async (answer) => {
    service.answers(json(forms['a read'].result));
    await forms['a read'].call(service.createClient({ beforeCall: () => answer }));
    expect(service.arrivals).toHaveLength(1);
  });

  it.each([
    [false, 'false'],
    [true, 'true'],
    [null, 'null'],
    [{ decision: 'allow' }, 'an object'],
    [Promise.resolve(false), 'false'],
    ['block for sk_v1_test_unit0001', 'a string of 29 characters'],
  ])('ends the call if it is a value, which may be meant as a refusal: %o', async (answer, received) => {
    const payments = service.createClient({ beforeCall: () => anything(answer) });
    const error = await failureOf(forms['a POST with a key'].call(payments), ConfigurationError);
    expect(error.outcome).toBe('not_executed');
    expect(error.message).toBe(
      `beforeCall(): expected nothing, or an error that it throws to refuse the call, got ${received}. Nothing was ` +
        'sent or recorded by refunds.create: correct beforeCall.',
    );
    expect(service.arrivals).toEqual([]);
  });

  // @ts-expect-error A value that is returned refuses nothing.
  it('has no value in the types', () => void service.createClient({ beforeCall: () => false }));
});

describe('beforeCall', () => {
  it.each([
    ['a text', 'over 50.00', () => 'over 50.00'],
    ['a number', 'a value that is not an Error', () => 50],
    ['nothing', 'a value that is not an Error', () => undefined],
    ['an error of the package', 'down', () => new PaymentsError('down', { outcome: 'executed' })],
    ['an error that cannot be read', 'a value that cannot be read', () => unreadable()],
  ])('refuses by any thrown value: %s', async (_what, message, thrown) => {
    const beforeCall = async () => Promise.reject(thrown());
    const payments = service.createClient({ beforeCall });
    const error = await failureOf(forms['a sale'].call(payments), CallRefusedError);
    expect(error).toMatchObject({ outcome: 'not_executed', cause: { message } });
  });

  it('refuses by an error without a message, and then says nothing of it', async () => {
    const beforeCall = () => Promise.reject(new Error(''));
    const { message } = await failureOf(
      forms['a sale'].call(service.createClient({ beforeCall })),
      CallRefusedError,
    );
    expect(message).toBe(
      'transact.sale: expected beforeCall to return, but it threw. Nothing was sent or recorded: call again once it lets the call pass.',
    );
  });

  it('is not asked about a call that is refused or aborted before', async () => {
    const beforeCall = vi.fn();
    const payments = service.createClient({ beforeCall });
    const wrong = payments.refunds.create(anything({ amount: 'all' }), { operationId: 'return-1' });
    await failureOf(wrong, InvalidRequestError);
    await failureOf(payments.products.list({}, { signal: AbortSignal.abort() }), RequestAbortedError);
    expect(beforeCall).not.toHaveBeenCalled();
  });

  it('is asked about each page of a list', async () => {
    const beforeCall = vi.fn();
    const pages = ['prod_1', 'prod_2'].map((id, index) =>
      json({ data: [product(id)], has_more: index === 0, next_cursor: id }),
    );
    service.answers(...pages);
    await service.createClient({ beforeCall }).products.list().toArray({ max: 10 });
    expect(beforeCall.mock.calls.flat().map(({ operation, params }) => [operation, params])).toEqual([
      ['products.list', {}],
      ['products.list', { starting_after: 'prod_1' }],
    ]);
  });

  it('is an option of Transact, too, and has to be a function', async () => {
    const options = { baseUrl, securityKey: 'security-key-unit-0001', fetch: async () => json({}) };
    const transact = new Transact({ ...options, beforeCall: tooMuch });
    await failureOf(transact.sale(saleParams), CallRefusedError);
    const wrong = () => new Transact({ ...options, beforeCall: anything('no') });
    expect(wrong).toThrow('beforeCall: expected a function');
  });
});

/** An error whose every field throws. */
function unreadable(): Error {
  const get = () => {
    throw new Error('no');
  };
  return new Proxy(new Error('hidden'), { get });
}
