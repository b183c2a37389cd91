/** The contract of server stores for processes with different clocks. */

import { VelocityGuard } from 'payments-client/fraud';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { VelocityStore } from '../support/stores.ts';
import { cardAndAddress, windowMs } from './counted-attempts.ts';

const tenMinutes = 600_000;

/** Runs the suite. */
export function describeVelocityClock(
  name: string,
  isSkipped: boolean,
  open: () => Promise<VelocityStore>,
): void {
  describe.skipIf(isSkipped)(`${name}, by processes whose clocks differ`, () => {
    it('counts the same with clocks ten minutes ahead and behind', async () => {
      const store = await open();
      const guard = new VelocityGuard({ secret: 'the same in every process', rules: cardAndAddress, store });
      const attempt = { card: { token: crypto.randomUUID() } };
      const real = Date.now();
      const checkAt = (ahead: number) => {
        vi.useFakeTimers({ toFake: ['Date', 'performance'], now: real + ahead });
        onTestFinished(() => void vi.useRealTimers());
        return guard.check(attempt);
      };
      for (const ahead of [tenMinutes, -tenMinutes, 0]) {
        expect(await checkAt(ahead)).toMatchObject({ decision: 'allow' });
      }
      const blocked = await Promise.all([2 * windowMs, -2 * windowMs, tenMinutes, 0].map(checkAt));
      for (const { decision, retryAt } of blocked) {
        expect(decision).toBe('block');
        expect(retryAt?.getTime()).toBe(blocked[0]?.retryAt?.getTime());
        expect(Math.abs(Number(retryAt) - real - windowMs)).toBeLessThan(windowMs / 60 + 60_000);
      }
    });
  });
}
