/** The inbox keeps verified deliveries until they are handled, immediately or by workers. */

import { createServer } from 'node:http';
import { memoryStore, type Store } from 'payments-client/stores';
import type {
  DeliveryFailure,
  DeliveryReport,
  InboxEntry,
  Receiver,
  ReceiverOptions,
  WebhooksOptions,
} from 'payments-client/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { delivery, envelope, eventOf, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';
import { listen } from './running.ts';
import { send, summary } from './send.ts';

type Options = Partial<ReceiverOptions>;

/** A server with a receiver that records its calls. */
async function start(options: Options, settings: Partial<WebhooksOptions> = {}) {
  const reports: DeliveryReport[] = [];
  const failures: DeliveryFailure[] = [];
  const webhooks = webhooksAt(settings);
  const receiver = webhooks.receiver({
    store: memoryStore(),
    on: { 'refund.failed': () => undefined },
    onError: (failure) => failures.push(failure),
    onDelivery: (report) => reports.push(report),
    ...options,
  });
  const url = await listen(createServer(receiver.node));
  const deliver = async (value: unknown, secretOf?: string) => {
    const body = JSON.stringify(value);
    const headers = await webhooks.sign(body, secretOf === undefined ? {} : { secret: secretOf });
    return summary(await send(url, { body, headers }));
  };
  const deliverBody = async (body: string | Uint8Array) =>
    summary(await send(url, { body, headers: await webhooks.sign(body) }));
  const outcomes = () => reports.map(({ source, outcome, attempt }) => ({ source, outcome, attempt }));
  return { receiver, deliver, deliverBody, url, failures, reports, outcomes };
}

async function entriesOf({ inbox }: Receiver): Promise<InboxEntry[]> {
  const entries: InboxEntry[] = [];
  for await (const entry of inbox.entries()) entries.push(entry);
  return entries;
}

/** Runs a worker until the condition holds. */
async function workUntil(receiver: Receiver, isDone: () => boolean | Promise<boolean>, concurrency = 2) {
  const stop = new AbortController();
  const work = receiver.inbox.work({ signal: stop.signal, concurrency, pollInterval: 1 });
  await vi.waitFor(async () => expect(await isDone()).toBe(true), { timeout: 20_000, interval: 2 });
  stop.abort();
  await work;
}

