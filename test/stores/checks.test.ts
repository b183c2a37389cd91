/** The full message of each wrong argument and option of a store. `contract.ts` shows that each store checks its arguments. */

import { memoryStore, postgresStore, redisStore } from 'payments-client/stores';
import { anything } from '../support/anything.ts';
import { refuses } from '../support/refuses.ts';

const store = memoryStore();
const pool = { query: async () => ({ rows: [] }) };
const withPool = postgresStore(pool);
const redis = { isOpen: true, eval: async () => [1, 1] };
const fourMiB = 4 * 1024 * 1024;

const key = 'expected 1 to 512 characters of well-formed Unicode without NUL';
const time = 'expected an integer from 1 to 3155760000000, in ms';
const data = 'expected well-formed Unicode without NUL, at most 4 MiB in UTF-8';
const integer = 'expected an integer from -9007199254740991';
const space = 'expected at most 512 characters of well-formed Unicode without NUL or /';

refuses('a wrong key, token or time', 'Nothing was recorded: pass the id of the event as the key.', [
  [`claim.key: ${key}, got an empty string`, () => store.claim('', 1)],
  [
    `claim.key: ${key}, got a string of 2 characters; claim.lease: ${time}, got the number 0`,
    () => store.claim('a\0', 0),
  ],
  [`claim.key: ${key}, got a string of 4 characters`, () => store.claim('evt\ud83c', 1)],
  [
    `claim.key: ${key}, got a string of 513 characters; claim.lease: ${time}, got a number`,
    () => store.claim('x'.repeat(513), 3_155_760_000_001),
  ],
  [
    `claim.key: ${key}, got a number; claim.lease: ${time}, got 'x'`,
    () => store.claim(anything(7), anything('x')),
  ],
  [`claim.lease: ${time}, got the number 1.5`, () => store.claim('a', 1.5)],
  [`claim.lease: ${time}, got the number NaN`, () => store.claim('a', Number.NaN)],
  [`claim.lease: ${time}, got the number Infinity`, () => store.claim('a', Number.POSITIVE_INFINITY)],
  [`renew.lease: ${time}, got the number 0`, () => store.renew('a', 't', 0)],
  [
    `complete.token: ${key}, got an empty string; complete.retention: ${time}, got the number 0`,
    () => store.complete('a', '', 0),
  ],
  [
    `release.key: ${key}, got an empty string; release.token: ${key}, got null`,
    () => store.release('', anything(null)),
  ],
]);

refuses('a wrong option of a call', 'Nothing was recorded: correct the options.', [
  [`claim.token: ${key}, got an empty string`, () => store.claim('a', 1, { token: '' })],
  [
    'renew.token: expected one of client, data, got an unknown option',
    () => store.renew('a', 't', 1, anything({ token: 't' })),
  ],
  [
    'complete.query: expected one of client, data, got an unknown option',
    () => store.complete('a', 't', 1, anything({ query() {} })),
  ],
  [`release.retention: ${time}, got the number 0`, () => store.release('a', '\udc00', { retention: 0 })],
  [
    'release.keep: expected one of client, data, retention, got an unknown option',
    () => store.release('a', 't', anything({ keep: 1 })),
  ],
  [
    'advance.version: expected one of client, got an unknown option',
    () => store.advance('a', 1, 'a', anything({ version: 1 })),
  ],
  [`claim.data: ${data}, got a string of 2 characters`, () => store.claim('a', 1, { data: 'a\0' })],
  [`renew.data: ${data}, got a string of 1 character`, () => store.renew('a', 't', 1, { data: '\udf75' })],
  [
    `complete.data: ${data}, got a string of 4194305 characters`,
    () => store.complete('a', 't', 1, { data: 'x'.repeat(fourMiB + 1) }),
  ],
  [
    `complete.data: ${data}, got a string of 1400000 characters`,
    () => store.complete('a', 't', 1, { data: '東'.repeat(1_400_000) }),
  ],
  [`release.data: ${data}, got the number 5`, () => store.release('a', 't', anything({ data: 5 }))],
  ['record: expected an object, got nothing', () => withPool.record('a', 1, anything(undefined))],
]);

refuses('a wrong snapshot', 'Nothing was recorded: pass a key, its version and its data.', [
  [
    `advance.key: ${key}, got an empty string; advance.version: ${integer}, got the number 1.5; advance.data: ${data}, got a string of 2 characters`,
    () => store.advance('', 1.5, 'a\0'),
  ],
  [`advance.version: ${integer}, got a number`, () => store.advance('a', 2 ** 53, 'a')],
  [`advance.version: ${integer}, got the number NaN`, () => store.advance('a', Number.NaN, 'a')],
  [
    `advance.version: ${integer}, got a string of 1 character; advance.data: ${data}, got a string of 4194305 characters`,
    () => store.advance('a', anything('1'), 'x'.repeat(fourMiB + 1)),
  ],
]);

