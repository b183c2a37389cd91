/** Whoever subscribes to a channel of `node:diagnostics_channel` learns what hooks learn, and changes nothing by it. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { ApiError, type CallEvent, type Hooks } from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams } from '../../support/fixtures.ts';
import { createClient, json, skipBackOff, useMockService } from '../../support/mock-service.ts';

const service = useMockService();
const by = { operationId: 'order-1' };
const names = ['start', 'request', 'response', 'retry', 'error', 'end'] as const satisfies (keyof Hooks)[];

function listen(name: keyof Hooks, listener: (message: unknown) => void): void {
  const channel = `payments-client:${name}`;
  subscribe(channel, listener);
  onTestFinished(() => void unsubscribe(channel, listener));
}

describe('channels', () => {
  it('tell the events that hooks are told, in the same order', async () => {
    skipBackOff();
    service.answers(json({ code: 'busy' }, { status: 503 }));
    const told: unknown[] = [];
    const published: unknown[] = [];
    const tell = (name: string) => (event: CallEvent) => told.push([name, event]);
    const hooks = Object.fromEntries(names.map((name) => [name, tell(name)]));
    for (const name of names) listen(name, (event) => published.push([name, event]));
    await failureOf(createClient({ hooks, maxRetries: 1 }).refunds.create(refundParams, by), ApiError);
    const order = ['start', 'request', 'response', 'retry', 'request', 'response', 'error', 'end'];
    expect(published.map((one) => Object(one)[0])).toEqual(order);
    expect(published).toEqual(told);
  });

  it('are heard by a client that has neither hooks nor a logger, also one made before', async () => {
    service.answers(json(refund));
    const payments = createClient();
    const attempts: unknown[] = [];
    listen('request', (event) => attempts.push(event));
    await payments.refunds.create(refundParams, by);
    expect(attempts).toMatchObject([
      { operation: 'refunds.create', attempt: 1, headers: { authorization: '[redacted]' } },
    ]);
  });

  it('whose subscriber throws change nothing of the call, nor of what others are told', async () => {
    service.answers(json(refund));
    // What a subscriber throws is the process's business, by a rule of Node. Here it is this test's.
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    onTestFinished(() => {
      for (const other of others) process.on('uncaughtException', other);
    });
    const thrown = once(process, 'uncaughtException');
    const response = vi.fn();
    listen('response', () => {
      throw new Error('a broken subscriber');
    });
    listen('response', response);
    expect(await createClient().refunds.create(refundParams, by)).toEqual(refund);
    expect(await thrown).toMatchObject([{ message: 'a broken subscriber' }, 'uncaughtException']);
    expect(response).toHaveBeenCalledOnce();
  });

  it('that fail themselves change nothing either', async () => {
    service.answers(json(refund));
    const broken = () => {
      throw new Error('a broken channel');
    };
    const channel = () => ({ hasSubscribers: true, publish: broken });
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(Object({ channel }));
    expect(await createClient().refunds.create(refundParams, by)).toEqual(refund);
  });

  it('are nothing where the runtime has none', async () => {
    service.answers(json(refund));
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const payments = createClient();
    const response = vi.fn();
    listen('response', response);
    expect(await payments.refunds.create(refundParams, by)).toEqual(refund);
    expect(response).not.toHaveBeenCalled();
  });
});
