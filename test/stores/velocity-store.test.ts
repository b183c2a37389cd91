/** Reaches inside: the store of the sandbox is not public, but counts as the others do. */

import { createHmac } from 'node:crypto';
import {
  typicalVelocityRules,
  type VelocityAttempt,
  VelocityGuard,
  type VelocityRule,
} from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { SandboxVelocityStore } from '../../sandbox/src/transact/screening.ts';
import { sandboxState } from '../support/sandbox-state.ts';
import type { VelocityStore } from '../support/stores.ts';
import { describeAttempts, exactly } from './attempts.ts';

describe('the store of the sandbox', () => {
  const state = sandboxState();
  const stores = [new SandboxVelocityStore(state)] as const;
  describeAttempts(() => ({ stores, setTime: (now) => state.clock.set(now) }), exactly);
});

describe('the keys of an attempt', () => {
  const secret = 'a secret of the merchant, random';
  const hashOf = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

  /** Returns the keys of an attempt in the store. */
  async function keysOf(attempt: VelocityAttempt, rules?: readonly VelocityRule[]): Promise<string[]> {
    const keys: string[] = [];
    const memory = memoryStore();
    const store: VelocityStore = {
      check(id, entries) {
        keys.push(...entries.map(({ key }) => key));
        return memory.check(id, entries);
      },
    };
    await new VelocityGuard({ secret, store, rules }).check(attempt);
    return keys;
  }

  it('are HMAC-SHA-256 of the domain and the value, so that they reveal no card', async () => {
    const hash = hashOf('card number 4929876512340988');
    const keys = [`card-10-minutes:${hash}:`, `card-failures-day:${hash}:`];
    expect(await keysOf({ card: { number: '4929876512340988' } })).toEqual(keys);
    for (const { length } of keys) expect(length).toBeLessThanOrEqual(200);
  });

  // Counts outlive a version of the package, so a later version must compute the same keys.
  it.each([
    ['192.0.2.1:443', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['Unknown', 'unknown'],
  ])('are the same in every version: the address %s is %s', async (ip, text) => {
    expect(await keysOf({ ip })).toEqual([`ip-hour:${hashOf(`ip ${text}`)}:`]);
  });

  it.each([
    [undefined, ''],
    ['usd', 'USD'],
    ['EUR', 'EUR'],
  ])('are the same in every version: the currency %s is %s', async (currency, text) => {
    const rules = typicalVelocityRules({ dailyAmountPerCard: '10.00' }).slice(3);
    const attempt = { card: { token: 'fp_1' }, amount: '1.00', currency };
    expect(await keysOf(attempt, rules)).toEqual([`card-amount-day:${hashOf('card token fp_1')}:${text}`]);
  });
});
