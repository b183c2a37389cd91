/** Fraud protection on the merchant's side: what checks mean, what to do about them, and how it goes over time. */

export type { VelocityEntry, VelocityStore, VelocityTotal } from '../stores/velocity-store.ts';
export {
  type AssessableTransaction,
  assessFraud,
  checkFraudPolicy,
  type FraudAssessment,
} from './assess.ts';
export { avsCodes, readAvs } from './avs.ts';
export { inferredAvsCodes } from './avs-inferred.ts';
export type { AvsCode, AvsRecommendation, AvsResult, InferredAvsCode } from './avs-result.ts';
export { type ChargebackNotification, daysUntilDue, parseChargeback } from './chargeback.ts';
export { ChargebackFormatError, type ChargebackIssue } from './chargeback-error.ts';
export {
  type ChargebackCategory,
  type ChargebackReason,
  type ChargebackReasonCode,
  chargebackReasons,
  readChargebackReason,
} from './chargeback-reasons.ts';
export {
  type CvvCode,
  type CvvRecommendation,
  type CvvResult,
  cvvCodes,
  type InferredCvvCode,
  inferredCvvCodes,
  readCvv,
} from './cvv.ts';
export {
  type FraudCounts,
  type FraudMetric,
  type FraudMetricName,
  type FraudMetricReport,
  type FraudStatus,
  type FraudTarget,
  fraudMetrics,
} from './metrics.ts';
export { FraudMonitor, type MonitoredChargeback, type MonitoredTransaction } from './monitor.ts';
export type { FraudMonitorOptions } from './monitor-options.ts';
export { type FraudBucket, type FraudMonitorState, mergeFraudStates } from './monitor-state.ts';
export type {
  AvsPolicy,
  CvvPolicy,
  FraudPolicy,
  Handling,
  RiskPolicy,
  ScoreThresholds,
  ThreeDSecureExemptions,
  ThreeDSecurePolicy,
} from './policy.ts';
export type { FraudCheck, FraudDecision, FraudReason, FraudReasonCode } from './reason.ts';
export {
  type RiskBand,
  type RiskDecision,
  type RiskLevel,
  type RiskRecommendation,
  type RiskResult,
  readRisk,
  riskBands,
  riskDecisions,
} from './risk.ts';
export type { CodeSource } from './source.ts';
export type { ThreeDSecureOutcome, ThreeDSecureStatus } from './three-d-secure.ts';
export type { VelocityAttempt } from './velocity-attempt.ts';
export {
  backtestVelocityRules,
  type RecordedAttempt,
  type VelocityRuleBacktest,
} from './velocity-backtest.ts';
export type { VelocityOutcome } from './velocity-check.ts';
export { VelocityGuard, type VelocityGuardOptions } from './velocity-guard.ts';
export type { VelocityList } from './velocity-lists.ts';
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
