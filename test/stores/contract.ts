/** The contract of every store, whatever its backend. A test sets the clock, so each time is exact. */

import fc from 'fast-check';
import { ConfigurationError } from 'payments-client';
import type { Store } from 'payments-client/stores';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { bySize } from '../support/size.ts';
import { openAt } from '../support/stores.ts';
import { type CountingStores, describeAttempts, entryOf } from './attempts.ts';
import { describeDocuments, type Transact } from './documents.ts';
import { histories, linesOf, look, Model, type OpenPage, rows, take, textOf } from './histories.ts';
import { describeLifetimes } from './lifetimes.ts';
import { describeScans } from './scans.ts';
import { claimOf, freshKey, handle, long, start } from './time.ts';

/** Stores that share their records, each with its own connection if there are connections. */
export interface OpenStores extends CountingStores {
  /** How many bytes the store keeps within its time-out on a slow machine too. Default: 4 MiB. */
  readonly longData?: number;
  readonly stores: readonly [Store, ...Store[]];
  /** The shortest time in ms that it can tell from none. Default: 1. */
  readonly unit?: number;
  /** Whether it uses the clock of a server. */
  readonly isServer?: boolean;
  /** A store whose client sends each command twice, and returns the second reply, as some do after a broken connection. */
  readonly resending?: Store;
  /** Saves documents in one transaction. Absent for a store without transactions. */
  readonly transact?: Transact;
  /** Deletes expired records, if the store does not do so itself. */
  purge?(): Promise<unknown>;
  /** Whether the database has the record of a key, once expired ones are deleted. Absent for a store without a database. */
  kept?(key: string): Promise<boolean>;
  close(): unknown;
}

const mostData = 4 * 1024 * 1024;

const hostileTexts = [
  `it's "quoted"; DROP TABLE payments_claims; --`,
  "\\ \\' \\0 %s $1 {a}{b} }{ * ? [a]",
  '\\x00 null undefined false',
  ' leading and trailing ',
  'line\nbreak\r\n\ttab \u0001\u001b\u007f',
  'São Paulo 東京 🍵 👩‍👩‍👧 עברית \u2028\ufeff',
  // Two spellings of the same letter are two keys, and so are upper and lower case.
  'é',
  'e\u0301',
  'EVT_1',
  'evt_1',
  'evt_1 ',
  'sum',
  'attempt evt_1',
  '%',
  '__proto__',
  'constructor',
  '🍵'.repeat(127),
  '東'.repeat(512),
];

/** Runs the suite. Calls `open` once. */
export function describeStore(name: string, isSkipped: boolean, open: () => Promise<OpenStores>): void {
  describe.skipIf(isSkipped)(name, () => {
    let known: OpenStores | undefined;
    let unit = 1;
    beforeAll(async () => {
      known = await open();
      unit = known.unit ?? 1;
      await known.setTime(start);
    }, 60_000);
    afterAll(() => known?.close());

    const opened = () => {
      if (known === undefined) throw new Error('the stores are not open');
      return known;
    };
    describeAttempts(opened);
    describe('its claims', () => describeClaims(opened, () => unit));
    describe('its snapshots', () => describeSnapshots(opened));
    describe('its documents', () => describeDocuments(opened));
  });
}

/** Returns the pages of a space. */
async function pagesOf(store: Store, space: string, limit: number): Promise<OpenPage[]> {
  const pages = [await store.open({ space, limit, counts: true })];
  for (;;) {
    const after = pages.at(-1)?.claims.at(-1);
    if (after === undefined) return pages;
    if (pages.length > 100) throw new Error('the pages have no end');
    pages.push(await store.open({ space, limit, after, counts: true }));
  }
}

const keysOf = ({ claims }: OpenPage) => claims.map(({ key }) => key);

