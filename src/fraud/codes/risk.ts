import type { Inline } from '../../base/runtime/runtime.ts';

/** The risk level of a transaction (*shown*). */
type RiskLevel = Inline<'low' | 'medium_low' | 'medium' | 'medium_high' | 'high'>;

/** The interface's recommendation for a risk level (*shown*). */
export type RiskRecommendation = Inline<
  'approve' | 'approve_with_monitoring' | 'review' | 'decline_or_verify' | 'decline'
>;

/** A range of scores, both ends inclusive. `advice` is the recommendation in the interface's words. */
interface RiskBand {
  readonly from: number;
  readonly to: number;
  readonly level: RiskLevel;
  readonly recommendation: RiskRecommendation;
  readonly advice: string;
}

/** The bands of the interface (*shown*). */
export const riskBands: readonly [RiskBand, ...RiskBand[]] = [
  { from: 0, to: 20, level: 'low', recommendation: 'approve', advice: 'approve, process normally' },
  {
    from: 21,
    to: 40,
    level: 'medium_low',
    recommendation: 'approve_with_monitoring',
    advice: 'approve with monitoring',
  },
  { from: 41, to: 60, level: 'medium', recommendation: 'review', advice: 'review before fulfilment' },
  {
    from: 61,
    to: 80,
    level: 'medium_high',
    recommendation: 'decline_or_verify',
    advice: 'decline, or require verification',
  },
  { from: 81, to: 100, level: 'high', recommendation: 'decline', advice: 'decline' },
];

/** The decisions of the fraud scoring (*shown*). */
export type RiskDecision = Inline<'A' | 'D' | 'R'>;

/** The meaning of each decision of the fraud scoring (*shown*). */
export const riskDecisions: Readonly<Record<RiskDecision, 'approve' | 'decline' | 'review'>> = {
  A: 'approve',
  D: 'decline',
  R: 'review',
};

/** The result of the fraud scoring. */
export interface RiskResult {
  /** From 0 (harmless) to 100; `undefined` if there is none, or it is out of range. */
  readonly score: number | undefined;
  /** The band of the score; `undefined` without one. */
  readonly level: RiskLevel | undefined;
  /** The interface's recommendation for that band; `undefined` without a score. */
  readonly recommendation: RiskRecommendation | undefined;
  /** `A` approve, `D` decline, `R` review, or a later value; `undefined` if there is none. */
  readonly decision: RiskDecision | (string & {}) | undefined;
}

/** Returns the band of a score; the lowest one for a number below 0. */
export function bandOf(score: number): RiskBand {
  return riskBands.findLast(({ from }) => score >= from) ?? riskBands[0];
}

function readScore(text: string): number | undefined {
  if (!/^\d{1,3}$/.test(text)) return undefined;
  const score = Number(text);
  return score <= 100 ? score : undefined;
}

/** Returns the meaning of a score and a decision, or `undefined` if both are empty. */
export function readRisk(scoreText: string, decision: string): RiskResult | undefined {
  if (scoreText === '' && decision === '') return undefined;
  const score = readScore(scoreText);
  const band = score === undefined ? undefined : bandOf(score);
  return {
    score,
    level: band?.level,
    recommendation: band?.recommendation,
    decision: decision === '' ? undefined : decision,
  };
}
