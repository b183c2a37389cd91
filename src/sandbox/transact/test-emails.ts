import type { Inline } from '../../base/inline.ts';
import type { RiskDecision } from '../../fraud/risk.ts';

/** An e-mail address whose transactions have a fixed score. */
export type TestEmail = Inline<{
  /** An example; any address that matches the pattern works. */
  readonly email: string;
  /** The `risk_score` of every transaction with it. */
  readonly score: 10 | 50 | 90 | 95;
  /** The `risk_decision` of every transaction with it. */
  readonly decision: RiskDecision;
}>;

/** The test addresses by risk. */
export type TestEmailName = Inline<'low' | 'medium' | 'high' | 'critical'>;

/**
 * Test addresses with the four fixed scores that the interface lists. It does not show the addresses, so these are
 * the sandbox's own. The part before the `@` decides: `risk10`, `risk50`, `risk90` or `risk95`, alone or after a `+`,
 * in either case. So `ada+risk90@example.com` is one too.
 */
export const testEmails: Readonly<Record<TestEmailName, TestEmail>> = {
  low: { email: 'risk10@example.com', score: 10, decision: 'A' },
  medium: { email: 'risk50@example.com', score: 50, decision: 'R' },
  high: { email: 'risk90@example.com', score: 90, decision: 'D' },
  critical: { email: 'risk95@example.com', score: 95, decision: 'D' },
};

/** Returns the fixed score of an address; `undefined` for any other address. */
export function fixedScoreOf(email: string): number | undefined {
  const [, score] = /^(?:[^@]*\+)?risk(10|50|90|95)@[^@]+$/i.exec(email.trim()) ?? [];
  return score === undefined ? undefined : Number(score);
}