function describeClaims(opened: () => OpenStores, unitOf: () => number): void {
  // The times of the attempts are before it.
  let now = start + 1e12;
  const pass = (units: number) => opened().setTime((now += units * unitOf()));
  const store = () => opened().stores[0];
  const storeAt = (index: number) => opened().stores[index % opened().stores.length] ?? store();
  /** Makes the calls of a history, and checks its answers. */
  const follow = async (key: string, history: string, used = store()) => {
    for (const line of linesOf(history)) {
      if (line === 'purge') await opened().purge?.();
      else if ('passes' in line) await pass(line.passes);
      else if ('finds' in line) expect(await look(used, key), history).toBe(line.finds);
      else if ('lists' in line) {
        const texts = (await openAt(used, key)).map((claim) => textOf(claim, unitOf()));
        expect(texts.join() || 'none').toBe(line.lists);
      } else expect(await take(used, key, line.step, unitOf()), history).toBe(line.answer);
    }
  };
  beforeEach(() => pass(1));
  describeLifetimes({
    follow,
    passMs: (ms) => opened().setTime((now += ms)),
    unitOf,
    keptOf: () => opened().kept,
  });
  describe('a scan', () => {
    describeScans({ store, passMs: (ms) => opened().setTime((now += ms)), unitOf });
  });

  it.each(Object.entries(histories))('%s', (_promise, history) => follow(freshKey(), history));

  it('agrees with the model in any row of calls, by any connection', { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(rows, async (row) => {
      const [model, space, unit] = [new Model(), freshKey(), unitOf()];
      await pass(1);
      const began = now;
      for (const line of row) {
        if ('passes' in line) {
          model.now += line.passes;
          await pass(line.passes);
          await opened().purge?.();
        } else if ('finds' in line) {
          const key = `${space}/${line.finds}`;
          expect(await look(storeAt(line.store), key)).toBe(model.kept(key));
        } else {
          const answer = await take(storeAt(line.store), `${space}/${line.key}`, line.step, unit);
          expect(answer).toBe(model.take(`${space}/${line.key}`, line.step));
        }
      }
      const expected = model.open();
      const page = await store().open({ space, limit: 10, counts: true });
      expect(page.count).toBe(expected.length);
      expect(page.claims.map((claim) => ({ key: claim.key, text: textOf(claim, unit) }))).toEqual(expected);
      for (const { since, age } of page.claims) expect([since >= began, since + age]).toEqual([true, now]);
      for (const { key } of expected) expect(await openAt(store(), key)).toMatchObject([{ key }]);
    });
    await fc.assert(property, { numRuns: bySize({ short: 30, all: 100, long: 1000 }), endOnFailure: true });
  });

  it('gives each claim a token of its own', async () => {
    const key = freshKey();
    const tokens = new Set<string>();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const claim = claimOf(await store().claim(key, long));
      expect(claim).toEqual({ status: 'claimed', token: claim.token, attempt, data: undefined });
      tokens.add(claim.token);
      await store().release(key, claim.token);
    }
    expect(tokens.size).toBe(3);
  });

  it('accepts the token of another key nowhere', async () => {
    const [key, other] = [freshKey(), freshKey()];
    await follow(key, 'a claims 9: claimed 1');
    await follow(other, 'a completes 9: no; b claims 9: claimed 1; a completes 9: no; b completes 9: yes');
    await follow(key, 'b claims 9: busy 9');
  });

  it('answers a client that sends each command twice as if it had sent it once', async ({ skip }) => {
    const resending = opened().resending ?? skip('no client stands between this store and its records');
    await follow(
      freshKey(),
      'a claims 9 "x": claimed 1 "x"; b claims 9: busy 9 "x"; a renews 1: yes; pass 1; b claims 9: claimed 2 "x"; b completes 9: yes; a claims 9: done "x"',
      resending,
    );
    expect(await resending.advance(freshKey(), 1, 'a')).toMatchObject({ current: { version: 1, data: 'a' } });
    expect(await resending.check(freshKey(), [entryOf(freshKey(), 5n)])).toMatchObject([{ total: 5n }]);
  });

  it.each([
    ['a new key', '', undefined, 'claimed 1'],
    ['a new key with data', '', 'x', 'claimed 1 "x"'],
    ['a key whose lease has expired', 'a claims 1: claimed 1; pass 1', 'x', 'claimed 2'],
    [
      'a key released with a retention',
      'a claims 1 "x": claimed 1 "x"; a releases 9: yes',
      'y',
      'claimed 2 "x"',
    ],
    [
      'a key whose retention is over',
      'a claims 1 "x": claimed 1 "x"; a completes 1: yes; pass 1',
      'y',
      'claimed 1 "y"',
    ],
  ])('grants %s to one of many concurrent callers', async (_what, history, data, granted) => {
    const key = freshKey();
    if (history !== '') await follow(key, history);
    const callers = Array.from({ length: 12 }, (_, index) => ({
      who: `caller${index}`,
      used: storeAt(index),
    }));
    const answers = await Promise.all(
      callers.map(({ who, used }) => take(used, key, { who, does: 'claims', time: 9, data }, unitOf())),
    );
    const busy = granted.replace(/claimed \d/, 'busy 9');
    expect(answers.toSorted()).toEqual([...Array<string>(11).fill(busy), granted].toSorted());
  });

  it('records one completion when many stale holders try at once', async () => {
    const key = freshKey();
    await follow(key, 'a claims 1: claimed 1; pass 1; b claims 9: claimed 2');
    const callers = ['a', 'b', 'a', 'b', 'a'].map((who, index) => storeAt(index).complete(key, who, long));
    expect(await Promise.all(callers)).toEqual([false, true, false, true, false]);
  });

  it('keeps hostile keys, data, spaces and ids apart', async () => {
    const own = crypto.randomUUID().slice(0, 8);
    const texts = hostileTexts.map((text) => (text.length > 500 ? text : `${text} ${own}`));
    for (const [index, text] of texts.entries()) {
      expect(claimOf(await store().claim(text, long, { data: text }))).toMatchObject({
        attempt: 1,
        data: text,
      });
      const snapshot = { version: index, data: text };
      expect(await store().advance(text, index, text)).toEqual(firstOf(snapshot));
      expect(await store().check(text, [entryOf(`rule:${text}`), entryOf(own)])).toMatchObject([
        { total: 1n },
        { total: BigInt(index + 1) },
      ]);
    }
    for (const [index, text] of texts.entries()) {
      expect(await store().claim(text, long)).toMatchObject({ status: 'in_progress', data: text });
      expect(await store().open({ space: text, limit: 9 })).toMatchObject({
        claims: [{ key: text, data: text }],
      });
      expect(await store().advance(text, index, 'same version')).toEqual(
        unchanged({ version: index, data: text }),
      );
    }
  });

  it('keeps long data unchanged', async () => {
    const [key, data] = [freshKey(), '🍵'.repeat((opened().longData ?? mostData) / 4)];
    const { token } = claimOf(await store().claim(key, long, { data }));
    expect((await openAt(store(), key))[0]?.data === data).toBe(true);
    await store().complete(key, token, long, { data: `${data.slice(0, -2)}!` });
    expect((await store().claim(key, long)).data === `${data.slice(0, -2)}!`).toBe(true);
  });

  it('takes times up to a century', async () => {
    const [key, century] = [freshKey(), 3_155_760_000_000];
    const { token } = claimOf(await store().claim(key, century));
    expect(await store().claim(key, 1)).toMatchObject({ status: 'in_progress', retryAfter: century });
    expect(await store().complete(key, token, century)).toBe(true);
    expect(await store().claim(key, 1)).toEqual({ status: 'completed' });
  });

  it('uses the clock of the server, whatever the clock of the process says', async ({ skip }) => {
    if (opened().isServer !== true) skip('it uses the clock of the process');
    for (const year of [2000, 2100]) {
      vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(year, 0, 1) });
      onTestFinished(() => void vi.useRealTimers());
      await follow(freshKey(), 'a claims 2 "x": claimed 1 "x"; pass 1; b claims 9: busy 1 "x"');
      const [total] = await store().check(freshKey(), [entryOf(freshKey(), 1n, { windowMs: 60 })]);
      expect(total?.freeAt).toBe(now + 60);
    }
  });

  it('checks the arguments of each call, and records nothing if one is wrong', async () => {
    const [used, key, other, client] = [store(), freshKey(), freshKey(), anything({})];
    await follow(key, 'a claims 9 "kept": claimed 1 "kept"');
    for (const [path, call] of [
      ['claim.lease', () => used.claim(other, 0, { data: 'new' })],
      ['renew.data', () => used.renew(key, 'a', long, { data: 'a\0' })],
      ['complete.retention', () => used.complete(key, 'a', -1)],
      ['release.retention', () => used.release(key, 'a', { retention: 0 })],
      ['open.limit', () => used.open({ space: '', limit: 0 })],
      ['advance.version', () => used.advance(other, 1.5, 'new')],
      ['client', () => used.claim(other, long, { client })],
      ['client', () => used.renew(key, 'a', long, { client })],
      ['client', () => used.complete(key, 'a', long, { client })],
      ['client', () => used.release(key, 'a', { client })],
      ['client', () => used.advance(other, 1, 'new', { client })],
    ] as const) {
      const [issue] = (await failureOf(call(), ConfigurationError)).issues;
      expect(issue?.path).toMatch(new RegExp(`${path}$`));
    }
    await follow(key, 'b claims 9: busy 9 "kept"');
    await follow(other, 'a claims 9: claimed 1');
    expect(await used.advance(other, -1, 'first')).toEqual(firstOf({ version: -1, data: 'first' }));
  });

  describe('a list', () => {
    it('has the oldest first, then by code point, page by page, and counts all', async () => {
      const space = freshKey();
      // Lower case sorts after all upper case, and an emoji after the last letter of the basic plane.
      const ends = ['', ' ', '10', '9', 'A', 'B', 'Z', 'a', 'b', 'é', '東', '\uffdc', '🍵', '🍵🍵'];
      const claimAll = (names: readonly string[]) =>
        Promise.all(names.map((end) => store().claim(`${space}/${end}`, long, { data: end })));
      await claimAll(ends.toReversed().map((end) => `x${end}`));
      const firstAt = now;
      await pass(1);
      await claimAll(ends.toReversed());
      const expected = [...ends.map((end) => `${space}/x${end}`), ...ends.map((end) => `${space}/${end}`)];
      for (const limit of [1, 3, ends.length, 1000]) {
        const pages = await pagesOf(store(), space, limit);
        expect(pages.flatMap(keysOf)).toEqual(expected);
        expect(new Set(pages.map(({ count }) => count))).toEqual(new Set([expected.length]));
      }
      const nextAfter = async (since: number, key: string) =>
        keysOf(await store().open({ space, after: { since, key }, limit: 1 }));
      expect(await nextAfter(0, 'a')).toEqual(expected.slice(0, 1));
      expect(await nextAfter(firstAt, `${expected[0]}\u0001`)).toEqual(expected.slice(1, 2));
      expect(await nextAfter(firstAt, expected[ends.length - 1] ?? '')).toEqual([expected[ends.length]]);
      expect(await nextAfter(Number.MAX_SAFE_INTEGER, 'a')).toEqual([]);
    });

    it('goes on after a claim that is no longer open', async () => {
      const space = freshKey();
      const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `${space}/${name}`);
      const keys = [a, b, c, d].flatMap((key) => (key === undefined ? [] : [key]));
      for (const key of keys) await store().claim(key, long, { data: key, token: 'mine' });
      const { claims } = await store().open({ space, limit: 2 });
      for (const { key } of claims) await store().complete(key, 'mine', long);
      const rest = await store().open({ space, after: claims.at(-1), limit: 10 });
      expect([keysOf(rest), rest.count]).toEqual([[c, d], undefined]);
      expect(await store().open({ space, limit: 1, counts: true })).toMatchObject({ count: 2 });
    });

    it('has only the keys of one space: what is before the first slash', async () => {
      const own = freshKey();
      const spaces = ['', '%', '_', '*', '?', '[a]', '\\', "'", '"', '$1', '{a}', '(', ' ', '\u{10ffff}'];
      const ends = ['', '/', '/a', '/a/b', '//'];
      const keysIn = (space: string) => ends.map((end) => `${own}${space}${end}`);
      await Promise.all(spaces.flatMap(keysIn).map((key) => store().claim(key, long, { data: key })));
      for (const space of spaces) {
        const page = await store().open({ space: own + space, limit: 1000, counts: true });
        expect([keysOf(page).toSorted(), page.count]).toEqual([keysIn(space).toSorted(), ends.length]);
      }
      const countNameless = async () => (await store().open({ space: '', limit: 1, counts: true })).count;
      const count = Number(await countNameless());
      await store().claim(`/${own}`, long, { data: 'of the nameless space', token: 'mine' });
      expect(await countNameless()).toBe(count + 1);
      await store().complete(`/${own}`, 'mine', long);
      expect(await countNameless()).toBe(count);
    });

    it('of a key has its open claim alone', async () => {
      const key = `${freshKey()}/a`;
      expect(await store().open({ key })).toEqual({ claims: [] });
      await store().claim(key, 7 * unitOf(), { data: 'x', token: 'mine' });
      await store().claim(`${key}b`, long, { data: 'of another' });
      await pass(2);
      const open = { key, data: 'x', attempt: 1, since: now - 2 * unitOf() };
      const claims = [{ ...open, leased: 5 * unitOf(), age: 2 * unitOf() }];
      expect(await store().open({ key })).toEqual({ claims });
      await store().release(key, 'mine', { retention: long });
      expect(await store().open({ key })).toEqual({ claims: [] });
    });
  });
}