/** A store with a manual clock, so that tests skip the back-off. */
function timedStore() {
  let time = 1_000_000;
  const store = memoryStore({ now: () => time });
  return {
    store,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

const hour = 3_600_000;
const failed = eventOf('refund.failed');

describe("inbox: 'keep'", () => {
  it('keeps each delivery until its handler returned', async () => {
    let works = false;
    const whileHandled: unknown[] = [];
    const { receiver, deliver } = await start({
      inbox: 'keep',
      on: {
        'refund.failed': async () => {
          whileHandled.push(...(await entriesOf(receiver)));
          if (!works) throw Object.assign(new TypeError('secret'), { code: 'E_MAIL' });
        },
      },
    });
    const event = eventOf('refund.failed', { id: 'evt_é' });
    const entry = {
      operationId: 'webhook/default/test//evt_~00e9',
      event,
      rawBody: JSON.stringify(event),
      scope: undefined,
      attempt: 1,
      isDead: false,
      age: expect.any(Number),
    };
    expect(await deliver(event)).toBe('500 failed');
    expect(whileHandled).toEqual([{ ...entry, lastError: undefined, wait: expect.any(Number) }]);
    expect(await entriesOf(receiver)).toEqual([{ ...entry, lastError: 'TypeError (E_MAIL)', wait: 0 }]);
    works = true;
    expect(await deliver(event)).toBe('200 handled');
    expect(await entriesOf(receiver)).toEqual([]);
  });

  it('drops kept deliveries even if the receiver no longer has an inbox', async () => {
    const store = memoryStore();
    const failing = { 'refund.failed': () => Promise.reject(new Error('not yet')) };
    const before = await start({ store, inbox: 'keep', on: failing });
    expect(await before.deliver(failed)).toBe('500 failed');
    expect(await (await start({ store })).deliver(failed)).toBe('200 handled');
    expect(await entriesOf(before.receiver)).toEqual([]);
  });

  it('does not keep ignored or refused deliveries', async () => {
    const { receiver, deliver, url } = await start({ inbox: 'keep' });
    expect(await deliver(eventOf('refund.created'))).toBe('200 ignored');
    await send(url, await delivery(failed, webhooksAt({ secret: otherSecret })));
    expect(await entriesOf(receiver)).toEqual([]);
  });

  it.each([
    ['text', '[1]'],
    ['text with a byte order mark', '\ufeff[]'],
    ['lines', '{}\n{}'],
    ['bytes that are not text', new Uint8Array([0xff])],
    ['text with NUL', 'a\0b'],
  ])('keeps a body without an event: %s', async (_what, body) => {
    const { receiver, deliverBody } = await start({ inbox: 'keep' });
    expect(await deliverBody(body)).toBe('500 unreadable');
    expect(await deliverBody(body)).toBe('500 unreadable');
    const [entry, ...others] = await entriesOf(receiver);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ event: undefined, attempt: 2, isDead: true, wait: 0 });
    expect(entry?.operationId).toMatch(/^webhook-unreadable\/default\/\/[0-9a-f]{64}$/);
    expect(new Uint8Array(Buffer.from(entry?.rawBody ?? ''))).toEqual(new Uint8Array(Buffer.from(body)));
  });

  it('drops an unreadable body that onUnreadable accepted', async () => {
    const options: Options = { inbox: 'keep', onUnreadable: () => {}, statuses: { unreadable: 200 } };
    const { receiver, deliverBody } = await start(options);
    expect(await deliverBody('[]')).toBe('200 unreadable');
    expect(await entriesOf(receiver)).toEqual([]);
  });

  it('handles a body that is too long to keep', async () => {
    const { deliver, failures } = await start({ inbox: 'keep' }, { maxBodyBytes: 3_000_000 });
    expect(await deliver(eventOf('refund.failed', { note: 'é'.repeat(600_000) }))).toBe('200 handled');
    expect(failures).toEqual([]);
  });

  it('separates deliveries by consumer', async () => {
    const store = memoryStore();
    const failing: Options = { store, inbox: 'keep', onEvent: () => Promise.reject(new Error('no')) };
    const billing = await start({ ...failing, consumer: 'billing' });
    const mail = await start({ ...failing, consumer: 'mail' });
    for (const { deliver } of [billing, mail]) await deliver(envelope('account.updated', {}));
    const ids = (await entriesOf(billing.receiver)).map(({ operationId }) => operationId);
    expect(ids).toEqual(['webhook/billing/test//evt_1']);
  });

  it('lets a worker retry a failed delivery', async () => {
    const { receiver, deliver, outcomes } = await start({
      inbox: 'keep',
      on: {
        'refund.failed': (_event, { attempt }) => {
          if (attempt === 1) throw new Error('not at first');
        },
      },
    });
    expect(await deliver(failed)).toBe('500 failed');
    await workUntil(receiver, async () => (await entriesOf(receiver)).length === 0);
    expect(outcomes()).toEqual([
      { source: 'request', outcome: 'failed', attempt: 1 },
      { source: 'inbox', outcome: 'handled', attempt: 2 },
    ]);
    expect(await deliver(failed)).toBe('200 duplicate');
  });
});

