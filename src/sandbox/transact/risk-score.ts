import type { AvsCode } from '../../fraud/avs.ts';
import type { CvvCode } from '../../fraud/cvv.ts';
import { type RiskDecision, type RiskRecommendation, readRisk } from '../../fraud/risk.ts';
import { fixedScoreOf } from './test-emails.ts';
import type { SentAuthentication } from './three-d-secure.ts';

/** The inputs of a score. */
export interface RiskFacts {
  /** The buyer's e-mail address; empty if none was sent. */
  readonly email: string;
  readonly avs: AvsCode | '';
  readonly cvv: CvvCode | '';
  readonly authentication: SentAuthentication;
}

const base = 10;
const afterFailedAuthentication = 90;

const byAuthentication: Readonly<Record<Exclude<SentAuthentication, 'failed'>, number>> = {
  none: 0,
  succeeded: -10,
  unavailable: 20,
};

const decisions: Readonly<Record<RiskRecommendation, RiskDecision>> = {
  approve: 'A',
  approve_with_monitoring: 'A',
  review: 'R',
  decline_or_verify: 'D',
  decline: 'D',
};

/**
 * Returns the score from 0 to 100. A test address has a fixed one, and a failed authentication gives 90. Otherwise it
 * starts at 10, rises with each failed check, and falls for an authenticated buyer. The rules are the sandbox's own.
 */
export function scoreOf({ email, avs, cvv, authentication }: RiskFacts): number {
  const fixed = fixedScoreOf(email);
  if (fixed !== undefined) return fixed;
  if (authentication === 'failed') return afterFailedAuthentication;
  const score = base + (avs === 'N' ? 20 : 0) + (cvv === 'N' ? 30 : 0) + byAuthentication[authentication];
  return Math.max(0, score);
}

/** Returns the decision that the interface recommends for a score. */
export function decisionOf(score: number): RiskDecision {
  const recommendation = readRisk(String(score), '')?.recommendation;
  return recommendation === undefined ? 'R' : decisions[recommendation];
}
