/** The wrong arguments and options of stores. `contract.ts` shows that each store checks its arguments. */

import { ConfigurationError } from 'payments-client';
import { memoryStore, postgresStore, redisStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';

const store = memoryStore();
const pool = { query: async () => ({ rows: [] }) };
const redis = { isOpen: true, eval: async () => [1, 1] };
const fourMiB = 4 * 1024 * 1024;
const century = 3_155_760_000_000;

/** Checks which fields a call is refused for, and the cure that it names. */
async function expectRefused(call: () => unknown, paths: string, cure: RegExp): Promise<void> {
  const error = await failureOf(Promise.resolve().then(call), ConfigurationError);
  expect(error.issues.map(({ path }) => path).join(' ')).toBe(paths);
  expect(error.message).toMatch(cure);
}

const claim = (key: unknown, lease: unknown = 1, options?: object) =>
  store.claim(anything(key), anything(lease), options);

describe('a text that not every store could keep is refused:', () => {
  it.each([undefined, null, 7, '', 'a\0', 'evt\ud83c', '\udc00', 'x'.repeat(513)])('%j', async (text) => {
    const cure = /^claim\.key: .+ Nothing was recorded: pass the id of the event as the key\.$/s;
    await expectRefused(() => claim(text), 'claim.key', cure);
    const [token, key] = [anything(text), 'key'];
    await expectRefused(() => store.find(token), 'find.key', /pass the id of the event as the key/);
    await expectRefused(() => store.renew(key, token, 1), 'renew.token', /Nothing was recorded/);
    await expectRefused(() => store.complete(key, token, 1), 'complete.token', /Nothing was recorded/);
    await expectRefused(() => store.release(key, token), 'release.token', /Nothing was recorded/);
    await expectRefused(() => store.find(token), 'find.key', /^find\.key: /);
    await expectRefused(
      () => store.advance(token, 1, ''),
      'advance.key',
      /pass a key, its version and its data/,
    );
    if (text !== undefined)
      await expectRefused(() => claim('a', 1, { token }), 'claim.token', /correct the options/);
  });

  it.each(['x'.repeat(512), ' ', '\u{10ffff}'])(
    'but not a key of 512 characters, a blank or any character',
    async (text) => {
      expect(await claim(text)).toMatchObject({ attempt: 1 });
    },
  );

  it('data with NUL or half a character, and of more than 4 MiB in UTF-8', async () => {
    const cure = /at most 4 MiB in UTF-8/;
    for (const data of ['a\0', '\udf75', 5]) {
      const options = { data: anything(data) };
      await expectRefused(() => claim('a', 1, options), 'claim.data', cure);
      await expectRefused(() => store.renew('a', 't', 1, options), 'renew.data', cure);
      await expectRefused(() => store.complete('a', 't', 1, options), 'complete.data', cure);
      await expectRefused(() => store.release('a', 't', options), 'release.data', cure);
      await expectRefused(() => store.advance('a', 1, anything(data)), 'advance.data', cure);
    }
    const most = ['x'.repeat(fourMiB), '東'.repeat(Math.floor(fourMiB / 3))];
    for (const [version, data] of most.entries()) {
      expect((await store.advance('a', version, data)).current.version).toBe(version);
      await expectRefused(() => store.advance('a', 9, `${data}xx`), 'advance.data', cure);
    }
  });
});

it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, century + 1, '1', null])(
  'refuses the time %j',
  async (time) => {
    const [wrong, cure] = [anything(time), /expected an integer from 1 to 3155760000000, in ms/];
    await expectRefused(() => claim('a', time), 'claim.lease', cure);
    await expectRefused(() => store.renew('a', 't', wrong), 'renew.lease', cure);
    await expectRefused(() => store.complete('a', 't', wrong), 'complete.retention', cure);
    await expectRefused(() => store.release('a', 't', { retention: wrong }), 'release.retention', cure);
  },
);

it.each([1.5, 2 ** 53, Number.NaN, '1', undefined])('refuses the version %j', async (version) => {
  await expectRefused(() => store.advance('a', anything(version), 'a'), 'advance.version', /an integer/);
});

