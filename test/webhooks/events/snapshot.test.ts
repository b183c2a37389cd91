/** Snapshots of Connect objects: the newest of each sequence is kept, whatever the order of events. */

import * as fc from 'fast-check';
import { memoryStore } from 'payments-client/stores';
import { advanceSnapshot, Webhooks } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';

const scopes = ['account', 'connection', 'account_link', 'application:app_1', 'application:app_2'];

const event = (id: string, version: number, scope: string, livemode = false) => ({
  livemode,
  data: { object: { id, version, version_scope: scope } },
});

/** Returns the key of the sequence that an event belongs to. */
const keyOf = async (sent: Parameters<typeof advanceSnapshot>[1]) =>
  (await advanceSnapshot(memoryStore(), sent)).key;

describe('advanceSnapshot', () => {
  it('advances only to a higher version, and returns the stored snapshot', async () => {
    const store = memoryStore();
    const versions: number[] = [];
    for (const version of [3, 3, 2, 9, 4]) {
      const kept = await advanceSnapshot(store, event('acct_1', version, 'account'));
      expect(kept.key).toBe('["test","account","acct_1"]');
      expect(kept.object).toEqual(event('acct_1', kept.version, 'account').data.object);
      versions.push(kept.version);
    }
    expect(versions).toEqual([3, 3, 3, 9, 9]);
  });

  it('restarts with a replacement link', async () => {
    const store = memoryStore();
    await advanceSnapshot(store, event('link_old', 40, 'account_link'));
    expect(await advanceSnapshot(store, event('link_new', 1, 'account_link'))).toMatchObject({ version: 1 });
  });

  it.each<[received: string, version: unknown]>([
    ['nothing', undefined],
    ['a string of 1 character', '7'],
    ['the number 1.5', 1.5],
    ['a number', 2 ** 53],
  ])('refuses an object whose version is %s', async (received, version) => {
    const sent = anything({ livemode: false, data: { object: { id: 'acct_1', version } } });
    await expect(advanceSnapshot(memoryStore(), sent)).rejects.toThrow(
      `event.data.object.version: expected an integer, got ${received}. The event cannot be ordered: retrieve the object instead.`,
    );
  });

  it('refuses an event that does not say its mode', async () => {
    const { data } = event('acct_1', 1, 'account');
    await expect(advanceSnapshot(memoryStore(), { data })).rejects.toThrow(
      'event.livemode: expected true or false, got nothing. The event cannot be ordered: retrieve the object instead.',
    );
  });

  it('orders events whose types this version does not know', async () => {
    const store = memoryStore();
    const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
    const kept: unknown[] = [];
    for (const version of [2, 1]) {
      const sent = event('alnk_1', version, 'account_link');
      const body = JSON.stringify({ id: `evt_${version}`, type: 'account_link.anything', ...sent });
      const received = await webhooks.verify(body, await webhooks.sign(body));
      kept.push((await advanceSnapshot(store, received)).version);
    }
    expect(kept).toEqual([2, 2]);
  });

  it.each<[received: string, id: unknown]>([
    ['nothing', undefined],
    ['an empty string', ''],
    ['the number 7', 7],
  ])('refuses an object whose id is %s', async (received, id) => {
    const sent = anything({ livemode: false, data: { object: { id, version: 1 } } });
    const error = `event.data.object.id: expected a non-empty string, got ${received}. The event cannot be ordered: retrieve the object instead.`;
    await expect(advanceSnapshot(memoryStore(), sent)).rejects.toThrow(error);
  });

  it.each([
    ['["live","account","acct_1"]', event('acct_1', 1, 'account', true)],
    ['["test","account","acct_1"]', event('acct_1', 1, 'account')],
    ['["test","","acct_1"]', { livemode: false, data: { object: { id: 'acct_1', version: 1 } } }],
  ])('does not change the key %s of stored snapshots', async (key, sent) => {
    expect(await keyOf(sent)).toBe(key);
  });

  it('never derives the same key for two sequences', async () => {
    const unit = fc.constantFrom('"', ',', '\\', 'a', ' ', ']');
    const text = fc.string({ unit });
    const idOf = fc.string({ unit, minLength: 1 });
    return fc.assert(
      fc.asyncProperty(idOf, text, idOf, text, async (id, scope, otherId, otherScope) => {
        const isSame = id === otherId && scope === otherScope;
        const keys = [await keyOf(event(id, 1, scope)), await keyOf(event(otherId, 1, otherScope))];
        expect(keys[0] === keys[1]).toBe(isSame);
      }),
    );
  });

  it('ends with the highest version of each sequence, in any order and with repeats', () => {
    const events = fc.array(
      fc.record({
        id: fc.constantFrom('a', 'b', 'c'),
        version: fc.nat(20),
        scope: fc.constantFrom(...scopes),
        livemode: fc.boolean(),
      }),
      { minLength: 1 },
    );
    return fc.assert(
      fc.asyncProperty(events, async (sent) => {
        const store = memoryStore();
        const highest = new Map<string, number>();
        const kept = new Map<string, number>();
        for (const { id, version, scope, livemode } of sent) {
          const newest = await advanceSnapshot(store, event(id, version, scope, livemode));
          kept.set(newest.key, newest.version);
          const key = await keyOf(event(id, version, scope, livemode));
          highest.set(key, Math.max(highest.get(key) ?? 0, version));
        }
        expect(kept).toEqual(highest);
      }),
    );
  });
});
