/** How risky a transaction is. */
export type RiskLevel = 'low' | 'medium_low' | 'medium' | 'medium_high' | 'high';

/** What the interface recommends for a risk level. */
export type RiskRecommendation =
  | 'approve'
  | 'approve_with_monitoring'
  | 'review'
  | 'decline_or_verify'
  | 'decline';

/** A range of scores, both ends included. */
export interface RiskBand {
  readonly from: number;
  readonly to: number;
  readonly level: RiskLevel;
  readonly recommendation: RiskRecommendation;
}

/** The bands of the interface (*shown*). */
export const riskBands: readonly RiskBand[] = [
  { from: 0, to: 20, level: 'low', recommendation: 'approve' },
  { from: 21, to: 40, level: 'medium_low', recommendation: 'approve_with_monitoring' },
  { from: 41, to: 60, level: 'medium', recommendation: 'review' },
  { from: 61, to: 80, level: 'medium_high', recommendation: 'decline_or_verify' },
  { from: 81, to: 100, level: 'high', recommendation: 'decline' },
];

/** What the fraud scoring says about a transaction. */
export interface RiskResult {
  /** From 0 (harmless) to 100; `undefined` where there is none, or one outside that range. */
  readonly score: number | undefined;
  /** The band of the score; `undefined` without one. */
  readonly level: RiskLevel | undefined;
  /** What the interface recommends for that band; `undefined` without a score. */
  readonly recommendation: RiskRecommendation | undefined;
  /** `A` approve, `D` decline, `R` review, or a later value; `undefined` where there is none. */
  readonly decision: 'A' | 'D' | 'R' | (string & {}) | undefined;
}

function readScore(text: string): number | undefined {
  if (!/^\d{1,3}$/.test(text)) return undefined;
  const score = Number(text);
  return score <= 100 ? score : undefined;
}

/** What a score and a decision say; `undefined` where there is neither. */
export function readRisk(scoreText: string, decision: string): RiskResult | undefined {
  if (scoreText === '' && decision === '') return undefined;
  const score = readScore(scoreText);
  const band = riskBands.find(({ from, to }) => score !== undefined && score >= from && score <= to);
  return {
    score,
    level: band?.level,
    recommendation: band?.recommendation,
    decision: decision === '' ? undefined : decision,
  };
}