refuses(
  'a wrong query',
  'Pass { space, after, limit }, where after is the last claim of the previous page, or { key }.',
  [
    [
      `open.space: ${space}, got a string of 2 characters; open.limit: expected an integer from 1 to 1000, got the number 0`,
      () => store.open({ space: 'a\0', limit: 0 }),
    ],
    [
      `open.space: ${space}, got a string of 513 characters; open.limit: expected an integer from 1 to 1000, got the number 1001`,
      () => store.open({ space: 'x'.repeat(513), limit: 1001 }),
    ],
    [
      `open.space: ${space}, got a string of 3 characters; open.after: expected an object, got a string of 3 characters`,
      () => store.open({ space: 'a/b', after: anything('a/b'), limit: 1 }),
    ],
    [
      `open.after.since: ${integer}, got the number 1.5; open.after.key: ${key}, got an empty string`,
      () => store.open({ space: 'a', after: { since: 1.5, key: '' }, limit: 1 }),
    ],
    [`open.space: ${space}, got nothing`, () => store.open(anything({ limit: 1 }))],
    [
      'open.offset: expected one of space, after, limit, got an unknown option',
      () => store.open(anything({ space: '', limit: 1, offset: 1 })),
    ],
    [`open.key: ${key}, got an empty string`, () => store.open({ key: '' })],
    [
      'open.space: expected one of key, got an unknown option',
      () => store.open(anything({ key: 'a', space: 'a' })),
    ],
    ['open: expected an object, got nothing', () => store.open(anything(undefined))],
  ],
);

refuses('a connection', 'Nothing was recorded: omit the client, or use postgresStore.', [
  [
    'client: expected nothing, since this store has no transactions, got an object',
    () => store.claim('a', 1, { client: anything({}) }),
  ],
]);

refuses('wrong options of memoryStore', 'Correct the options of memoryStore.', [
  ['memoryStore: expected an object, got the number 7', () => memoryStore(anything(7))],
  ['memoryStore: expected an object, got null', () => memoryStore(anything(null))],
  [
    'memoryStore.maxEntries: expected an integer from 1 to 10000000, got the number 0',
    () => memoryStore({ maxEntries: 0 }),
  ],
  ['memoryStore.now: expected a function, got the number 7', () => memoryStore(anything({ now: 7 }))],
  [
    'memoryStore.size: expected one of maxEntries, maxOperations, logger, now, got an unknown option',
    () => memoryStore(anything({ size: 7 })),
  ],
  [
    "memoryStore.maxEntrys: expected a known name, got an unknown option (did you mean 'maxEntries'?)",
    () => memoryStore(anything({ maxEntrys: 7 })),
  ],
]);

refuses('wrong options of redisStore', 'Correct the options of redisStore.', [
  [
    'redisStore.prefix: expected well-formed Unicode without NUL, got a string of 2 characters',
    () => redisStore(redis, { prefix: 'a\0' }),
  ],
  [
    'redisStore.prefix: expected well-formed Unicode without NUL, got the number 7',
    () => redisStore(redis, anything({ prefix: 7 })),
  ],
  [
    "redisStore.prefx: expected a known name, got an unknown option (did you mean 'prefix'?)",
    () => redisStore(redis, anything({ prefx: 'a' })),
  ],
  [
    'redisStore.keyPrefix: expected one of prefix, allowEviction, logger, timeout, got an unknown option',
    () => redisStore(redis, anything({ keyPrefix: 'a' })),
  ],
]);

refuses(
  'a wrong client of Redis',
  'Pass a client of the package redis (createClient, createCluster) or of ioredis.',
  [
    [
      'redisStore.client: expected a client with eval, and isOpen or status, got nothing',
      () => redisStore(anything(undefined)),
    ],
    [
      'redisStore.client: expected a client with eval, and isOpen or status, got an object',
      () => redisStore(anything({ eval: redis.eval })),
    ],
    [
      'redisStore.client: expected a client with eval, and isOpen or status, got an object',
      () => redisStore(anything({ isOpen: true })),
    ],
  ],
);

refuses('wrong options of postgresStore', 'Correct the options of postgresStore.', [
  [
    "postgresStore.tabel: expected a known name, got an unknown option (did you mean 'table'?)",
    () => postgresStore(pool, anything({ tabel: 'a' })),
  ],
]);

refuses('a wrong client of PostgreSQL', 'Pass a Pool or a Client of pg, or a PGlite.', [
  [
    'postgresStore.pool: expected an object with query(text, values), got an object',
    () => postgresStore(anything({})),
  ],
  [
    'postgresStore.pool: expected an object with query(text, values), got a string of 27 characters',
    () => postgresStore(anything('postgres://user:secret@host')),
  ],
]);

refuses(
  'a wrong table of PostgreSQL',
  'Use the same name as your migration; names are quoted, so they are case-sensitive.',
  [
    [
      "postgresStore.table: expected a name of letters, digits and _ (at most 52), or schema.name, got 'a b'",
      () => postgresStore(pool, { table: 'a b' }),
    ],
    [
      'postgresStore.table: expected a name of letters, digits and _ (at most 52), or schema.name, got an array of 1',
      () => postgresStore(pool, anything({ table: ['a'] })),
    ],
  ],
);
