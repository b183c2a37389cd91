import type { Outcome } from 'payments-client';
import { type Issue, PaymentsError } from 'payments-client';
import { checkOptions } from '../base/check-options.ts';
import type { Inline } from '../base/inline.ts';
import * as s from '../base/schema.ts';

/** The result of a matcher, for `expect.extend` of vitest and jest. */
type MatcherResult = Inline<{
  /** Whether it matches. */
  readonly pass: boolean;
  /** The message of a failed assertion. */
  readonly message: () => string;
}>;

/** The types of the matchers; `R` is what a matcher returns. */
export interface PaymentsMatchers<R = unknown> {
  /** Expects an error of this package with this `outcome`. */
  toHaveOutcome(outcome: Outcome): R;
  /** Expects an error of this package that names an invalid value at this path, such as `line_items[0].amount`. */
  toHaveIssue(path: string): R;
}

const outcomeSchema: s.Schema<Outcome> = s.literal([
  'not_executed',
  'executed',
  'unknown',
  'not_an_operation',
]);

const pathSchema = s.filled('a path, such as amount');

function described(value: unknown): string {
  if (value instanceof PaymentsError)
    return `${value.name} with the outcome ${value.outcome}: ${value.message}`;
  return `no error of payments-client: ${value instanceof Error ? `${value.name}: ${value.message}` : typeof value}`;
}

function judge(pass: boolean, expected: string, received: unknown): MatcherResult {
  return {
    pass,
    message: () => `expected ${pass ? 'anything but ' : ''}${expected}, got ${described(received)}`,
  };
}

function issuesOf(error: unknown): readonly Issue[] {
  return error instanceof PaymentsError && 'issues' in error && Array.isArray(error.issues)
    ? error.issues
    : [];
}

/**
 * Matchers for `expect.extend` of vitest and of jest.
 *
 * @example
 * expect.extend(matchers);
 * await expect(payments.refunds.create(params, { operationId })).rejects.toHaveOutcome('unknown');
 */
export const matchers = {
  /** Whether the received value is an error of this package with this outcome. */
  toHaveOutcome(received: unknown, outcome: Outcome): MatcherResult {
    // With `not`, a misspelt outcome would match any error.
    checkOptions('toHaveOutcome.outcome', outcomeSchema, outcome, 'Pass one of them.');
    const pass = received instanceof PaymentsError && received.outcome === outcome;
    return judge(pass, `an error whose outcome is ${outcome}`, received);
  },
  /** Whether the received value is an error of this package that names an invalid value at this path. */
  toHaveIssue(received: unknown, path: string): MatcherResult {
    checkOptions('toHaveIssue.path', pathSchema, path, 'Pass the path of the value.');
    const pass = issuesOf(received).some((issue) => issue.path === path);
    return judge(pass, `an error that names '${path}'`, received);
  },
};
