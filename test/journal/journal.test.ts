import {
  ConfigurationError,
  InvalidRequestError,
  OperationInProgressError,
  OperationMismatchError,
  OperationUnresolvedError,
  PaymentDeclinedError,
  PaymentsError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  type WithOperationId,
} from 'payments-client';
import type { JournalOptions } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { memoryStore, sqliteStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import type { ClaimStore } from '../support/stores.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import { gate, listOpen, options, params, recorded, replacing } from './shop.ts';

const service = useScriptedService();
const { createClient } = service;
const start = (journal: Partial<JournalOptions> = {}, keyLifetime?: number) =>
  createClient({
    repeats: 'recorded',
    keyLifetime,
    journal: createJournal({ store: memoryStore(), ...journal }),
  });

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const sale = { amount: '12.00', payment_token: 'tok_1', orderid: '1042' };
const refund = { charge_id: 'ch_1' };
const failed = () => json({}, { status: 500 });
const approved = () => text('response=1&responsetext=OK&transactionid=t1');
const payout = { method: 'POST', path: '/v1/payouts', body: { amount: 5 } } as const;
const encryptionKey = Buffer.alloc(32, 7).toString('base64');

describe('what the journal writes', () => {
  const card = { amount: '12.00', ccnumber: '4111111111111111', ccexp: '1230', cvv: '123', orderid: '1042' };
  const payoutTo = { ...payout, query: { account: 'acct_A' }, body: { note: 'for Ada' } };

  it.each<[string, Partial<JournalOptions>, isPlain: boolean]>([
    ['in plain', {}, true],
    ['encrypted', { encryptionKey }, false],
    ['as a digest', { contents: 'digest' }, false],
  ])(
    '%s has parameters and results as asked, and never a card, a code or a key',
    async (_how, journal, isPlain) => {
      const store = memoryStore();
      const payments = start({ store, ...journal });
      service.answers(failed(), failed(), json({ id: 'po_1', note: 'the result' }));
      await failureOf(payments.transact.sale(card, options), ServerError);
      await failureOf(payments.request(payoutTo, options), ServerError);
      const { claims } = await store.open({ space: 'operation', limit: 10 });
      const written = claims.map(({ data }) => data).join();
      for (const secret of ['4111111111111111', '"123"', 'sk_v1_test', 'security-key'])
        expect(written).not.toContain(secret);
      expect(written.match(/"credential":"[\da-f]{16}"/g)).toHaveLength(claims.length);
      // A sale has no query.
      expect(written.match(/"query":/g) ?? []).toHaveLength('contents' in journal ? 0 : 1);
      for (const kept of ['acct_A', 'for Ada']) expect(written.includes(kept)).toBe(isPlain);
      await payments.request(payoutTo, options);
      const { key } = claims.find((claim) => claim.key.includes('payouts')) ?? expect.fail('none is open');
      const { data } = await store.claim(key, 1);
      expect(data?.includes('the result')).toBe(isPlain || 'contents' in journal);
    },
  );

  it('is encrypted with another nonce each time', async () => {
    const store = memoryStore();
    const payments = start({ store, encryptionKey });
    service.answers(failed());
    for (const operationId of ['one', 'two', 'three'])
      await failureOf(payments.refunds.create(refund, { operationId }), ServerError);
    const { claims } = await store.open({ space: 'operation', limit: 10 });
    const nonces = claims.flatMap(({ data }) => data.match(/[\w+/]{16}(?=\.)/g) ?? []);
    expect(nonces.length).toBeGreaterThanOrEqual(3);
    expect(new Set(nonces).size).toBe(nonces.length);
  });

  it('has the recorded response of a repeat, which costs no request', async () => {
    const payments = start();
    service.answers(json(sampleRefund, { status: 201 }));
    const first = await payments.refunds.create(refund, options).withResponse();
    const second = await payments.refunds.create(refund, options).withResponse();
    expect(second.data).toEqual(recorded(first.data));
    expect(first.response).toMatchObject({ fromJournal: false, attempts: 1, status: 201 });
    expect(second.response).toMatchObject({ fromJournal: true, attempts: 0, status: 201 });
  });

  it.each(['warn', 'off'] as const)(
    'has a result that does not match its schema, with validation %s',
    async (validation) => {
      const payments = createClient({
        validation,
        repeats: 'recorded',
        logger: {},
        journal: createJournal({ store: memoryStore() }),
      });
      service.answers(json({ ...sampleRefund, amount: 'five' }));
      const first = await payments.refunds.create(refund, options);
      expect(await listOpen(payments)).toEqual([]);
      expect(await payments.refunds.create(refund, options)).toEqual(recorded(first));
    },
  );

  it('lacks a result that is too long, and says so', async () => {
    const payments = start();
    service.answers(json({ text: 'x'.repeat(950_000) }));
    await payments.request(payout, options);
    const error = await failureOf(payments.request(payout, options), PaymentsError);
    expect(error).toMatchObject({ code: 'OPERATION_SETTLED', outcome: 'unknown', retryable: false });
    expect(error.message).toMatch(/too long to record\. This call sent nothing: look up/);
    expect(service.arrivals).toHaveLength(1);
  });
});

describe('resume', () => {
  it.each<[Partial<JournalOptions>, WithOperationId]>([
    [{}, options],
    [{ encryptionKey }, options],
    [{ encryptionKey, account: 'shop-1' }, options],
    [{}, { idempotencyKey: 'a key of the shop' }],
  ])(
    'sends the query, the body and the key of the call again, with %j, named by %j',
    async (journal, named) => {
      const payments = start(journal);
      const request = { ...payout, query: { account: 'acct_A', note: 'a b' } };
      service.answers(failed(), json({ id: 'po_1' }));
      await failureOf(payments.request(request, named), ServerError);
      const [operation] = await listOpen(payments);
      expect(await operation?.resume()).toEqual({ id: 'po_1' });
      const [first, second] = service.arrivals.map(({ method, url, headers, body }) => {
        return { method, url: url.href, body, key: headers.get('idempotency-key') };
      });
      expect(second).toEqual(first);
      expect(first?.url).toContain('/v1/payouts?account=acct_A&note=a+b');
      expect(await payments.request(request, named)).toEqual(recorded({ id: 'po_1' }));
      expect(service.arrivals).toHaveLength(2);
    },
  );

  it('has nothing to send of a digest, but the call itself has', async () => {
    const payments = start({ contents: 'digest' });
    service.answers(failed(), json({ id: 're_1' }));
    await failureOf(payments.request(payout, options), ServerError);
    const [operation] = await listOpen(payments);
    await expect(operation?.resume()).rejects.toThrow('repeat the call itself');
    expect(service.arrivals).toHaveLength(1);
    expect(await payments.request(payout, options)).toEqual({ id: 're_1' });
  });

  it('keeps the id of an operation that another process closed as refused meanwhile', async () => {
    const payments = start();
    service.answers(failed());
    await failureOf(payments.refunds.create(refund, options), ServerError);
    const [operation] = await listOpen(payments);
    await payments.journal.settle('order-1042', { operation: 'refunds.create', outcome: 'not_executed' });
    await expect(operation?.resume()).rejects.toThrow(ServerError);
    expect(await listOpen(payments)).toMatchObject([{ operationId: 'order-1042', state: 'unknown' }]);
  });

  it('accepts no body without an id for a call of a collection', async () => {
    const payments = start();
    service.answers(failed(), json({}));
    await failureOf(payments.refunds.create(refund, options), ServerError);
    const [operation] = await listOpen(payments);
    const error = await failureOf(operation?.resume() ?? Promise.resolve(), ResponseValidationError);
    const issue = { path: '(root)', expected: 'an object with an id', received: 'an object' };
    expect(error).toMatchObject({ outcome: 'executed', issues: [issue] });
  });

  it('accepts a body that is not JSON of an object only from a request', async () => {
    const payments = start();
    service.answers(new Response(new Uint8Array([0x22, 0xff, 0x22])), new Response(null, { status: 204 }));
    await failureOf(payments.request(payout, options), PaymentsError);
    const [operation] = await listOpen(payments);
    expect(operation).toMatchObject({ state: 'unknown' });
    expect(await operation?.resume()).toBeUndefined();
    expect(await listOpen(payments)).toEqual([]);
  });
});

describe('a list of open operations', () => {
  it('has what is needed to look each up: a masked card, or a path without secrets', async () => {
    const startedAt = Date.UTC(2026, 0, 1);
    const payments = start({ now: () => startedAt });
    service.answers(failed());
    const card = {
      ...sale,
      payment_token: undefined,
      ccnumber: '4111111111111111',
      ccexp: '1230',
      cvv: '123',
    };
    const path = '/v1/cards/4111111111111111/sk_v1_test_abcdefghijklmnop';
    const send = [
      () => payments.transact.sale(card, options),
      () => payments.request({ method: 'PUT', path, body: params }, options),
    ];
    const lookUps = [
      { amount: '12.00', ccnumber: '************1111', orderid: '1042' },
      { path: '/v1/cards/[redacted]/[redacted]' },
    ];
    for (const [index, call] of send.entries()) {
      await failureOf(Promise.resolve(call()), ServerError);
      const error = await failureOf(Promise.resolve(call()), OperationUnresolvedError);
      expect(error).toMatchObject({ outcome: 'unknown', retryable: false, startedAt: new Date(startedAt) });
      expect(error.message).toContain(
        'sent at 2026-01-01T00:00:00.000Z and may have taken effect, or may yet',
      );
      expect(error.lookUp).toEqual(lookUps[index]);
    }
    expect((await listOpen(payments)).map(({ lookUp }) => lookUp)).toEqual(lookUps);
  });

  it('has those of an age, the first sent first, over all pages, and counts them', async () => {
    const clock = { time: Date.UTC(2026, 0, 1) };
    const payments = start({ store: memoryStore({ now: () => clock.time }), now: () => clock.time });
    // A page has 100.
    const count = 101;
    for (let index = 0; index < count; index += 1) {
      await payments.journal.plan().refunds.create(refund, { operationId: `${index}` });
      clock.time += 1000;
    }
    const idsOf = async (olderThan?: number) => {
      const ids: string[] = [];
      for await (const { operationId } of payments.journal.open({ olderThan })) ids.push(operationId);
      return ids;
    };
    const all = Array.from({ length: count }, (_, index) => `${index}`);
    expect(await idsOf()).toEqual(all);
    expect(await idsOf((count - 2) * 1000)).toEqual(['0', '1', '2']);
    expect(await idsOf((count - 2) * 1000 + 1)).toEqual(['0', '1']);
    expect(await payments.journal.backlog()).toEqual({
      failedOver: false,
      isWritable: true,
      count,
      oldest: count * 1000,
    });
    // A clock that is behind the one that recorded them hides none.
    clock.time -= (count + 2) * 1000;
    expect(await idsOf()).toHaveLength(count);
    await expect(payments.journal.open({ olderThan: -1 }).next()).rejects.toThrow(
      /^journal\.open\.olderThan/,
    );
  });

  it('tells when an operation was first sent, also after a repeat', async () => {
    const clock = { time: Date.UTC(2026, 0, 1) };
    const payments = start({ now: () => clock.time });
    service.answers(failed());
    for (const _call of [1, 2]) {
      await failureOf(payments.refunds.create(refund, options), ServerError);
      clock.time += hour;
    }
    expect(await listOpen(payments)).toMatchObject([{ startedAt: new Date(Date.UTC(2026, 0, 1)) }]);
  });
});

it('a sale is sent once, and a second process learns when to call again', async () => {
  const store = memoryStore({ now: () => 0 });
  const [reached, held] = [gate(), gate()];
  service.answers(async () => {
    reached.open();
    await held.opened;
    return approved();
  });
  const call = () => start({ store }).transact.sale(sale, options);
  const first = Promise.resolve(call());
  await reached.opened;
  const [open] = await listOpen(start({ store }));
  expect(open?.state).toBe('running');
  const settled = open?.settle({ outcome: 'executed' }) ?? Promise.resolve();
  expect(await failureOf(settled, InvalidRequestError)).toMatchObject({ issues: [{ path: 'operationId' }] });
  for (const second of [call(), open?.resume() ?? Promise.resolve()]) {
    const error = await failureOf(Promise.resolve(second), OperationInProgressError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true });
    // The longest that the first call may take, and 15 s for the store.
    expect(error.retryAfter).toBe(120 + 15);
  }
  held.open();
  const result = await first;
  expect(await call()).toEqual(recorded(result));
  expect(service.arrivals).toHaveLength(1);
});

