/** What every store promises of its documents: part of its contract. */

import fc from 'fast-check';
import { ConfigurationError, PaymentsError } from 'payments-client';
import type { PostgresStore, SqliteStore, Store } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { bySize } from '../support/size.ts';
import { answerOf, type Call, DocumentModel, type DocumentRow, documentRows } from './document-model.ts';
import { freshKey } from './time.ts';

/** Saves documents in one transaction, and returns the answers, or `rolled back`. */
export type Transact = (calls: readonly Call[], isRolledBack: boolean) => Promise<readonly string[] | string>;

class Undo extends Error {}

const outcomeOf = (transaction: Promise<readonly string[]>) =>
  transaction.catch((error: unknown) => {
    if (error instanceof Undo) return 'rolled back';
    throw error;
  });

/** A transaction of SQLite, which waits for nothing. */
export const transactAtOnce =
  (store: SqliteStore): Transact =>
  (calls, isRolledBack) =>
    outcomeOf(
      store.transaction((_client, documents) => {
        const answers = calls.map((call) => {
          try {
            return String(documents.save(...call));
          } catch (error) {
            if (error instanceof PaymentsError) return String(error.code);
            throw error;
          }
        });
        if (isRolledBack) throw new Undo();
        return answers;
      }),
    );

/** A transaction of PostgreSQL. */
export const transactWith =
  (store: PostgresStore): Transact =>
  (calls, isRolledBack) =>
    outcomeOf(
      store.transaction(async (_client, documents) => {
        const answers: string[] = [];
        for (const call of calls) answers.push(await answerOf(documents.save(...call)));
        if (isRolledBack) throw new Undo();
        return answers;
      }),
    );

/** What the documents of a contract are tested with. */
interface Documented {
  readonly stores: readonly [Store, ...Store[]];
  /** A store whose client sends each command twice. */
  readonly resending?: Store;
  /** Absent for a store without transactions. */
  readonly transact?: Transact;
  readonly longData?: number;
}

const never = { wakeAt: null };
const taken = { code: 'STORE_REFERENCE_TAKEN', name: 'PaymentsError', outcome: 'not_an_operation' };

/** Returns a key of the most bytes, which no index can compress. */
const longestKey = () =>
  Array.from(crypto.getRandomValues(new Uint16Array(512)), (bits) =>
    String.fromCharCode(0x4e00 + (bits & 0x3fff)),
  ).join('');

/** Returns the due documents of a space, by pages. */
async function dueOf(store: Store, space: string, until: number, limit: number): Promise<readonly unknown[]> {
  const found: { readonly key: string; readonly wakeAt: number }[] = [];
  for (;;) {
    const page = await store.due({ space, until, limit, after: found.at(-1) });
    found.push(...page);
    if (found.length > 1000) throw new Error('the pages have no end');
    if (page.length < limit) return found;
  }
}

