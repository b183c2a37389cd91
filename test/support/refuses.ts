import { ConfigurationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.ts';

/** A problem in the words of the message, and the call that has it. */
type Refused = readonly [problem: string, call: () => unknown];

/** Checks that each call is refused with its problem, and with the advice after it. */
export function refuses(what: string, advice: string, calls: readonly Refused[]): void {
  describe(`refuses ${what}:`, () => {
    it.each(calls)('%s', async (problem, call) => {
      const error = await failureOf(Promise.resolve().then(call), ConfigurationError);
      expect(error.message).toBe(`${problem}. ${advice}`);
    });
  });
}