describe('a keyed call whose first process is at it, or died', () => {
  /** Starts a call whose answer comes when it is `held.open()`. */
  async function atIt(journal: Partial<JournalOptions> = {}, keyLifetime?: number) {
    const store = memoryStore({ now: () => 0 });
    const [reached, held] = [gate(), gate()];
    let first: Response = json(sampleRefund);
    service.answers(async () => {
      if (service.arrivals.length > 1) return second();
      reached.open();
      await held.opened;
      return first;
    });
    let second = () => json(sampleRefund, { headers: { 'idempotent-replayed': 'true' } });
    const client = () => start({ store, ...journal }, keyLifetime);
    const call = () => client().refunds.create(refund, options);
    const firstCall = Promise.resolve(call());
    firstCall.catch(() => {});
    await reached.opened;
    const answers = (one: Response, other: () => Response) => {
      first = one;
      second = other;
    };
    return { held, firstCall, call, client, answers };
  }

  it('is sent again at once with the same key and bytes, and the first result closes it', async () => {
    const { held, firstCall, call, client } = await atIt();
    expect(await call()).toEqual(recorded(sampleRefund));
    expect(await listOpen(client())).toEqual([]);
    held.open();
    expect(await firstCall).toEqual(sampleRefund);
    expect(await call()).toEqual(recorded(sampleRefund));
    const requests = service.arrivals.map(({ headers, body }) => [headers.get('idempotency-key'), body]);
    expect(requests).toEqual([requests[0], requests[0]]);
  });

  it('is resumed at once', async () => {
    const { held, firstCall, client } = await atIt();
    const [open] = await listOpen(client());
    expect(await open?.resume()).toEqual(recorded(sampleRefund));
    held.open();
    await firstCall;
    expect(service.arrivals).toHaveLength(2);
  });

  it('is closed by the success of the first process, though another took over and failed', async () => {
    const { held, firstCall, call, client, answers } = await atIt();
    answers(json(sampleRefund), failed);
    expect(await failureOf(call(), ServerError)).toMatchObject({ outcome: 'unknown' });
    expect(await listOpen(client())).toHaveLength(1);
    held.open();
    await firstCall;
    expect(await listOpen(client())).toEqual([]);
    expect(
      await failureOf(client().refunds.create({ charge_id: 'ch_2' }, options), OperationMismatchError),
    ).toMatchObject({
      outcome: 'executed',
    });
  });

  it('is not reopened by a first process that fails after the second succeeded', async () => {
    const { held, firstCall, call, client, answers } = await atIt();
    answers(json({ error: { code: 'RATE_LIMITED' } }, { status: 429 }), () => json(sampleRefund));
    await call();
    held.open();
    expect(await failureOf(firstCall, RateLimitError)).toMatchObject({ outcome: 'executed' });
    expect(await listOpen(client())).toEqual([]);
  });

  it('is closed by a decline of the first process, though another took over', async () => {
    const { held, firstCall, call, client, answers } = await atIt();
    const declined = json({ error: { code: 'CARD_DECLINED' } }, { status: 402 });
    answers(declined, failed);
    await failureOf(call(), ServerError);
    held.open();
    expect(await failureOf(firstCall, PaymentDeclinedError)).toMatchObject({ outcome: 'not_executed' });
    expect(await listOpen(client())).toEqual([]);
  });

  it.each<[how: string, journal: (store: ClaimStore) => ClaimStore]>([
    ['its store fails', (store) => replacing(store, { release: () => Promise.reject(new Error('down')) })],
    [
      'its store hangs, and the caller aborts',
      (store) => replacing(store, { release: () => new Promise(() => {}) }),
    ],
  ])('is in doubt for a first one that is refused if %s', async (how, storeOf) => {
    const store = memoryStore({ now: () => 0 });
    const [reached, held] = [gate(), gate()];
    const controller = new AbortController();
    service.answers(async () => {
      reached.open();
      await held.opened;
      if (how.includes('aborts')) controller.abort();
      return json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });
    }, json(sampleRefund));
    const call = start({ store: storeOf(store) }).refunds.create(refund, {
      ...options,
      signal: controller.signal,
    });
    const failure = failureOf(call, PaymentsError);
    await reached.opened;
    await start({ store }).refunds.create(refund, options);
    held.open();
    expect((await failure).outcome).not.toBe('not_executed');
  });

  it('is in doubt for a second one that is refused', async () => {
    const { held, firstCall, call, answers } = await atIt();
    answers(json(sampleRefund), () => json({ error: { code: 'RATE_LIMITED' } }, { status: 429 }));
    expect(await failureOf(call(), RateLimitError)).toMatchObject({ outcome: 'unknown' });
    held.open();
    await firstCall;
  });

  it('is not sent again once the service may have forgotten the key', async () => {
    const clock = { time: 0 };
    const { held, firstCall, call } = await atIt({ now: () => clock.time }, 60_000);
    clock.time = 60_001;
    await failureOf(call(), OperationInProgressError);
    held.open();
    await firstCall;
    expect(service.arrivals).toHaveLength(1);
  });

  it('is sent by one of many processes that come at the same time, or by several with one key', async () => {
    const { held, firstCall, call } = await atIt();
    const results = await Promise.all([call(), call(), call(), call()]);
    held.open();
    expect(await firstCall).toEqual(sampleRefund);
    for (const result of results) expect(result).toEqual(recorded(sampleRefund));
    expect(new Set(service.arrivals.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });
});