export function describeDocuments(opened: () => Documented): void {
  const store = () => opened().stores[0];
  const storeAt = (index: number) => opened().stores[index % opened().stores.length] ?? store();

  it('agree with the model in any row of calls, by any connection', { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(documentRows, async (rows) => {
      const [model, own] = [new DocumentModel(), freshKey()];
      for (const row of rows) {
        const [name, expected] = [JSON.stringify(row), model.take(row, own, opened().transact !== undefined)];
        expect(await take(row, own), name).toEqual(expected);
      }
      for (const key of model.keys()) expect(await store().load(key)).toEqual(model.load(key));
    });
    await fc.assert(property, { numRuns: bySize({ short: 15, all: 50, long: 1000 }), endOnFailure: true });
  });

  /** Takes one row of a history. */
  async function take(row: DocumentRow, own: string): Promise<unknown> {
    const used = storeAt(row.store);
    if (row.does === 'saves') return answerOf(used.save(...row.call(own)));
    if (row.does === 'looks up') return used.lookUp(`${own} ${row.reference}`);
    if (row.does === 'lists') return dueOf(used, `${own}${row.space}`, row.until, row.limit);
    const calls = row.calls.map((call) => call(own));
    return opened().transact?.(calls, row.isRolledBack);
  }

  it('are saved by one of many concurrent writers, with the references of that one', async () => {
    const key = freshKey();
    for (const version of [0, 1, 2]) {
      const save = (_: unknown, index: number) =>
        storeAt(index).save(key, version, `by ${index}`, {
          references: [`${key} ${version} ${index}`],
          wakeAt: index,
        });
      const answers = await Promise.all(Array.from({ length: 12 }, save));
      expect(answers.filter(Boolean)).toEqual([true]);
      const winner = answers.indexOf(true);
      expect(await store().load(key)).toEqual({ version: version + 1, data: `by ${winner}` });
      for (const [index] of answers.entries()) {
        const found = await store().lookUp(`${key} ${version} ${index}`);
        expect(found).toBe(index === winner ? key : undefined);
      }
      expect(await dueOf(store(), key, 99, 9)).toEqual([{ key, wakeAt: winner }]);
    }
  });

  it('keep each reference for one of many concurrent writers, and nothing of the others', async () => {
    const own = freshKey();
    // In another order at each writer, as for a deadlock.
    const all = ['a', 'b', 'c', 'd'].map((name) => `${own} ${name}`);
    const save = (_: unknown, index: number) => {
      const references = [...all.slice(index % 4), ...all.slice(0, index % 4), `${own} ${index}`];
      return answerOf(storeAt(index).save(`${own}/${index}`, 0, 'x', { references, wakeAt: 1 }));
    };
    const answers = await Promise.all(Array.from({ length: 12 }, save));
    const winner = answers.indexOf('true');
    const expected = answers.map((_, index) => (index === winner ? 'true' : taken.code));
    expect(answers).toEqual(expected);
    expect(await dueOf(store(), own, 9, 20)).toEqual([{ key: `${own}/${winner}`, wakeAt: 1 }]);
    for (const reference of all) expect(await store().lookUp(reference)).toBe(`${own}/${winner}`);
    for (const index of answers.keys()) {
      if (index === winner) continue;
      expect(await store().load(`${own}/${index}`)).toBeUndefined();
      expect(await store().lookUp(`${own} ${index}`)).toBeUndefined();
    }
  });

  it('throw STORE_REFERENCE_TAKEN, and do not repeat the reference', async () => {
    const [key, reference] = [freshKey(), freshKey()];
    await store().save(key, 0, 'x', { references: [reference], ...never });
    const error = await failureOf(
      store().save(freshKey(), 0, 'x', { references: [reference], ...never }),
      PaymentsError,
    );
    expect(error).toMatchObject({ ...taken, retryable: false });
    expect(error.message).not.toContain(reference);
  });

  it('return false for a lost version, even if a reference is taken too', async () => {
    const [key, other] = [freshKey(), freshKey()];
    await store().save(other, 0, 'x', { references: [other], ...never });
    await store().save(key, 0, 'one', never);
    for (const version of [0, 2]) {
      const index = { references: [other, `${key} new`], wakeAt: 1 };
      expect(await store().save(key, version, 'two', index)).toBe(false);
    }
    expect(await store().load(key)).toEqual({ version: 1, data: 'one' });
    expect(await store().lookUp(`${key} new`)).toBeUndefined();
    expect(await dueOf(store(), key, 9, 9)).toEqual([]);
  });

  it('are saved once by a client that sends each command twice', async ({ skip }) => {
    const resending = opened().resending ?? skip('no client stands between this store and its records');
    const [key, references] = [freshKey(), [freshKey()]];
    expect(await resending.save(key, 0, 'one', { references, wakeAt: 1 })).toBe(true);
    expect(await resending.save(key, 0, 'one', { references, wakeAt: 1 })).toBe(false);
    expect(await resending.save(key, 1, 'two', { references, wakeAt: 2 })).toBe(true);
    expect(await store().load(key)).toEqual({ version: 2, data: 'two' });
    expect(await dueOf(store(), key, 9, 9)).toEqual([{ key, wakeAt: 2 }]);
  });

  it('become due by time and then by the code points of their keys', async () => {
    const space = freshKey();
    const ends = ['', ' ', '10', '9', 'A', 'B', 'a', 'b', 'é', '東', '\uffdc', '🍵', '🍵🍵', '\u{10ffff}'];
    const most = Number.MAX_SAFE_INTEGER;
    const times = [-most, -1e15 - 1, -1e15, -10, -9, -1, 0, 1, 9, 10, 1e15, most - 1, most];
    const expected = [
      ...times.map((wakeAt) => ({ key: `${space}/at ${wakeAt}`, wakeAt })),
      ...ends.map((end) => ({ key: `${space}/${end}`, wakeAt: 5 })),
    ].toSorted((one, other) => one.wakeAt - other.wakeAt);
    for (const { key, wakeAt } of expected.toReversed()) await store().save(key, 0, 'x', { wakeAt });
    for (const limit of [1, 4, expected.length, 1000]) {
      expect(await dueOf(store(), space, most, limit)).toEqual(expected);
    }
    for (const until of times) {
      const due = expected.filter(({ wakeAt }) => wakeAt <= until);
      expect(await store().due({ space, until, limit: 1000 })).toEqual(due);
    }
    const after = { wakeAt: 5, key: `${space}/9\u0001` };
    const next = expected.find(({ key }) => key === `${space}/A`);
    expect(await store().due({ space, until: most, after, limit: 1 })).toEqual([next]);
    expect(await store().due({ space, until: -most, after, limit: 9 })).toEqual([]);
  });

  it('are due in one space: what is before the first slash', async () => {
    const own = freshKey();
    const spaces = ['', '%', '_', '*', '?', '[a]', '\\', "'", '$1', '{a}', '!', '0', ' ', '東', '🍵'];
    const keysIn = (space: string) => ['', '/', '/a', '/a/b'].map((end) => `${own}${space}${end}`);
    for (const key of spaces.flatMap(keysIn)) await store().save(key, 0, 'x', { wakeAt: 1 });
    for (const space of spaces) {
      const expected = keysIn(space).map((key) => ({ key, wakeAt: 1 }));
      expect(await store().due({ space: own + space, until: 1, limit: 9 })).toEqual(expected);
    }
  });

  it('go on after one that is no longer due, or became due again', async () => {
    const space = freshKey();
    const keys = ['a', 'b', 'c', 'd'].map((name) => `${space}/${name}`);
    for (const key of keys) await store().save(key, 0, 'x', { wakeAt: 3 });
    const page = await store().due({ space, until: 9, limit: 2 });
    for (const { key } of page) await store().save(key, 1, 'x', { wakeAt: key.endsWith('b') ? 4 : null });
    const rest = await store().due({ space, until: 9, limit: 9, after: page.at(-1) });
    const names = rest.map(({ key, wakeAt }) => `${key.at(-1)} ${wakeAt}`);
    expect(names).toEqual(['c 3', 'd 3', 'b 4']);
  });

  it('keep what was saved when the caller changes its objects', async () => {
    const [key, references] = [freshKey(), [freshKey()]];
    const index = { references, wakeAt: 1 };
    const saved = store().save(key, 0, 'x', index);
    const [reference = ''] = references.splice(0, 1, `${key} other`);
    index.wakeAt = 9;
    expect(await saved).toBe(true);
    expect([await store().lookUp(reference), await store().lookUp(`${key} other`)]).toEqual([key, undefined]);
    expect(await store().due({ space: key, until: 1, limit: 1 })).toEqual([{ key, wakeAt: 1 }]);
  });

  it('have up to 100 references at a time, and any number in all', async () => {
    const key = freshKey();
    const all = Array.from({ length: 200 }, (_, index) => `${'🍵'.repeat(200)} ${key} ${index}`);
    const references = (from: number) => ({ references: all.slice(from, from + 100), ...never });
    expect(await store().save(key, 0, 'x', references(0))).toBe(true);
    expect(await store().save(key, 1, 'x', references(50))).toBe(true);
    expect(await store().save(key, 2, 'x', references(100))).toBe(true);
    for (const index of [0, 99, 100, 199]) expect(await store().lookUp(all[index] ?? '')).toBe(key);
  });

  it('keep long data unchanged, and hostile texts apart', async () => {
    const [key, data] = [freshKey(), '🍵'.repeat((opened().longData ?? 4 * 1024 * 1024) / 4)];
    await store().save(key, 0, data, never);
    expect((await store().load(key))?.data === data).toBe(true);
    const texts = ['é', 'e\u0301', 'A', 'a', 'a ', "'", '"', '\\x00', '{a}', '[]', '🍵', 'a\ufeff', '\u2028'];
    for (const text of texts) {
      const hostile = `${text}${key}`;
      expect(await store().save(hostile, 0, text, { references: [hostile], wakeAt: 0 })).toBe(true);
      expect(await store().load(hostile)).toEqual({ version: 1, data: text });
      expect(await store().lookUp(hostile)).toBe(hostile);
    }
  });

  it('are independent of claims and snapshots of the same key, even of the longest', async () => {
    const key = longestKey();
    await store().claim(key, 1000, { data: 'claim' });
    expect((await store().open({ space: key, limit: 9 })).claims).toHaveLength(1);
    await store().advance(key, 7, 'snapshot');
    expect(await store().load(key)).toBeUndefined();
    expect(await store().save(key, 0, 'document', { references: [key], wakeAt: 1 })).toBe(true);
    expect(await store().due({ space: key, until: 1, limit: 9 })).toEqual([{ key, wakeAt: 1 }]);
    expect(await store().due({ space: key.slice(0, 511), until: 1, limit: 9 })).toEqual([]);
    expect(await store().find(key)).toEqual({ completed: false, data: 'claim' });
    expect((await store().advance(key, 6, 'older')).current.version).toBe(7);
  });

  it.each<[path: string, call: (used: Store, key: string) => Promise<unknown>]>([
    ['load.key', (used) => used.load('')],
    ['lookUp.reference', (used) => used.lookUp('a\0')],
    ['save.key', (used) => used.save('x'.repeat(513), 0, 'x', never)],
    ['save.version', (used, key) => used.save(key, -1, 'x', never)],
    ['save.data', (used, key) => used.save(key, 0, '\ud83c', never)],
    ['save.index', (used, key) => used.save(key, 0, 'x', anything(undefined))],
    ['save.index.wakeAt', (used, key) => used.save(key, 0, 'x', anything({ references: [key] }))],
    ['save.index.wakeAt', (used, key) => used.save(key, 0, 'x', { references: [key], wakeAt: 2 ** 53 })],
    ['save.index.references[1]', (used, key) => used.save(key, 0, 'x', { references: [key, ''], ...never })],
    ['due.space', (used) => used.due({ space: 'a/b', until: 1, limit: 1 })],
  ])('refuse %s if it is wrong, and change nothing', async (path, call) => {
    const key = freshKey();
    const { issues } = await failureOf(call(store(), key), ConfigurationError);
    expect(issues).toMatchObject([{ path }]);
    expect([await store().load(key), await store().lookUp(key)]).toEqual([undefined, undefined]);
  });
}
