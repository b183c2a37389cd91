/** What every store promises of all keys with data, open or not: part of its contract. */

import { ConfigurationError } from 'payments-client';
import type { Store } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { claimOf, freshKey, long } from './time.ts';

/** Where to look. */
interface Scanned {
  readonly store: () => Store;
  /** Lets time pass, in ms. */
  readonly passMs: (ms: number) => unknown;
  readonly unitOf: () => number;
}

/** Returns the keys of a space with their data, which may come twice, by key. */
async function scanned(store: Store, space: string, limit: number): Promise<readonly string[]> {
  const found = new Set<string>();
  let after: string | undefined;
  do {
    const page = await store.scan({ space, after, limit });
    for (const { key, data } of page.found) found.add(`${key} ${data}`);
    after = page.next;
  } while (after !== undefined);
  return [...found].sort();
}

export function describeScans({ store, passMs, unitOf }: Scanned): void {
  const claim = async (key: string, data?: string) =>
    claimOf(await store().claim(key, long, { ...(data !== undefined && { data }) })).token;

  it('has each key with data, open or not, page by page, until it is forgotten', async () => {
    const space = freshKey();
    const at = (name: string) => `${space}/${name}`;
    await claim(at('open'), 'a');
    await store().release(at('released'), await claim(at('released'), 'b'));
    await store().release(at('refused'), await claim(at('refused'), 'c'), { retention: long });
    await store().complete(at('done'), await claim(at('done'), 'd'), long);
    await store().complete(at('short'), await claim(at('short'), 'e'), unitOf());
    await claim(at('plain'));
    const kept = [at('done d'), at('open a'), at('refused c'), at('released b')];
    for (const limit of [1, 2, 5, 1000]) {
      expect(await scanned(store(), space, limit)).toEqual([...kept, at('short e')].sort());
    }
    await passMs(unitOf());
    expect(await scanned(store(), space, 3)).toEqual(kept);
  });

  it('has the keys of one space: what is before the first slash', async () => {
    const own = freshKey();
    const spaces = ['', '%', '_', '*', '?', '[a]', '\\', "'", '$1', '!', '0', ' ', '東', '🍵'];
    const keysIn = (space: string) => ['', '/', '/a', '/a/b'].map((end) => `${own}${space}${end}`);
    for (const key of spaces.flatMap(keysIn)) await claim(key, 'x');
    for (const space of spaces) {
      const expected = keysIn(space).map((key) => `${key} x`);
      expect(await scanned(store(), own + space, 1000)).toEqual(expected.sort());
    }
  });

  it('keeps on a page what is changed during the scan', async () => {
    const space = freshKey();
    const keys = Array.from({ length: 9 }, (_, index) => `${space}/${index}`);
    for (const key of keys) await claim(key, 'old');
    const seen = new Set<string>();
    let after: string | undefined;
    do {
      const page = await store().scan({ space, after, limit: 2 });
      for (const { key } of page.found) seen.add(key);
      for (const key of keys) await store().replace(key, 'old', 'new');
      after = page.next;
    } while (after !== undefined);
    expect([...seen].sort()).toEqual(keys);
  });

  it('replaces data that is as expected, whoever holds the claim, and nothing else of the key', async () => {
    const key = freshKey();
    const token = await claim(key, 'one');
    expect(await store().replace(key, 'other', 'two')).toBe(false);
    const { claims: before } = await store().open({ key });
    expect(await store().replace(key, 'one', 'two')).toBe(true);
    expect((await store().open({ key })).claims).toEqual(before.map((one) => ({ ...one, data: 'two' })));
    expect(await store().replace(key, 'one', 'three')).toBe(false);
    expect(await store().renew(key, token, long)).toBe(true);
    expect(await store().complete(key, token, 2 * unitOf())).toBe(true);
    await passMs(unitOf());
    expect(await store().replace(key, 'two', 'three')).toBe(true);
    expect(await store().claim(key, long)).toEqual({ status: 'completed', data: 'three' });
    await passMs(unitOf());
    expect(await store().replace(key, 'three', 'four')).toBe(false);
    expect(await store().find(key)).toBeUndefined();
  });

  it('replaces the data of a key that was released with a retention, which ends as before', async () => {
    const key = freshKey();
    await store().release(key, await claim(key, 'one'), { retention: 2 * unitOf() });
    await passMs(unitOf());
    expect(await store().replace(key, 'one', 'two')).toBe(true);
    expect(await store().find(key)).toEqual({ completed: false, data: 'two' });
    expect((await store().open({ key })).claims).toEqual([]);
  });

  it('replaces nothing of a key that it does not know, or that has no data', async () => {
    const key = freshKey();
    expect(await store().replace(key, 'one', 'two')).toBe(false);
    await claim(key);
    expect(await store().replace(key, '', 'two')).toBe(false);
    expect(await store().find(key)).toEqual({ completed: false, data: undefined });
  });

  it('lets one of many replace the same data', async () => {
    const key = freshKey();
    await claim(key, 'one');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => store().replace(key, 'one', `by ${index}`)),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect((await store().find(key))?.data).toBe(`by ${answers.indexOf(true)}`);
  });

  it.each<[path: string, call: (store: Store) => Promise<unknown>]>([
    ['scan.space', (used) => used.scan({ space: 'a/b', limit: 1 })],
    ['scan.limit', (used) => used.scan({ space: 'a', limit: 1001 })],
    ['scan.after', (used) => used.scan({ space: 'a', limit: 1, after: '' })],
    ['replace.key', (used) => used.replace('', 'a', 'b')],
    ['replace.replacement', (used) => used.replace('a', 'a', 'b\0')],
  ])('refuses %s if it is wrong', async (path, call) => {
    const { issues } = await failureOf(call(store()), ConfigurationError);
    expect(issues).toMatchObject([{ path }]);
  });
}
