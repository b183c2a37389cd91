/** `journal.resume`: several operations at a time, by several processes at once, and what is left for a person. */

import {
  ConfigurationError,
  OperationUnresolvedError,
  PaymentDeclinedError,
  ServerError,
} from 'payments-client';
import { createJournal, type JournalOptions, type OpenOperation } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import type { ClaimStore } from '../support/stores.ts';
import { gate, listOpen, replacing } from './shop.ts';

const service = useScriptedService();
const failed = () => json({}, { status: 500 });
const done = () => json(sampleRefund);

function start(store: ClaimStore = memoryStore(), options: Partial<JournalOptions> = {}) {
  const journal = createJournal({ store, account: 'shop-1', ...options });
  return service.createClient({ repeats: 'recorded', journal });
}
type Client = ReturnType<typeof start>;

/** Leaves operations with an unknown outcome. */
async function leaveOpen({ refunds }: Client, count: number): Promise<void> {
  service.answers(failed());
  for (let index = 0; index < count; index += 1) {
    const by = { operationId: `return-${index}` };
    await failureOf(refunds.create({ charge_id: `ch_${index}` }, by), ServerError);
  }
  service.arrivals.length = 0;
}

/** Answers each request once so many wait for it, and counts how many waited at most. */
function answerTogether(together: number) {
  const counts = { waiting: 0, most: 0 };
  let full = gate();
  service.answers(async () => {
    counts.waiting += 1;
    counts.most = Math.max(counts.most, counts.waiting);
    const own = full;
    if (counts.waiting === together) {
      full = gate();
      own.open();
    }
    await own.opened;
    counts.waiting -= 1;
    return done();
  });
  return counts;
}

const idsOf = (left: readonly { readonly operation: OpenOperation }[]) =>
  left.map(({ operation }) => operation.operationId).sort();

describe('resume', () => {
  it.each([1, 5])('sends %i operations at once', async (concurrency) => {
    const payments = start();
    await leaveOpen(payments, 20);
    const counts = answerTogether(concurrency);
    const ends = await payments.journal.resume({ concurrency });
    expect(ends).toEqual({ resumed: 20, inProgress: 0, failed: [], unresolved: [] });
    expect([counts.most, service.arrivals.length]).toEqual([concurrency, 20]);
    expect(await listOpen(payments)).toEqual([]);
  });

  it('sends 8 at once by default, over all pages, and tells how far it has come', async () => {
    const payments = start();
    const plan = payments.journal.plan();
    const all = Array.from({ length: 104 }, (_, index) => `return-${index}`);
    for (const operationId of all) await plan.refunds.create({ charge_id: 'ch_1' }, { operationId });
    const counts = answerTogether(8);
    const seen: unknown[] = [];
    const onProgress = (progress: unknown) => {
      seen.push(progress);
      throw new Error('of the gauge');
    };
    expect(await payments.journal.resume({ onProgress })).toMatchObject({ resumed: 104 });
    expect(counts.most).toBe(8);
    expect(seen).toEqual(all.map((_, index) => ({ done: index + 1, total: 104 })));
  });

  it('goes on after the error of an operation, and returns it', async () => {
    const payments = start();
    await leaveOpen(payments, 4);
    const answers = [failed(), json({ error: { code: 'CARD_DECLINED' } }, { status: 402 }), done(), done()];
    service.answers(...answers);
    const { resumed, failed: left, unresolved } = await payments.journal.resume({ concurrency: 1 });
    expect([resumed, unresolved, idsOf(left)]).toEqual([2, [], ['return-0', 'return-1']]);
    expect(left.map(({ error }) => error)).toEqual([
      expect.any(ServerError),
      expect.any(PaymentDeclinedError),
    ]);
    // The next round sends what is open.
    service.answers(done());
    expect(await payments.journal.resume()).toMatchObject({ resumed: 1, failed: [] });
  });

  it('returns what a person must settle, and sends nothing of it', async () => {
    const payments = start();
    await leaveOpen(payments, 1);
    service.answers(failed());
    const sale = { amount: '12.00', payment_token: 'tok_1', orderid: '1042' };
    await failureOf(Promise.resolve(payments.transact.sale(sale, { operationId: 'sale' })), ServerError);
    service.arrivals.length = 0;
    service.answers(done());
    const { resumed, failed: left, unresolved } = await payments.journal.resume();
    expect([resumed, left, idsOf(unresolved), service.arrivals.length]).toEqual([1, [], ['sale'], 1]);
    expect(unresolved[0]?.error).toBeInstanceOf(OperationUnresolvedError);
    await unresolved[0]?.operation.settle({ outcome: 'executed' });
    expect(await listOpen(payments)).toEqual([]);
  });

  it('sends each operation once in several processes that resume at once', async () => {
    const store = memoryStore();
    await leaveOpen(start(store), 24);
    const counts = answerTogether(24);
    const ends = await Promise.all([1, 2, 3].map(() => start(store).journal.resume({ concurrency: 24 })));
    expect(service.arrivals).toHaveLength(24);
    expect(counts.most).toBe(24);
    expect(ends.reduce((sum, { resumed }) => sum + resumed, 0)).toBeGreaterThanOrEqual(24);
    expect(ends.flatMap(({ failed: left, unresolved }) => [...left, ...unresolved])).toEqual([]);
  });

  it.each([
    ['takes it once that has died', 'whole', { resumed: 1, left: [] }],
    ['returns it then if it cannot be sent', 'digest', { resumed: 0, left: ['return-1'] }],
  ] as const)(
    'leaves an operation to the process that is sending it, and %s',
    async (_end, contents, then) => {
      const clock = { time: 0 };
      const store = memoryStore({ now: () => clock.time });
      const begin = () => start(store, { contents });
      const [reached, held] = [gate(), gate()];
      service.answers(async () => {
        reached.open();
        await held.opened;
        return done();
      }, done());
      const first = begin().refunds.create({ charge_id: 'ch_1' }, { operationId: 'return-1' });
      await reached.opened;
      const nothing = { resumed: 0, failed: [], unresolved: [] };
      expect(await begin().journal.resume()).toEqual({ ...nothing, inProgress: 1 });
      expect(service.arrivals).toHaveLength(1);
      // `totalTimeout` and 15 s.
      clock.time += 135_000;
      const { resumed, unresolved } = await begin().journal.resume();
      expect({ resumed, left: idsOf(unresolved) }).toEqual(then);
      held.open();
      await first;
    },
  );

  it('throws what the store throws, once the operations that it began have ended', async () => {
    const store = memoryStore();
    const plan = start(store).journal.plan();
    for (let index = 0; index < 101; index += 1)
      await plan.refunds.create({ charge_id: 'ch_1' }, { operationId: `return-${index}` });
    service.answers(done());
    const open: ClaimStore['open'] = (query) =>
      'after' in query && query.after ? Promise.reject(new Error('is down')) : store.open(query);
    await expect(start(replacing(store, { open })).journal.resume()).rejects.toThrow('is down');
    expect([service.arrivals.length, (await listOpen(start(store))).length]).toEqual([100, 1]);
  });

  it.each([
    ['concurrency', 0],
    ['concurrency', 101],
    ['onProgress', 1],
  ])('refuses the option %s with %i, and sends nothing', async (name, value) => {
    const payments = start();
    await leaveOpen(payments, 1);
    const error = await failureOf(payments.journal.resume(anything({ [name]: value })), ConfigurationError);
    expect(error.issues).toMatchObject([{ path: `journal.resume.${name}` }]);
    expect(service.arrivals).toHaveLength(0);
  });
});