describe("inbox: 'defer'", () => {
  it('responds immediately, and leaves the handler to a worker', async () => {
    const handled: unknown[] = [];
    const { receiver, deliver, outcomes, reports } = await start(
      {
        inbox: 'defer',
        on: { 'refund.failed': (event, context) => handled.push({ event, ...context }) },
      },
      { secrets: { acct_1: secret } },
    );
    expect(await deliver(failed, secret)).toBe('200 accepted');
    expect(await deliver(failed, secret)).toBe('200 duplicate');
    expect(handled).toEqual([]);
    await workUntil(receiver, () => handled.length > 0);
    expect(handled).toMatchObject([
      {
        event: failed,
        rawBody: JSON.stringify(failed),
        scope: 'acct_1',
        operationId: 'webhook/default/test/acct_1/evt_1',
        attempt: 1,
        issues: [],
      },
    ]);
    expect(await entriesOf(receiver)).toEqual([]);
    expect(await deliver(failed, secret)).toBe('200 duplicate');
    expect(outcomes().slice(0, 3)).toEqual([
      { source: 'request', outcome: 'accepted', attempt: undefined },
      { source: 'request', outcome: 'duplicate', attempt: undefined },
      { source: 'inbox', outcome: 'handled', attempt: 1 },
    ]);
    expect(reports[2]).toMatchObject({
      status: undefined,
      verified: true,
      scope: 'acct_1',
      eventId: 'evt_1',
    });
  });

  it('handles a body with a byte order mark', async () => {
    const { receiver, deliverBody, outcomes } = await start({ inbox: 'defer' });
    expect(await deliverBody(`\ufeff${JSON.stringify(failed)}`)).toBe('200 accepted');
    expect(await entriesOf(receiver)).toMatchObject([{ event: failed }]);
    await workUntil(receiver, () => outcomes().length === 2);
    expect(outcomes()[1]).toMatchObject({ outcome: 'handled' });
  });

  it('backs off after each failure, and leaves a dead letter after the last', async () => {
    const { store, pass } = timedStore();
    const calls: number[] = [];
    const { receiver, deliver, failures, outcomes } = await start({
      store,
      inbox: 'defer',
      maxAttempts: 3,
      on: {
        'refund.failed': (_event, { attempt }) => {
          calls.push(attempt);
          throw new TypeError('secret');
        },
      },
    });
    await deliver(failed);
    const waits: number[] = [];
    for (const attempt of [1, 2]) {
      await workUntil(
        receiver,
        async () => (await entriesOf(receiver))[0]?.lastError !== undefined && calls.length === attempt,
      );
      const [entry] = await entriesOf(receiver);
      expect(entry).toMatchObject({ attempt, lastError: 'TypeError', isDead: false });
      waits.push(entry?.wait ?? 0);
      pass((entry?.wait ?? 0) - 1);
      await workUntil(receiver, () => true);
      expect(calls).toHaveLength(attempt);
      pass(1);
    }
    expect(waits[0]).toBeGreaterThanOrEqual(500);
    expect(waits[0]).toBeLessThanOrEqual(1000);
    expect(waits[1]).toBeGreaterThanOrEqual(1000);
    expect(waits[1]).toBeLessThanOrEqual(2000);
    await workUntil(
      receiver,
      async () => (await entriesOf(receiver))[0]?.isDead === true && calls.length === 3,
    );
    pass(24 * hour);
    await workUntil(receiver, () => true);
    expect(calls).toEqual([1, 2, 3]);
    expect(await entriesOf(receiver)).toMatchObject([
      { attempt: 3, isDead: true, lastError: 'TypeError', wait: 0, event: failed },
    ]);
    expect(outcomes().map(({ outcome }) => outcome)).toEqual(['accepted', 'failed', 'failed', 'dead']);
    expect(failures.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'dead']);
    expect(await deliver(failed)).toBe('200 duplicate');
  });

  it('replays a dead letter once', async () => {
    let works = false;
    const { receiver, deliver } = await start({
      inbox: 'defer',
      maxAttempts: 1,
      on: {
        'refund.failed': () => {
          if (!works) throw new Error('not yet');
        },
      },
    });
    await deliver(failed);
    const id = 'webhook/default/test//evt_1';
    await workUntil(receiver, async () => (await entriesOf(receiver))[0]?.isDead === true);
    expect(await receiver.inbox.replay(id)).toBe('dead');
    works = true;
    expect(await receiver.inbox.replay(id)).toBe('handled');
    expect(await receiver.inbox.replay(id)).toBeUndefined();
    expect(await deliver(failed)).toBe('200 duplicate');
    expect(await entriesOf(receiver)).toEqual([]);
  });

  it('does not count as a dead letter while its last attempt runs', async () => {
    const calls: unknown[] = [];
    const { receiver, deliver } = await start({
      inbox: 'defer',
      maxAttempts: 1,
      on: {
        'refund.failed': async () => {
          calls.push(...(await entriesOf(receiver)));
          throw new Error('no');
        },
      },
    });
    await deliver(failed);
    await workUntil(receiver, async () => (await entriesOf(receiver))[0]?.isDead === true);
    expect(calls).toMatchObject([{ attempt: 1, isDead: false }]);
  });

  it('does not replay entries of other consumers, or entries that are not deliveries', async () => {
    const store = memoryStore();
    const billing = await start({ store, inbox: 'defer', consumer: 'billing' });
    const mail = await start({ store, inbox: 'defer', consumer: 'mail' });
    await billing.deliver(failed);
    await store.keep('journal/1', 'an operation');
    const ids = ['webhook/billing/test//evt_1', 'journal/1', ''];
    for (const id of ids) expect(await mail.receiver.inbox.replay(id)).toBeUndefined();
    const data = (await store.open({ prefix: '', limit: 10 })).map(({ key, attempt }) => [key, attempt]);
    expect(data).toEqual([
      ['journal/1', 0],
      ['webhook/billing/test//evt_1', 0],
    ]);
  });

  it('replays a body once a later version can read it, under the key of its event', async () => {
    const store = memoryStore();
    const old = await start({ store, inbox: 'keep' }, { validation: 'throw' });
    const drifted = eventOf('refund.failed', { created: 7 });
    expect(await old.deliver(drifted)).toBe('500 unreadable');
    const [entry] = await entriesOf(old.receiver);
    expect(await old.receiver.inbox.replay(entry?.operationId ?? '')).toBe('unreadable');
    const handled: string[] = [];
    const on = { 'refund.failed': ({ id }: { readonly id: string }) => handled.push(id) };
    const later = await start({ store, inbox: 'keep', on });
    expect(await later.receiver.inbox.replay(entry?.operationId ?? '')).toBe('handled');
    expect(await entriesOf(later.receiver)).toEqual([]);
    expect(await later.deliver(drifted)).toBe('200 duplicate');
    expect(handled).toEqual(['evt_1']);
  });

  it('drops a body once a later version can read it, but has no handler for its event', async () => {
    const store = memoryStore();
    const old = await start({ store, inbox: 'keep' }, { validation: 'throw' });
    expect(await old.deliver(eventOf('refund.failed', { created: 7 }))).toBe('500 unreadable');
    const [entry] = await entriesOf(old.receiver);
    const later = await start({ store, inbox: 'keep', on: {} });
    expect(await later.receiver.inbox.replay(entry?.operationId ?? '')).toBe('ignored');
    expect(await entriesOf(later.receiver)).toEqual([]);
  });

  it('shares the work among any number of workers', async () => {
    const store = memoryStore();
    const handled: string[] = [];
    const options: Options = {
      store,
      inbox: 'defer',
      on: {
        'refund.failed': async ({ id }) => {
          await Promise.resolve();
          handled.push(id);
        },
      },
    };
    const receivers = await Promise.all([start(options), start(options), start(options)]);
    const ids = Array.from({ length: 120 }, (_, index) => `evt_${index}`);
    for (const id of ids) expect(await receivers[0]?.deliver({ ...failed, id })).toBe('200 accepted');
    await Promise.all(
      receivers.map(({ receiver }) => workUntil(receiver, () => handled.length >= ids.length, 7)),
    );
    expect(handled.sort()).toEqual([...ids].sort());
  });

  it('starves no event while new ones arrive', async () => {
    const handled: string[] = [];
    const idOf = (number: number) => `evt_${String(number).padStart(2, '0')}`;
    const { receiver, deliver } = await start({
      inbox: 'defer',
      on: {
        'refund.failed': async ({ id }) => {
          handled.push(id);
          // The key of the next event sorts before all queued ones.
          if (id !== 'evt_99' && handled.length < 40) {
            await deliver({ ...failed, id: idOf(50 - handled.length) });
          }
        },
      },
    });
    for (const id of [idOf(50), 'evt_99']) await deliver({ ...failed, id });
    await workUntil(receiver, () => handled.length >= 40, 1);
    expect(handled.indexOf('evt_99')).toBeLessThan(3);
  });

  it('counts a lease from the request to the store', async () => {
    const store = memoryStore();
    const handled: string[] = [];
    const on = { 'refund.failed': ({ id }: { readonly id: string }) => handled.push(id) };
    const { receiver, deliver } = await start({ store, inbox: 'defer', lease: 200, on });
    await deliver(failed);
    const { take } = store;
    vi.spyOn(store, 'take').mockImplementationOnce(async (query) => {
      const taken = await take.call(store, query);
      // The reply of the store takes more than a tenth of the lease.
      await new Promise((resolve) => setTimeout(resolve, 30));
      return taken;
    });
    const renew = vi.spyOn(store, 'renew');
    await workUntil(receiver, () => handled.length === 1);
    expect(renew.mock.calls.map(([key, , lease]) => [key, lease])).toEqual([
      ['webhook/default/test//evt_1', 200],
    ]);
  });

  it('handles no more than its concurrency at once', async () => {
    let running = 0;
    let most = 0;
    const handled: string[] = [];
    const { receiver, deliver } = await start({
      inbox: 'defer',
      on: {
        'refund.failed': async ({ id }) => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 1));
          running -= 1;
          handled.push(id);
        },
      },
    });
    for (let index = 0; index < 20; index += 1) await deliver({ ...failed, id: `evt_${index}` });
    await workUntil(receiver, () => handled.length === 20, 3);
    expect(most).toBe(3);
  });

  it('finishes running handlers after an abort, and starts no more', async () => {
    const stop = new AbortController();
    const handled: string[] = [];
    const { receiver, deliver } = await start({
      inbox: 'defer',
      on: {
        'refund.failed': async ({ id }) => {
          stop.abort();
          await new Promise((resolve) => setTimeout(resolve, 5));
          handled.push(id);
        },
      },
    });
    for (const id of ['evt_1', 'evt_2']) await deliver({ ...failed, id });
    await receiver.inbox.work({ signal: stop.signal, concurrency: 1 });
    expect(handled).toEqual(['evt_1']);
    await receiver.inbox.work({ signal: stop.signal });
    expect(handled).toEqual(['evt_1']);
  });

  it('lets timers run while a backlog remains, so that one can stop it', async () => {
    const handled: string[] = [];
    const on = { 'refund.failed': ({ id }: { readonly id: string }) => handled.push(id) };
    const { receiver, deliver } = await start({ inbox: 'defer', on });
    for (let index = 0; index < 10; index += 1) await deliver({ ...failed, id: `evt_${index}` });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 0);
    await receiver.inbox.work({ signal: stop.signal, concurrency: 1 });
    expect(handled.length).toBeLessThan(10);
  });

  it('ends immediately if aborted while it polls the store', async () => {
    const store = memoryStore();
    const { receiver } = await start({ store, inbox: 'defer' });
    const stop = new AbortController();
    vi.spyOn(store, 'take').mockImplementationOnce(async () => {
      stop.abort();
      return [];
    });
    await receiver.inbox.work({ signal: stop.signal, pollInterval: 3_600_000 });
  });

  it('keeps working while a handler never ends', async () => {
    let release = () => {};
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handled: string[] = [];
    const on = {
      'refund.failed': async ({ id }: { readonly id: string }) => {
        if (id === 'evt_0') await stuck;
        handled.push(id);
      },
    };
    const { receiver, deliver } = await start({ inbox: 'defer', on });
    for (let index = 0; index < 10; index += 1) await deliver({ ...failed, id: `evt_${index}` });
    const stop = new AbortController();
    const work = receiver.inbox.work({ signal: stop.signal, concurrency: 2, pollInterval: 3_600_000 });
    await vi.waitFor(() => expect(handled).toHaveLength(9));
    stop.abort();
    release();
    await work;
    expect(handled.at(-1)).toBe('evt_0');
  });

  it('continues when the store fails', async () => {
    const store = memoryStore();
    let isDown = true;
    const take = vi.spyOn(store, 'take').mockImplementation(() => Promise.reject(new Error('down')));
    const { receiver, deliver, failures } = await start({
      store,
      inbox: 'defer',
      on: {
        'refund.failed': () => {
          isDown = false;
        },
      },
    });
    await deliver(failed);
    const stop = new AbortController();
    const work = receiver.inbox.work({ signal: stop.signal, pollInterval: 1 });
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(2));
    expect(failures[0]).toMatchObject({ error: new Error('down'), outcome: 'failed', event: undefined });
    take.mockRestore();
    await vi.waitFor(() => expect(isDown).toBe(false));
    stop.abort();
    await work;
  });

  it('handles the deliveries that a slow store grants too late, within its concurrency', async () => {
    const store = memoryStore();
    const steps: string[] = [];
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { receiver, deliver } = await start({
      store,
      inbox: 'defer',
      storeTimeout: 20,
      on: {
        'refund.failed': async ({ id }, { attempt }) => {
          steps.push(`${id} starts attempt ${attempt}`);
          if (id === 'evt_2') await ended;
          steps.push(`${id} ends`);
        },
      },
    });
    for (const id of ['evt_1', 'evt_2']) await deliver({ ...failed, id });
    const { take } = store;
    vi.spyOn(store, 'take').mockImplementationOnce(async (query) => {
      const taken = await take.call(store, query);
      await vi.waitFor(() => expect(steps).toHaveLength(1));
      // After the worker got the late answer.
      setImmediate(end);
      return taken;
    });
    await workUntil(receiver, async () => (await entriesOf(receiver)).length === 0, 1);
    expect(steps).toEqual(['evt_2 starts attempt 1', 'evt_2 ends', 'evt_1 starts attempt 1', 'evt_1 ends']);
  });

  it('releases a claim that the store grants after an abort', async () => {
    const store = memoryStore();
    const { receiver, deliver, failures } = await start({ store, inbox: 'defer', storeTimeout: 20 });
    await deliver(failed);
    const { take } = store;
    const stop = new AbortController();
    vi.spyOn(store, 'take').mockImplementationOnce(async (query) => {
      const taken = await take.call(store, query);
      await vi.waitFor(() => expect(failures).toHaveLength(1));
      stop.abort();
      return taken;
    });
    await receiver.inbox.work({ signal: stop.signal, pollInterval: 1 });
    await vi.waitFor(async () => expect(await entriesOf(receiver)).toMatchObject([{ attempt: 1, wait: 0 }]));
    expect(failures[0]?.error).toMatchObject({ code: 'STORE_TIMEOUT' });
  });

  it('fails a delivery that it cannot keep', async () => {
    const { deliver, failures } = await start({ inbox: 'defer' }, { maxBodyBytes: 3_000_000 });
    expect(await deliver(eventOf('refund.failed', { note: 'é'.repeat(600_000) }))).toBe('500 failed');
    expect(String(failures[0]?.error)).toMatch(/expected a body of less than 1 MiB for the inbox, got more/);
  });

  it('responds with 503 if the store times out', async () => {
    const store = memoryStore();
    vi.spyOn(store, 'keep').mockImplementation(() => new Promise(() => {}));
    const { deliver } = await start({ store, inbox: 'defer', storeTimeout: 20 });
    expect(await deliver(failed)).toBe('503 failed');
  });

  it.each(['a worker', 'replay'] as const)(
    'reports how an event differs from the interface (%s)',
    async (by) => {
      const drifted = eventOf('refund.failed', { created: 1_790_000_000 });
      const { receiver, deliver, failures } = await start({ inbox: 'defer' });
      expect(await deliver(drifted)).toBe('200 accepted');
      expect(failures).toEqual([]);
      const [entry] = await entriesOf(receiver);
      if (by === 'replay') await receiver.inbox.replay(entry?.operationId ?? '');
      else await workUntil(receiver, () => failures.length > 0);
      expect(failures).toMatchObject([
        { error: { reason: 'invalid_payload' }, outcome: 'handled', event: drifted },
      ]);
    },
  );

  it('fails with the issues of an event that this process cannot read', async () => {
    const store = memoryStore();
    const drifted = eventOf('refund.failed', { created: 1_790_000_000 });
    expect(await (await start({ store, inbox: 'defer' })).deliver(drifted)).toBe('200 accepted');
    const strict = await start({ store, inbox: 'defer' }, { validation: 'throw' });
    await workUntil(strict.receiver, () => strict.failures.length > 0);
    expect(strict.failures).toMatchObject([
      { error: { reason: 'invalid_payload' }, outcome: 'failed', event: undefined },
    ]);
  });

  it('leaves an event without a handler in this process to a later attempt', async () => {
    const store = memoryStore();
    const newer = await start({ store, inbox: 'defer' });
    await newer.deliver(failed);
    const older = await start({ store, inbox: 'defer', on: { 'refund.created': () => {} } });
    await workUntil(older.receiver, () => older.failures.length > 0);
    expect(String(older.failures[0]?.error)).toMatch(
      /expected a handler for the type of the event, but this process has none/,
    );
    expect(await newer.receiver.inbox.replay('webhook/default/test//evt_1')).toBe('in_progress');
    expect(await entriesOf(newer.receiver)).toMatchObject([
      { attempt: 1, lastError: 'TypeError', isDead: false },
    ]);
  });
});

