/** The promise of a call: a real one, which hides its value from a log, and reports each failure once. */

import { inspect, types } from 'node:util';
import { PaymentsError } from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { answered, createClient, json } from '../support/mock-service.ts';
import { everyForm, forms } from './forms.ts';

const refusing = () => createClient({ fetch: async () => json({ code: 'NO' }, { status: 400 }) });
const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Records the rejections that nobody handled, until the test ends. */
function watchUnhandled() {
  const unheard = vi.fn();
  process.on('unhandledRejection', unheard);
  onTestFinished(() => void process.off('unhandledRejection', unheard));
  return unheard;
}

describe.each(everyForm)('the promise of %s', (_name, form) => {
  it('is a real promise, whose descendants are plain', async () => {
    const promise = form.call(answered(form.result));
    expect(promise).toBeInstanceOf(Promise);
    expect(types.isPromise(promise)).toBe(true);
    const over = vi.fn();
    for (const next of [promise.then(), promise.catch(() => {}), promise.finally(over)]) {
      expect(Object.getPrototypeOf(next)).toBe(Promise.prototype);
      await next;
    }
    expect(over).toHaveBeenCalledOnce();
    expect(await Promise.all([promise])).toEqual([await promise]);
  });

  it('shows nothing of its value', async () => {
    const promise = form.call(answered(form.result));
    await promise;
    expect(inspect(promise)).toBe('ApiPromise { await it for its value }');
    expect(String(promise)).toBe('[object ApiPromise]');
  });

  it('rejects once: a failure that withResponse handles is not unhandled', async () => {
    const unheard = watchUnhandled();
    const call = form.call(refusing());
    const error = await failureOf(call.withResponse(), PaymentsError);
    expect(await failureOf(call, PaymentsError)).toBe(error);
    await eventLoopTurn();
    expect(unheard).not.toHaveBeenCalled();
  });

  it('settles by itself, so that test runners that inspect its state see the result', async () => {
    await expect(form.call(refusing())).rejects.toThrow('400');
  });
});

it('a failure that nothing awaits is unhandled, but that of a list, which may be read later', async () => {
  const unheard = watchUnhandled();
  const list = refusing().refunds.list();
  void forms['a read'].call(refusing());
  await eventLoopTurn();
  expect(unheard).toHaveBeenCalledOnce();
  expect(unheard.mock.calls[0]?.[0]).toBeInstanceOf(PaymentsError);
  await expect(list.toArray({ max: 1 })).rejects.toThrow('400');
  await expect(list.pages().next()).rejects.toThrow('400');
});
