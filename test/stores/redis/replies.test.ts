import { ConfigurationError } from 'payments-client';
import { redisStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { entryOf } from '../attempts.ts';

const replying = (reply: unknown) =>
  redisStore({ isOpen: true, eval: async () => reply }, { allowEviction: true });

it('reads data in bytes unchanged, with its byte order mark', async () => {
  const data = '\ufeffSão Paulo 🍵';
  const store = replying(['3', 0, Buffer.from(data)]);
  expect(await store.claim('a', 1)).toEqual({ status: 'completed', data });
});

it.each([
  ['number', 2, 1],
  ['text', '2', '1'],
  ['bytes', Buffer.from('2'), Buffer.from('1')],
])('reads integers as a %s', async (_type, status, yes) => {
  expect(await replying([status, status, null]).claim('a', 1)).toEqual({
    status: 'in_progress',
    retryAfter: 2,
  });
  expect(await replying(yes).complete('a', 't', 1)).toBe(true);
});

const calls = {
  claim: (reply: unknown) => replying(reply).claim('a', 1),
  complete: (reply: unknown) => replying(reply).complete('a', 't', 1),
  open: (reply: unknown) => replying(reply).open({ space: '', limit: 1 }),
  check: (reply: unknown) => replying(reply).check('1', [entryOf('a')]),
  advance: (reply: unknown) => replying(reply).advance('a', 1, 'data'),
  load: (reply: unknown) => replying(reply).load('a'),
  save: (reply: unknown) => replying(reply).save('a', 0, 'data', { wakeAt: null }),
  lookUp: (reply: unknown) => replying(reply).lookUp('a'),
  due: (reply: unknown) => replying(reply).due({ space: 'a', until: 1, limit: 1 }),
};

const unread: Readonly<Record<keyof typeof calls, readonly unknown[]>> = {
  claim: [undefined, null, 'OK', [], [4, 1], ['claimed', 1], [1, Number.NaN], [1, 1, {}]],
  complete: [undefined, null, 'OK', []],
  open: [undefined, 'QUEUED', [1, ['a', null, 1, 0, 0, 0]], [1, ['a', 'data', 'x', 0, 0, 0]]],
  check: [undefined, 'QUEUED', [[]], [[1, 0, '1']], [[1, 0, '1.5', 0]]],
  advance: [undefined, 'QUEUED', [], ['x', '1', 'data'], [0], [0, '1', null], [1, 'x', 'data']],
  load: [undefined, 'QUEUED', [], [null, 'data'], [1], [1, {}]],
  save: [undefined, 'QUEUED', [], 3],
  lookUp: [undefined, 'QUEUED', [], ['a'], [1, {}]],
  due: [undefined, 'QUEUED', [], [1], [1, [null]]],
};

it.each(Object.entries(calls))('refuses a reply to %s that it cannot read', async (name, call) => {
  const [, replies = []] = Object.entries(unread).find(([of]) => of === name) ?? [];
  for (const reply of replies) {
    const { issues } = await failureOf<ConfigurationError>(call(reply), ConfigurationError);
    expect(issues).toMatchObject([{ path: 'redisStore.client' }]);
  }
});
