/** Fraud protection on the merchant's side: the meaning of checks, limits on attempts, and figures to monitor. */

export type { VelocityEntry, VelocityStore, VelocityTotal } from '../stores/velocity-store.ts';
export {
  type AssessableCharge,
  type AssessableTransaction,
  assessFraud,
  type FraudAssessment,
} from './assess.ts';
export { type AvsCode, type AvsRecommendation, type AvsResult, readAvs } from './avs.ts';
export {
  type ChargebackNotification,
  daysUntilDue,
  parseChargeback,
} from './chargeback.ts';
export {
  type ChargebackCategory,
  type ChargebackReason,
  type ChargebackReasonCode,
  readChargebackReason,
} from './chargeback-reasons.ts';
export { countFraud, type FraudCounts, type FraudRecord } from './counts.ts';
export { type CvvCode, type CvvRecommendation, type CvvResult, readCvv } from './cvv.ts';
export { type FraudTargets, fraudFigures } from './figures.ts';
export type { FraudMetricName, FraudMetricReport, FraudStatus, FraudTarget } from './metrics.ts';
export type { FraudCheck, FraudDecision, FraudReason, FraudReasonCode } from './reason.ts';
export {
  type RiskDecision,
  type RiskLevel,
  type RiskRecommendation,
  type RiskResult,
  readRisk,
} from './risk.ts';
export type { ThreeDSecureOutcome, ThreeDSecureStatus } from './three-d-secure.ts';
export type { VelocityAttempt } from './velocity-attempt.ts';
export { VelocityGuard, type VelocityGuardOptions, type VelocityOutcome } from './velocity-guard.ts';
export {
  type TypicalVelocityOptions,
  typicalVelocityRules,
  type VelocityAmountRule,
  type VelocityCountRule,
  type VelocityRule,
  type VelocityRuleBase,
} from './velocity-rules.ts';
export type { VelocityCard, VelocitySubjects } from './velocity-subject.ts';
export type {
  VelocityReason,
  VelocityTicket,
  VelocityTicketEntry,
  VelocityVerdict,
} from './velocity-verdict.ts';