it('names each wrong argument', async () => {
  await expectRefused(() => claim('', 0), 'claim.key claim.lease', /;/);
  await expectRefused(() => store.advance('', 1.5, 'a\0'), 'advance.key advance.version advance.data', /;/);
});

it.each<[string, (options: never) => unknown]>([
  ['claim', (options) => store.claim('a', 1, options)],
  ['renew', (options) => store.renew('a', 't', 1, options)],
  ['complete', (options) => store.complete('a', 't', 1, options)],
  ['release', (options) => store.release('a', 't', options)],
  ['advance', (options) => store.advance('a', 1, 'a', options)],
])('refuses an unknown option of %s, and a connection', async (method, call) => {
  const cure = /Nothing was recorded: correct the options/;
  await expectRefused(() => call(anything({ keep: 1 })), `${method}.keep`, cure);
  await expectRefused(() => call(anything({ version: 1 })), `${method}.version`, cure);
  await expectRefused(
    () => call(anything({ client: {} })),
    'client',
    /omit the client, or use postgresStore/,
  );
});

it.each<[query: unknown, paths: string]>([
  [undefined, 'open'],
  [{ limit: 1 }, 'open.space'],
  [{ space: 'a' }, 'open.limit'],
  [{ space: 'a\0', limit: 0 }, 'open.space open.limit'],
  [{ space: 'x'.repeat(513), limit: 1001 }, 'open.space open.limit'],
  [{ space: 'a/b', after: 'a/b', limit: 1 }, 'open.space open.after'],
  [{ space: 'a', after: { since: 1.5, key: '' }, limit: 1 }, 'open.after.since open.after.key'],
  [{ space: '', limit: 1, offset: 1 }, 'open.offset'],
  [{ space: '', limit: 1, counts: 1 }, 'open.counts'],
  [{ key: '' }, 'open.key'],
  [{ key: 'a', space: 'a' }, 'open.space'],
])('refuses the query %j', async (query, paths) => {
  await expectRefused(
    () => store.open(anything(query)),
    paths,
    /Pass \{ space, after, limit, counts \}.+ or \{ key \}\.$/,
  );
});

it.each([
  { space: '', limit: 1 },
  { space: 'x'.repeat(512), limit: 1000, after: { since: Number.MIN_SAFE_INTEGER, key: 'a' }, counts: false },
])('accepts the query %j', async (query) => {
  expect(await store.open(query)).toEqual({ claims: [], count: undefined });
});

it.each<[query: unknown, paths: string]>([
  [undefined, 'due'],
  [{ space: 'a', limit: 1 }, 'due.until'],
  [{ space: 'a/b', until: 1.5, limit: 0 }, 'due.space due.until due.limit'],
  [{ space: 'a', until: 2 ** 53, limit: 1001 }, 'due.until due.limit'],
  [{ space: 'a', until: 1, after: { wakeAt: null, key: '' }, limit: 1 }, 'due.after.wakeAt due.after.key'],
  [{ space: '', until: 1, limit: 1, since: 1 }, 'due.since'],
])('refuses the query of due documents %j', async (query, paths) => {
  await expectRefused(
    () => store.due(anything(query)),
    paths,
    /Pass \{ space, until, after, limit \}, where/,
  );
});