interface Snapshot {
  readonly version: number;
  readonly data: string;
}

/** What a store returns for the first snapshot of a key. */
const firstOf = (current: Snapshot) => ({ advanced: true, current, previous: undefined });
/** What it returns if it keeps the one that it has. */
const unchanged = (kept: Snapshot) => ({ advanced: false, current: kept, previous: kept });

function describeSnapshots(opened: () => OpenStores): void {
  const store = () => opened().stores[0];

  it('keep the data of the highest version, by its value, and return it', async () => {
    const key = freshKey();
    const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    let before = { version: least, data: 'least' };
    expect(await store().advance(key, least, 'least')).toEqual(firstOf(before));
    for (const version of [least + 1, -10, -9, 0, 9, 10, 1e15, most - 1, most]) {
      const snapshot = { version, data: version === 9 ? '' : `v${version}` };
      const replaced = { advanced: true, current: snapshot, previous: before };
      expect(await store().advance(key, version, snapshot.data)).toEqual(replaced);
      expect(await store().advance(key, before.version, 'older')).toEqual(unchanged(snapshot));
      expect(await store().advance(key, version, 'again')).toEqual(unchanged(snapshot));
      before = snapshot;
    }
  });

  it('end with the highest of many concurrent writers, in any order', { timeout: 60_000 }, async () => {
    const versions = fc.uniqueArray(fc.maxSafeInteger(), { minLength: 12, maxLength: 12 });
    const property = fc.asyncProperty(versions, async (all) => {
      const [key, { stores }] = [freshKey(), opened()];
      const write = (version: number, index: number) =>
        (stores[index % stores.length] ?? store()).advance(key, version, `of ${version}`);
      const written = await Promise.all(all.map(write));
      for (const [index, { advanced, current }] of written.entries()) {
        expect(current.version).toBeGreaterThanOrEqual(all[index] ?? 0);
        expect(current.data).toBe(`of ${current.version}`);
        if (advanced) expect(current.version).toBe(all[index]);
      }
      // Each that was stored replaced the one stored before it.
      const stored = written.filter(({ advanced }) => advanced);
      const chain = stored.map(({ current }) => current.version).toSorted((one, other) => one - other);
      const previous = new Map(stored.map(({ current, previous }) => [current.version, previous?.version]));
      expect(chain.map((version) => previous.get(version))).toEqual([undefined, ...chain.slice(0, -1)]);
      const highest = Math.max(...all);
      const last = await store().advance(key, Number.MIN_SAFE_INTEGER, 'of the lowest');
      expect(last).toEqual(unchanged({ version: highest, data: `of ${highest}` }));
    });
    await fc.assert(property, { numRuns: 5, endOnFailure: true });
  });

  it('are independent of a claim of the same key', async () => {
    const key = freshKey();
    await store().advance(key, 1, 'snapshot');
    await handle(store(), key, long, 'claim');
    expect(await store().advance(key, 0, 'older')).toEqual(unchanged({ version: 1, data: 'snapshot' }));
    expect(await store().claim(key, long)).toEqual({ status: 'completed', data: 'claim' });
  });
}
