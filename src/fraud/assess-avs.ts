import type { AvsResult } from './avs.ts';
import type { CompleteAvsPolicy } from './policy-check.ts';
import {
  codeInWords,
  type FraudDecision,
  type FraudReason,
  type FraudReasonCode,
  stricter,
} from './reason.ts';

/** Assesses an address check by a policy. */
export function assessAvs(avs: AvsResult | undefined, policy: CompleteAvsPolicy): FraudReason[] {
  if (!policy.enabled) return [];
  if (avs === undefined) {
    return [
      {
        code: 'avs_missing',
        check: 'avs',
        what: 'no AVS result',
        recommendation: policy.missing,
      },
    ];
  }
  const [code, recommendation] = judge(avs, policy);
  const what = `AVS ${codeInWords(avs.code)}: ${avs.meaning}`;
  return [{ code, check: 'avs', what, recommendation }];
}

function judge(avs: AvsResult, policy: CompleteAvsPolicy): readonly [FraudReasonCode, FraudDecision] {
  const { acceptableCodes, international, notAcceptable } = policy;
  if (acceptableCodes?.has(avs.code)) return ['avs_acceptable', 'accept'];
  if (avs.international && international !== 'as_recommended') return ['avs_international', international];
  const recommended = recommend(avs, policy);
  // A retry has no answer yet, so there is no code to reject.
  if (acceptableCodes === undefined || recommended === 'retry') return [findingOf(avs), recommended];
  return ['avs_not_acceptable', stricter(recommended, notAcceptable)];
}

function recommend({ recommendation }: AvsResult, { noMatch }: CompleteAvsPolicy): FraudDecision {
  return recommendation === 'decline_or_review' ? noMatch : recommendation;
}

function findingOf({ source, recommendation, street, zip }: AvsResult): FraudReasonCode {
  if (source === 'unknown') return 'avs_unknown_code';
  if (recommendation === 'retry') return 'avs_retry';
  if (street === undefined && zip === undefined) return 'avs_not_verified';
  if (street === true && zip === true) return 'avs_match';
  return street === true || zip === true ? 'avs_partial_match' : 'avs_no_match';
}