describe('a document is refused', () => {
  it.each<[what: string, index: unknown, paths: string]>([
    ['without an index', undefined, 'save.index'],
    ['without a time', {}, 'save.index.wakeAt'],
    ['with a time that is no integer', { wakeAt: 0.5 }, 'save.index.wakeAt'],
    ['with a time that no number holds exactly', { wakeAt: 2 ** 53 }, 'save.index.wakeAt'],
    ['with a misspelt option', { wakeAt: null, reference: ['a'] }, 'save.index.reference'],
    ['with one reference alone', { wakeAt: null, references: 'a' }, 'save.index.references'],
    ['with a reference of no text', { wakeAt: null, references: ['a', 7] }, 'save.index.references[1]'],
    ['with 101 references', { wakeAt: null, references: Array(101).fill('a') }, 'save.index.references'],
  ])('%s', async (_what, index, paths) => {
    const cure =
      /Nothing was recorded: pass a key, the version that load returned or 0, the data, and \{ ref/;
    await expectRefused(() => store.save('a', 0, 'x', anything(index)), paths, cure);
  });

  it.each([-1, 0.5, 2 ** 53, '1', null, undefined])('with the version %j', async (version) => {
    const cure = /an integer from 0/;
    await expectRefused(
      () => store.save('a', anything(version), 'x', { wakeAt: null }),
      'save.version',
      cure,
    );
  });

  it('whose data are more than 4 MiB', async () => {
    const save = () => store.save('a', 0, 'x'.repeat(fourMiB + 1), { wakeAt: null });
    await expectRefused(save, 'save.data', /at most 4 MiB in UTF-8/);
  });
});

it('a reference or a key that no store keeps is refused, and the cure is that of the call', async () => {
  await expectRefused(() => store.lookUp(''), 'lookUp.reference', /pass a reference of a document\.$/);
  await expectRefused(() => store.load('a\0'), 'load.key', /pass the key of a document\.$/);
});

const table = 'postgresStore.table';
it.each<[paths: string, make: () => unknown, cure: RegExp]>([
  ['memoryStore', () => memoryStore(anything(7)), /Correct the options of memoryStore/],
  ['memoryStore', () => memoryStore(anything(null)), /Correct the options of memoryStore/],
  ['memoryStore.maxEntries', () => memoryStore({ maxEntries: 0 }), /1 to 10000000/],
  ['memoryStore.maxEntries', () => memoryStore({ maxEntries: 10_000_001 }), /1 to 10000000/],
  ['memoryStore.maxOperations', () => memoryStore({ maxOperations: 0 }), /1 to 10000000/],
  ['memoryStore.now', () => memoryStore(anything({ now: 7 })), /a function/],
  ['memoryStore.size', () => memoryStore(anything({ size: 7 })), /maxEntries, maxOperations, logger, now/],
  ['memoryStore.maxEntrys', () => memoryStore(anything({ maxEntrys: 7 })), /did you mean 'maxEntries'\?/],
  ['redisStore.prefix', () => redisStore(redis, { prefix: 'a\0' }), /without NUL/],
  [
    'redisStore.prefix',
    () => redisStore(redis, anything({ prefix: 7 })),
    /Correct the options of redisStore/,
  ],
  ['redisStore.prefx', () => redisStore(redis, anything({ prefx: 'a' })), /did you mean 'prefix'\?/],
  ['redisStore.client', () => redisStore(anything(undefined)), /createClient, createCluster\) or of ioredis/],
  ['redisStore.client', () => redisStore(anything({ eval: redis.eval })), /isOpen or status/],
  ['redisStore.client', () => redisStore(anything({ isOpen: true })), /isOpen or status/],
  ['postgresStore.tabel', () => postgresStore(pool, anything({ tabel: 'a' })), /did you mean 'table'\?/],
  ['postgresStore.pool', () => postgresStore(anything({})), /Pass a Pool or a Client of pg, or a PGlite/],
  // It names no part of the address, which has a password.
  ['postgresStore.pool', () => postgresStore(anything('postgres://user:secret@host')), /^(?!.*secret)/],
  [table, () => postgresStore(pool, anything({ table: ['a'] })), /case-sensitive/],
  ...[0, 5001, 1.5, '3000'].flatMap((timeout): [string, () => unknown, RegExp][] => [
    ['redisStore.timeout', () => redisStore(redis, anything({ timeout })), /from 1 to 5000, in ms/],
    ['postgresStore.timeout', () => postgresStore(pool, anything({ timeout })), /from 1 to 5000, in ms/],
  ]),
])('names a wrong option: %s', async (paths, make, cure) => {
  await expectRefused(make, paths, cure);
});

it.each([
  '',
  '.',
  'a.',
  '.a',
  'a.b.c',
  'a b',
  'a;b',
  'a"b',
  '"a"',
  `a'b`,
  'a--b',
  'a\0b',
  'a\nb',
  'a\n',
  '1a',
  'é',
  '‮a',
  'a"; DROP TABLE payments; --',
  'a'.repeat(53),
  `${'a'.repeat(64)}.b`,
  `a.${'b'.repeat(53)}`,
])('refuses the table %j, which would need escaping or be cut', async (name) => {
  await expectRefused(
    () => postgresStore(pool, { table: name }),
    table,
    /Use the same name as your migration/,
  );
});
