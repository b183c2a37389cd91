/** Fraud protection on the merchant's side: the meaning of checks, limits on attempts, and figures to monitor. */

export { assessFraud, type FraudAssessment } from './assess.ts';
export {
  type ChargebackNotification,
  parseChargeback,
} from './chargeback.ts';
export type { AvsResult } from './codes/avs.ts';
export { readChecks } from './codes/checks.ts';
export type { CvvResult } from './codes/cvv.ts';
export type { RiskResult } from './codes/risk.ts';
export type { FraudReason } from './findings.ts';
export type { FraudCounts, FraudRecord } from './monitoring/counts.ts';
export { fraudFigures } from './monitoring/figures.ts';
export type { FraudFigure } from './monitoring/metrics.ts';
export { VelocityGuard, type VelocityGuardOptions, type VelocityOutcome } from './velocity/guard.ts';
export { typicalVelocityRules, type VelocityRule } from './velocity/rules.ts';
export type { VelocityAttempt } from './velocity/subject.ts';
export type { VelocityVerdict } from './velocity/verdict.ts';