it('a form transaction needs an operationId if it may move money, and accepts one only with a journal', async () => {
  const { transact } = start();
  const earlier = { transactionid: '316', amount: '1.00' };
  for (const call of [
    () => transact.sale(sale),
    () => transact.auth(sale, {}),
    () => transact.capture(earlier),
    () => transact.refund(earlier),
    () => transact.void(earlier),
    () => transact.credit(sale),
    () => transact.submit({ type: 'sale', ...sale }, { operationId: undefined }),
  ])
    expect((await failureOf(call(), InvalidRequestError)).issues).toMatchObject([
      { path: 'options.operationId' },
    ]);
  expect(service.arrivals).toEqual([]);
  service.answers(approved());
  expect(await transact.validate({ payment_token: 'tok_1' })).toMatchObject({ approved: true });
  await failureOf(createClient({}).transact.sale(sale, options), InvalidRequestError);
  expect(() => createClient({}).journal).toThrow(ConfigurationError);
});

describe('a wrong clock', () => {
  it.each<[what: string, startedAt: number, isSent: boolean]>([
    ['10 minutes ahead, since clocks differ', 10 * minute, true],
    ['just over 10 minutes ahead', 10 * minute + 1, false],
    ['401 days ahead', 401 * day, false],
    ['a day behind, which is the lifetime of the key', -day, true],
    ['just over a day behind', -day - 1, false],
  ])('of the first call, %s, lets a repeat be sent: %s', async (_what, startedAt, isSent) => {
    const clock = { time: startedAt };
    const payments = start({ now: () => clock.time });
    service.answers(failed(), json(sampleRefund));
    await failureOf(payments.refunds.create(refund, options), ServerError);
    clock.time = 0;
    const repeat = payments.refunds.create(refund, options);
    if (isSent) expect(await repeat).toEqual(sampleRefund);
    else await failureOf(repeat, OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(isSent ? 2 : 1);
  });

  it.each([
    [60_000, 60_000, true],
    [60_000, 60_001, false],
  ])('does not matter, but keyLifetime does: %i, after %i', async (keyLifetime, after, isSent) => {
    const clock = { time: 0 };
    const payments = start({ now: () => clock.time }, keyLifetime);
    service.answers(failed(), json(sampleRefund));
    await failureOf(payments.refunds.create(refund, options), ServerError);
    clock.time = after;
    const error = await payments.refunds.create(refund, options).then(() => undefined, String);
    expect(error === undefined).toBe(isSent);
  });

  it('does not shorten how long a result is remembered, nor does keyLifetime', async () => {
    const clock = { time: 0 };
    const now = () => clock.time;
    const payments = start({ store: memoryStore({ now }), now }, hour);
    service.answers(json(sampleRefund));
    await payments.refunds.create(refund, options);
    clock.time = 399 * day;
    expect(await payments.refunds.create(refund, options)).toEqual(recorded(sampleRefund));
    expect(service.arrivals).toHaveLength(1);
  });

  it('of the machine, 401 days ahead, loses no result in SQLite', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    const path = await temporaryFile();
    service.answers(approved());
    /** Sells in a process of its own. */
    const sell = () => {
      const store = sqliteStore(path);
      onTestFinished(() => store.close());
      return start({ store }).transact.sale(sale, options);
    };
    const first = await sell();
    for (const ahead of [401 * day, -401 * day, -30 * hour]) {
      vi.setSystemTime(Date.now() + ahead);
      expect(await sell()).toEqual(recorded(first));
    }
    expect(service.arrivals).toHaveLength(1);
  });
});
