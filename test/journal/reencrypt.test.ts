/** `reencrypt` writes all records with the first key of the ring, while calls go on. */

import fc from 'fast-check';
import { ConfigurationError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore, type Store } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { bySize } from '../support/size.ts';
import {
  create,
  type EncryptionKey,
  failed,
  leaveRecords,
  one,
  read,
  sell,
  shareStore,
  textsOf,
  three,
  two,
} from './rings.ts';
import { gate, recorded } from './shop.ts';

const service = useScriptedService();

/** Returns what a store has in pages of two, of which the last one is empty. */
function inPages(store: Store): Store['scan'] {
  return async ({ space, after = '0', limit }) => {
    const { found } = await store.scan({ space, limit });
    const from = Number(after);
    return {
      found: found.slice(from, from + 2),
      next: from < found.length ? String(from + 2) : undefined,
    };
  };
}

describe('reencrypt', () => {
  it.each([
    ['none', 'one, plain', 'one'],
    ['one', 'two, one', 'two'],
    ['one', 'plain, one', 'none'],
  ])('of what %s wrote, by %s, makes it readable for %s', async (...names) => {
    const [before, ring, after] = names.map(read);
    const store = memoryStore();
    const { program } = shareStore(service, { ...store, scan: inPages(store) });
    const readsAll = await leaveRecords(service, program(before));
    expect(await program(ring).journal.reencrypt()).toEqual({ done: 5, left: 0, others: 0 });
    expect(await program(ring).journal.reencrypt()).toEqual({ done: 0, left: 0, others: 0 });
    await readsAll(program(after));
  });

  it('counts what no key reads, leaves it as it is, and does the rest', async () => {
    const { store, program } = shareStore(service);
    service.answers(json(sampleRefund));
    await create(program(three), 'of a lost key');
    await create(program(undefined), 'in plain');
    await create(program(one), 'of one');
    expect(await program([two, one]).journal.reencrypt()).toEqual({ done: 1, left: 2, others: 0 });
    const texts = await textsOf(store);
    expect(await program([two, one]).journal.reencrypt()).toEqual({ done: 0, left: 2, others: 0 });
    expect(await textsOf(store)).toBe(texts);
    expect(await create(program(three), 'of a lost key')).toEqual(recorded(sampleRefund));
  });

  it('counts a text that is no record, and leaves it as it is', async () => {
    const { store, program } = shareStore(service);
    const strange = { data: 'no record', token: 'a-token' };
    await store.claim('operation/strange', 60_000, strange);
    expect(await program([two, one]).journal.reencrypt()).toEqual({ done: 0, left: 1, others: 0 });
    expect(await textsOf(store)).toContain('no record');
  });

  it.each([
    ['counts one that calls change again and again', undefined, { done: 0, left: 1, others: 0 }, 5],
    ['counts none that was forgotten meanwhile', 1, { done: 0, left: 0, others: 0 }, 1],
  ])('%s', async (_what, known, counts, tries) => {
    const store = memoryStore();
    let replaced = 0;
    const changing: Store = {
      ...store,
      replace: async () => {
        replaced += 1;
        return false;
      },
      find: async (...args) => (replaced === known ? undefined : store.find(...args)),
    };
    const { program } = shareStore(service, changing);
    service.answers(json(sampleRefund));
    await create(program(one), 'o');
    expect(await program([two, one]).journal.reencrypt()).toEqual(counts);
    expect(replaced).toBe(tries);
  });

  it('goes on after its store failed', async () => {
    const store = memoryStore();
    let writes = 0;
    const failing: Store = {
      ...store,
      replace: (...args) => (++writes === 3 ? Promise.reject(new Error('down')) : store.replace(...args)),
    };
    const { program } = shareStore(service, failing);
    const readsAll = await leaveRecords(service, program(one));
    await expect(program([two, one]).journal.reencrypt()).rejects.toThrow('down');
    expect(await program([two, one]).journal.reencrypt()).toEqual({ done: 3, left: 0, others: 0 });
    await readsAll(program(two));
  });

  it('changes no record of another merchant without an account, who could not read it then', async () => {
    const { program } = shareStore(service);
    const other = { secretKey: 'sk_v1_test_merchant_two' };
    service.answers(json(sampleRefund));
    await create(program(undefined), 'own');
    await create(program(undefined, other), 'theirs');
    await create(program(three, other), 'also theirs');
    expect(await program([one, 'plain']).journal.reencrypt()).toEqual({ done: 1, left: 0, others: 2 });
    expect(await create(program(undefined, other), 'theirs')).toEqual(recorded(sampleRefund));
  });

  it('also writes what was recorded before the journal had an account', async () => {
    const { program } = shareStore(service);
    service.answers(json(sampleRefund));
    await create(program(one), 'before');
    const named = (ring: EncryptionKey) => program(ring, { account: 'shop-1' });
    await create(named(one), 'after');
    expect(await named([two, one]).journal.reencrypt()).toEqual({ done: 2, left: 0, others: 0 });
    for (const id of ['before', 'after'])
      expect(await create(named(two), id)).toEqual(recorded(sampleRefund));
  });

  it('keeps a result that is longer encrypted than the journal records', async () => {
    const { program } = shareStore(service);
    const long = { ...sampleRefund, text: 'x'.repeat(700_000) };
    service.answers(json(long));
    await create(program(undefined), 'o');
    expect(await program([one, 'plain']).journal.reencrypt()).toMatchObject({ done: 1, left: 0 });
    expect(await create(program(one), 'o')).toEqual(recorded(long));
  });

  it('needs a store that lists all keys and replaces their data', async () => {
    const { scan, replace, ...store } = memoryStore();
    for (const part of [store, { ...store, replace }]) {
      const { journal } = service.createClient({
        journal: createJournal({ store: part, encryptionKey: one }),
      });
      const { issues } = await failureOf(journal.reencrypt(), ConfigurationError);
      expect(issues).toMatchObject([
        { path: 'createJournal.store', expected: 'a store with scan and replace' },
      ]);
    }
    const { program } = shareStore(service, anything({ ...store, scan }));
    service.answers(json(sampleRefund));
    await create(program(one), 'o');
    await failureOf(program([two, one]).journal.reencrypt(), ConfigurationError);
  });

  it('keeps the result of a call that ends between its two accesses', async () => {
    const store = memoryStore();
    const [reached, held] = [gate(), gate()];
    service.answers(async () => {
      reached.open();
      await held.opened;
      return text('response=1&transactionid=t1');
    });
    const call = sell(shareStore(service, store).program(one), 'o');
    await reached.opened;
    const replace: Store['replace'] = async (...args) => {
      held.open();
      await call;
      return store.replace(...args);
    };
    const { journal } = shareStore(service, { ...store, replace }).program([two, one]);
    expect(await journal.reencrypt()).toEqual({ done: 1, left: 0, others: 0 });
    expect(await sell(shareStore(service, store).program(two), 'o')).toEqual(recorded(await call));
    expect(service.arrivals).toHaveLength(1);
  });

  it('loses no update of a call, whatever runs between two of its accesses', async () => {
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('ok', 'lost'), { minLength: 3, maxLength: 3 }),
      async (scheduler, ends) => {
        const store = memoryStore();
        const later = (name: string) => scheduler.schedule(Promise.resolve(), name);
        const paused: Store = {
          ...store,
          claim: (...args) => later('claim').then(() => store.claim(...args)),
          renew: (...args) => later('renew').then(() => store.renew(...args)),
          complete: (...args) => later('complete').then(() => store.complete(...args)),
          release: (...args) => later('release').then(() => store.release(...args)),
          scan: (query) => later('scan').then(() => store.scan(query)),
          replace: (...args) => later('replace').then(() => store.replace(...args)),
        };
        const { program } = shareStore(service, paused);
        service.arrivals.length = 0;
        service.answers(async ({ body }) => {
          await later('send');
          const isLost = ends.some((end, index) => end === 'lost' && body.includes(`order-${index}`));
          return isLost ? failed() : text('response=1&transactionid=t1');
        });
        const sellOrder = (payments: ReturnType<typeof service.createClient>, index: number) =>
          payments.transact.sale(
            { amount: '1.00', payment_token: 'tok_1', orderid: `order-${index}` },
            { operationId: `order-${index}` },
          );
        const turn = async (ring: EncryptionKey) => {
          for (const _ of ends) await program(ring).journal.reencrypt();
        };
        const calls = ends.map((_, index) => sellOrder(program([one, two]), index).catch(() => undefined));
        await scheduler.waitFor(Promise.all([...calls, turn([two, one]), turn([one, two])]));
        const { program: quietly } = shareStore(service, store);
        expect(await quietly([two, one]).journal.reencrypt()).toMatchObject({ left: 0 });
        const repeats = ends.map((_, index) =>
          sellOrder(quietly(two), index).then(
            () => 'ok',
            ({ name }) => (name === 'OperationUnresolvedError' ? 'lost' : name),
          ),
        );
        expect(await Promise.all(repeats)).toEqual(ends);
        expect(service.arrivals).toHaveLength(ends.length);
      },
    );
    await fc.assert(property, { numRuns: bySize({ short: 20, all: 100, long: 2000 }) });
  });
});
