/** Snapshots of Connect objects: the newest of each sequence is kept, whatever the order of events. */

import * as fc from 'fast-check';
import { ConfigurationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { advanceSnapshot } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { cardNumber } from '../../security/secrets/canaries.ts';
import { anything } from '../../support/anything.ts';
import { delivery, webhooksAt } from '../../support/deliveries.ts';
import { failureOf } from '../../support/failure.ts';

const event = (id: string, version: number, version_scope?: string, livemode = false) => ({
  livemode,
  data: { object: { id, version, version_scope } },
});

/** Returns the key of the sequence that an event belongs to. */
const keyOf = async (sent: Parameters<typeof advanceSnapshot>[1]) =>
  (await advanceSnapshot(memoryStore(), sent)).current.key;

describe('advanceSnapshot', () => {
  it('advances only to a higher version, and returns whether it did, with the snapshots after and before', async () => {
    const store = memoryStore();
    const snapshot = (version: number) => ({
      key: '["test","account","acct_1"]',
      version,
      object: event('acct_1', version, 'account').data.object,
    });
    const advance = (version: number) => advanceSnapshot(store, event('acct_1', version, 'account'));
    const first = snapshot(3);
    expect(await advance(3)).toEqual({ advanced: true, current: first, previous: undefined });
    for (const version of [3, 2]) {
      expect(await advance(version)).toEqual({ advanced: false, current: first, previous: first });
    }
    expect(await advance(9)).toEqual({ advanced: true, current: snapshot(9), previous: first });
    expect(await advance(4)).toEqual({ advanced: false, current: snapshot(9), previous: snapshot(9) });
  });

  it('stores and returns an object with card data masked, but in ids', async () => {
    const store = memoryStore();
    const stored: string[] = [];
    const noting: Pick<typeof store, 'advance'> = {
      advance: (key, version, data) => {
        stored.push(data);
        return store.advance(key, version, data);
      },
    };
    const objectOf = (version: number, number: string) => ({
      id: cardNumber,
      version,
      version_scope: 'account',
      note: `card ${number}`,
      deep: [{ [number]: number }],
    });
    const advance = (version: number) =>
      advanceSnapshot(noting, { livemode: true, data: { object: objectOf(version, cardNumber) } });
    const kept = (version: number) => objectOf(version, '[card-6181-masked]');
    expect(await advance(1)).toMatchObject({ current: { object: kept(1) }, previous: undefined });
    expect(await advance(2)).toMatchObject({ current: { object: kept(2) }, previous: { object: kept(1) } });
    expect(stored.map((data) => JSON.parse(data))).toEqual([kept(1), kept(2)]);
  });

  it('is new to one of the concurrent deliveries of an event', async () => {
    const store = memoryStore();
    const advances = await Promise.all([1, 2, 3].map(() => advanceSnapshot(store, event('acct_1', 5))));
    expect(advances.filter(({ advanced }) => advanced)).toHaveLength(1);
  });

  it('restarts with a replacement link', async () => {
    const store = memoryStore();
    await advanceSnapshot(store, event('link_old', 40, 'account_link'));
    expect(await advanceSnapshot(store, event('link_new', 1, 'account_link'))).toMatchObject({
      advanced: true,
      current: { version: 1 },
      previous: undefined,
    });
  });

  it('orders verified events whose types this version does not know', async () => {
    const store = memoryStore();
    const kept: unknown[] = [];
    for (const version of [2, 1]) {
      const sent = event('alnk_1', version, 'account_link');
      const { body, headers } = await delivery({
        id: `evt_${version}`,
        type: 'account_link.anything',
        ...sent,
      });
      kept.push((await advanceSnapshot(store, await webhooksAt().verify(body, headers))).current.version);
    }
    expect(kept).toEqual([2, 2]);
  });

  it.each<[event: unknown, refusal: string]>([
    [event('acct_1', Number('x')), 'event.data.object.version: expected an integer, got the number NaN'],
    [
      { livemode: true, data: { object: { id: 'a' } } },
      'event.data.object.version: expected an integer, got nothing',
    ],
    [event('acct_1', anything('7')), 'event.data.object.version: expected an integer, got a string'],
    [event('acct_1', 1.5), 'event.data.object.version: expected an integer, got the number 1.5'],
    [event('acct_1', 2 ** 53), 'event.data.object.version: expected an integer, got a number'],
    [event('', 1), 'event.data.object.id: expected a non-empty string, got an empty string'],
    [event(anything(7), 1), 'event.data.object.id: expected a non-empty string, got the number 7'],
    [{ data: event('a', 1).data }, 'event.livemode: expected true or false, got nothing'],
    [{ livemode: true, data: {} }, 'event: expected a Connect event, got an object'],
    [undefined, 'event: expected a Connect event, got nothing'],
  ])('refuses %j, which has no order', async (sent, refusal) => {
    const { message } = await failureOf(advanceSnapshot(memoryStore(), anything(sent)), ConfigurationError);
    expect(message).toContain(refusal);
    expect(message).toMatch(/The event cannot be ordered: retrieve the object instead\.$/);
  });

  it.each([
    ['["live","account","acct_1"]', event('acct_1', 1, 'account', true)],
    ['["test","account","acct_1"]', event('acct_1', 1, 'account')],
    ['["test","","acct_1"]', event('acct_1', 1)],
  ])('does not change the key %s of stored snapshots', async (key, sent) => {
    expect(await keyOf(sent)).toBe(key);
  });

  it('never derives the same key for two sequences', async () => {
    const unit = fc.constantFrom('"', ',', '\\', 'a', ' ', ']');
    const sequence = fc.tuple(fc.string({ unit, minLength: 1 }), fc.string({ unit }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(sequence, sequence, async (one, other) => {
        const [first, second] = await Promise.all(
          [one, other].map(([id, scope, livemode]) => keyOf(event(id, 1, scope, livemode))),
        );
        expect(first === second).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  it('ends with the highest version of each sequence, in any order and with repeats', async () => {
    const sent = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      version: fc.nat(20),
      scope: fc.constantFrom('account', 'connection', 'account_link', 'application:1', 'application:2'),
      livemode: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1 }), async (events) => {
        const store = memoryStore();
        const highest: Record<string, number> = {};
        const kept: Record<string, number> = {};
        for (const { id, version, scope, livemode } of events) {
          const key = JSON.stringify([livemode ? 'live' : 'test', scope, id]);
          const { advanced, current, previous } = await advanceSnapshot(
            store,
            event(id, version, scope, livemode),
          );
          expect(advanced).toBe(version > (highest[key] ?? -1));
          expect(previous?.version).toBe(highest[key]);
          kept[current.key] = current.version;
          highest[key] = Math.max(highest[key] ?? 0, version);
        }
        expect(kept).toEqual(highest);
      }),
    );
  });
});