describe('misuse', () => {
  it('refuses a store without an inbox', () => {
    const { claim, renew, complete, release } = memoryStore();
    const store = { claim, renew, complete, release };
    expect(() => webhooksAt().receiver({ store, inbox: 'keep', on: {} })).toThrow(
      /^store: expected a store with keep, take, open, for 'inbox'/,
    );
  });

  it('refuses to work without the inbox option', async () => {
    const store: Store = memoryStore();
    const { inbox } = webhooksAt().receiver({ store, on: {} });
    const expected = /^receiver\.inbox: expected a receiver with inbox: 'keep' or 'defer', got one without/;
    await expect(inbox.work({ signal: new AbortController().signal })).rejects.toThrow(expected);
    await expect(inbox.replay('a')).rejects.toThrow(expected);
    await expect(inbox.entries().next()).rejects.toThrow(expected);
  });

  it.each([
    [{}, /^work\.signal: expected an AbortSignal, which stops the worker, got nothing/],
    [
      { signal: new AbortController().signal, concurrency: 0 },
      /^work\.concurrency: expected an integer from 1 to 1000/,
    ],
    [{ signal: new AbortController().signal, pollinterval: 1 }, /^work\.pollinterval: expected one of/],
  ])('refuses wrong options of work: %o', async (options: object, message) => {
    const { inbox } = webhooksAt().receiver({ store: memoryStore(), inbox: 'defer', on: {} });
    await expect(Reflect.apply(inbox.work, inbox, [options])).rejects.toThrow(message);
  });
});
