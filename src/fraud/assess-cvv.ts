import type { CvvResult } from './cvv.ts';
import type { CompleteCvvPolicy } from './policy-check.ts';
import { codeInWords, type FraudDecision, type FraudReason, type FraudReasonCode } from './reason.ts';

/** Assesses a security-code check by a policy. */
export function assessCvv(cvv: CvvResult | undefined, policy: CompleteCvvPolicy): FraudReason[] {
  if (!policy.enabled) return [];
  if (cvv === undefined) {
    const what = 'no CVV result';
    return [{ code: 'cvv_missing', check: 'cvv', what, recommendation: policy.missing }];
  }
  const [code, recommendation] = judge(cvv, policy);
  return [{ code, check: 'cvv', what: `CVV ${codeInWords(cvv.code)}: ${cvv.meaning}`, recommendation }];
}

function judge({ matched, source }: CvvResult, policy: CompleteCvvPolicy): [FraudReasonCode, FraudDecision] {
  if (matched === true) return ['cvv_match', 'accept'];
  if (matched === false) return ['cvv_mismatch', policy.mismatch === 'flag' ? 'review' : 'decline'];
  return [source === 'unknown' ? 'cvv_unknown_code' : 'cvv_not_verified', policy.unverified];
}
