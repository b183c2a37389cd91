/** Snapshots of Connect objects: whatever comes, in whatever order, the newest of each sequence is kept. */

import * as fc from 'fast-check';
import { advanceSnapshot, type ConnectSnapshot, snapshotOf } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';

const scopes = ['account', 'connection', 'account_link', 'application:app_1', 'application:app_2'];

const event = (id: string, version: number, scope: string, livemode = false) => ({
  livemode,
  data: { object: { id, version, version_scope: scope } },
});

function keep(rows: Map<string, ConnectSnapshot>, incoming: ConnectSnapshot): void {
  rows.set(incoming.key, advanceSnapshot(rows.get(incoming.key), incoming));
}

describe('advanceSnapshot', () => {
  it('advances to a higher version alone', () => {
    const first = snapshotOf(event('acct_1', 3, 'account'));
    const same = snapshotOf(event('acct_1', 3, 'account'));
    const lower = snapshotOf(event('acct_1', 2, 'account'));
    const higher = snapshotOf(event('acct_1', 9, 'account'));
    expect(advanceSnapshot(undefined, first)).toBe(first);
    expect(advanceSnapshot(first, same)).toBe(first);
    expect(advanceSnapshot(first, lower)).toBe(first);
    expect(advanceSnapshot(first, higher)).toBe(higher);
  });

  it('starts anew with a replacement link', () => {
    const rows = new Map<string, ConnectSnapshot>();
    keep(rows, snapshotOf(event('link_old', 40, 'account_link')));
    keep(rows, snapshotOf(event('link_new', 1, 'account_link')));
    expect([...rows.values()].map(({ version }) => version)).toEqual([40, 1]);
  });

  it.each([
    ['another id', event('acct_2', 9, 'account')],
    ['another scope', event('acct_1', 9, 'connection')],
    ['the other mode', event('acct_1', 9, 'account', true)],
  ])('refuses a stored snapshot of %s', (_name, other) => {
    const stored = snapshotOf(event('acct_1', 3, 'account'));
    expect(() => advanceSnapshot(stored, snapshotOf(other))).toThrow(
      /expected a stored snapshot of the same object id, mode and version_scope/,
    );
  });

  it.each<[received: string, version: unknown]>([
    ['nothing', undefined],
    ['a string of 1 characters', '7'],
    ['the number 1.5', 1.5],
    ['a number', 2 ** 53],
  ])('refuses an object whose version is %s', (received, version) => {
    const sent = anything({ livemode: false, data: { object: { id: 'acct_1', version } } });
    expect(() => snapshotOf(sent)).toThrow(
      new TypeError(
        `data.object.version: expected an integer, got ${received}. Without it the event cannot be put in order: retrieve the object instead.`,
      ),
    );
  });

  it.each([
    ['["live","account","acct_1"]', event('acct_1', 1, 'account', true)],
    ['["test","account","acct_1"]', event('acct_1', 1, 'account')],
    ['["test","","acct_1"]', { livemode: false, data: { object: { id: 'acct_1', version: 1 } } }],
  ])('keeps to the key %s, under which snapshots are stored', (key, sent) => {
    expect(snapshotOf(sent).key).toBe(key);
  });

  it('gives no two sequences one key', () => {
    const text = fc.string({ unit: fc.constantFrom('"', ',', '\\', 'a', ' ', ']') });
    fc.assert(
      fc.property(text, text, text, text, (id, scope, otherId, otherScope) => {
        const same = id === otherId && scope === otherScope;
        const keys = [snapshotOf(event(id, 1, scope)).key, snapshotOf(event(otherId, 1, otherScope)).key];
        expect(keys[0] === keys[1]).toBe(same);
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
    fc.assert(
      fc.property(events, (sent) => {
        const rows = new Map<string, ConnectSnapshot>();
        const highest = new Map<string, number>();
        for (const { id, version, scope, livemode } of sent) {
          const incoming = snapshotOf(event(id, version, scope, livemode));
          keep(rows, incoming);
          const place = `${id} ${scope} ${livemode}`;
          highest.set(place, Math.max(highest.get(place) ?? 0, version));
        }
        const kept = [...rows.values()].map(({ version }) => version).sort();
        expect(kept).toEqual([...highest.values()].sort());
      }),
    );
  });
});
