/** Fraud protection on the merchant's side: the meaning of checks, limits on attempts, and figures to monitor. */

export { assessFraud, type FraudAssessment } from './assess.ts';
export type { AvsResult } from './avs.ts';
export {
  type ChargebackNotification,
  parseChargeback,
} from './chargeback.ts';
export { readChecks } from './checks.ts';
export type { FraudCounts, FraudRecord } from './counts.ts';
export type { CvvResult } from './cvv.ts';
export { fraudFigures } from './figures.ts';
export type { FraudReason } from './findings.ts';
export type { FraudFigure } from './metrics.ts';
export type { RiskResult } from './risk.ts';
export { VelocityGuard, type VelocityGuardOptions, type VelocityOutcome } from './velocity-guard.ts';
export { typicalVelocityRules, type VelocityRule } from './velocity-rules.ts';
export type { VelocityAttempt } from './velocity-subject.ts';
export type { VelocityVerdict } from './velocity-verdict.ts';
