import { types } from 'node:util';
import { PaymentsError } from 'payments-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund } from '../support/fixtures.ts';
import { answered, createClient } from '../support/mock-service.ts';

const page = { data: [refund], has_more: false };

function clientWith(...responses: readonly Response[]) {
  const fetch = vi.fn<() => Promise<Response>>();
  for (const response of responses) fetch.mockResolvedValueOnce(response);
  return { fetch, ...createClient({ fetch, maxRetries: 0 }) };
}

const refused = () => Response.json({ code: 'NO' }, { status: 400 });

describe('the promise of a call and of a list', () => {
  it('passes every check for a promise', async () => {
    const { refunds } = clientWith(Response.json(refund), Response.json(page));
    for (const promise of [refunds.retrieve('rf_1'), refunds.list()]) {
      expect(promise).toBeInstanceOf(Promise);
      expect(types.isPromise(promise)).toBe(true);
      await promise;
    }
  });

  it('returns plain promises from then, catch and finally', async () => {
    const { refunds } = clientWith(Response.json(refund), Response.json(page));
    for (const promise of [refunds.retrieve('rf_1'), refunds.list()]) {
      for (const next of [promise.then(), promise.catch(() => {}), promise.finally(() => {})]) {
        expect(Object.getPrototypeOf(next)).toBe(Promise.prototype);
      }
    }
  });

  it('settles by itself, so that test runners that inspect its state see the result', async () => {
    const { refunds } = clientWith(refused(), refused());
    await expect(refunds.retrieve('rf_1')).rejects.toThrow('400');
    await expect(refunds.list()).rejects.toThrow('400');
  });

  it('works with Promise.all, race, any and allSettled', async () => {
    const responses = Array.from({ length: 4 }, () => Response.json(refund));
    const { refunds } = clientWith(...responses);
    expect(await Promise.all([refunds.retrieve('rf_1')])).toEqual([refund]);
    expect(await Promise.race([refunds.retrieve('rf_1')])).toEqual(refund);
    expect(await Promise.any([refunds.retrieve('rf_1')])).toEqual(refund);
    expect(await Promise.allSettled([refunds.retrieve('rf_1')])).toMatchObject([{ value: refund }]);
  });
});

describe('a failure that one method handles', () => {
  const unheard = vi.fn();
  afterEach(() => void process.off('unhandledRejection', unheard));

  it('is not reported as unhandled by another', async () => {
    process.on('unhandledRejection', unheard);
    const { refunds } = clientWith(refused(), refused(), refused(), refused());
    await failureOf(refunds.retrieve('rf_1').withResponse(), PaymentsError);
    const list = refunds.list();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(list.toArray({ max: 1 })).rejects.toThrow('400');
    await expect(list.pages().next()).rejects.toThrow('400');
    void refunds.list();
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).not.toHaveBeenCalled();
  });

  it('of a call that nothing awaits is unhandled, as with every promise', async () => {
    const heard = new Promise((resolve) => process.once('unhandledRejection', resolve));
    const { refunds } = clientWith(refused());
    void refunds.retrieve('rf_1');
    expect(await heard).toBeInstanceOf(PaymentsError);
  });
});

describe('the first page of a list', () => {
  it('is requested once for await and the first iteration', async () => {
    const { fetch, refunds } = clientWith(Response.json(page), Response.json(page));
    const list = refunds.list();
    expect((await list).items).toEqual([refund]);
    expect(await list.toArray({ max: 9 })).toEqual([refund]);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(await list.toArray({ max: 9 })).toEqual([refund]);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('is requested again after a failure', async () => {
    const { refunds } = clientWith(refused(), Response.json(page));
    const list = refunds.list();
    await expect(list.toArray({ max: 9 })).rejects.toThrow('400');
    expect(await list.toArray({ max: 9 })).toEqual([refund]);
  });
});

describe('a call', () => {
  it('is a promise like any other, under its own name', async () => {
    const call = answered(refund).refunds.retrieve('rf_1');
    expect(String(call)).toBe('[object ApiPromise]');
    const over = vi.fn();
    expect(await call.finally(over)).toMatchObject({ id: 'rf_1' });
    expect(over).toHaveBeenCalledOnce();
  });
});
