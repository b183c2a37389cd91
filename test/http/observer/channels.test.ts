/** Subscribers of `node:diagnostics_channel` get the events of hooks, and cannot change a call. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { ApiError, type CallEvent, type Hooks } from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams } from '../../support/fixtures.ts';
import { createClient, json, skipBackOff, useMockService } from '../../support/mock-service.ts';

const service = useMockService();
const operation = { operationId: 'order-1' };
const names = ['start', 'request', 'response', 'retry', 'error', 'end'] as const satisfies (keyof Hooks)[];

function subscribeTo(name: keyof Hooks, listener: (message: unknown) => void): void {
  const channel = `payments-client:${name}`;
  subscribe(channel, listener);
  onTestFinished(() => void unsubscribe(channel, listener));
}

describe('channels', () => {
  it('publish the events of the hooks in the same order', async () => {
    skipBackOff();
    service.answers(json({ code: 'busy' }, { status: 503 }));
    const hooked: unknown[] = [];
    const published: unknown[] = [];
    const record = (name: string) => (event: CallEvent) => hooked.push([name, event]);
    const hooks = Object.fromEntries(names.map((name) => [name, record(name)]));
    for (const name of names) subscribeTo(name, (event) => published.push([name, event]));
    await failureOf(createClient({ hooks, maxRetries: 1 }).refunds.create(refundParams, operation), ApiError);
    const order = ['start', 'request', 'response', 'retry', 'request', 'response', 'error', 'end'];
    expect(published.map((one) => Object(one)[0])).toEqual(order);
    expect(published).toEqual(hooked);
  });

  it('receive events of a client without hooks and logger, even if it was created before', async () => {
    service.answers(json(refund));
    const payments = createClient();
    const attempts: unknown[] = [];
    subscribeTo('request', (event) => attempts.push(event));
    await payments.refunds.create(refundParams, operation);
    expect(attempts).toMatchObject([
      { operation: 'refunds.create', attempt: 1, headers: { authorization: '[redacted]' } },
    ]);
  });

  it('with a subscriber that throws change neither the call nor other subscribers', async () => {
    service.answers(json(refund));
    // Node raises errors of subscribers as uncaught exceptions, which this test collects.
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    onTestFinished(() => {
      for (const other of others) process.on('uncaughtException', other);
    });
    const thrown = once(process, 'uncaughtException');
    const response = vi.fn();
    subscribeTo('response', () => {
      throw new Error('a broken subscriber');
    });
    subscribeTo('response', response);
    expect(await createClient().refunds.create(refundParams, operation)).toEqual(refund);
    expect(await thrown).toMatchObject([{ message: 'a broken subscriber' }, 'uncaughtException']);
    expect(response).toHaveBeenCalledOnce();
  });

  it('that fail do not change the call', async () => {
    service.answers(json(refund));
    const broken = () => {
      throw new Error('a broken channel');
    };
    const channel = () => ({ hasSubscribers: true, publish: broken });
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(Object({ channel }));
    expect(await createClient().refunds.create(refundParams, operation)).toEqual(refund);
  });

  it('are optional: without them a call works', async () => {
    service.answers(json(refund));
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const payments = createClient();
    const response = vi.fn();
    subscribeTo('response', response);
    expect(await payments.refunds.create(refundParams, operation)).toEqual(refund);
    expect(response).not.toHaveBeenCalled();
  });
});
