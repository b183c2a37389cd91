import { integerFrom, optionsOf } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { decimal, parseDecimal } from './decimal.ts';
import type {
  AvsPolicy,
  CvvPolicy,
  FraudPolicy,
  RiskPolicy,
  ScoreThresholds,
  ThreeDSecureExemptions,
  ThreeDSecurePolicy,
} from './policy.ts';
import { checkShape, problem } from './refuse.ts';

type Complete<T> = { readonly [Name in keyof T]-?: Exclude<T[Name], undefined> };
type Section<Name extends keyof FraudPolicy> = Complete<Exclude<FraudPolicy[Name], undefined>>;

/** The AVS part of a policy with its defaults filled in. */
export type CompleteAvsPolicy = Omit<Section<'avs'>, 'acceptableCodes'> & {
  /** `undefined`: each code's recommendation applies. */
  readonly acceptableCodes: ReadonlySet<string> | undefined;
};
/** The CVV part of a policy with its defaults filled in. */
export type CompleteCvvPolicy = Section<'cvv'>;
/** The scoring part of a policy with its defaults filled in. */
export type CompleteRiskPolicy = Omit<Section<'risk'>, 'thresholds'> & {
  readonly thresholds: Complete<Section<'risk'>['thresholds']>;
};
/** The 3-D Secure part of a policy with its defaults filled in. */
export type CompleteThreeDSecurePolicy = Omit<Section<'threeDSecure'>, 'exemptions'> & {
  readonly exemptions: {
    /** In ten-thousandths. */
    readonly amountUpTo: bigint | undefined;
    readonly scoreUpTo: number | undefined;
  };
};

/** A policy with its defaults filled in. */
export interface CompletePolicy {
  readonly avs: CompleteAvsPolicy;
  readonly cvv: CompleteCvvPolicy;
  readonly risk: CompleteRiskPolicy;
  readonly threeDSecure: CompleteThreeDSecurePolicy;
  readonly inferredCodes: boolean;
}

const flag = () => s.optional(s.boolean());
const handling = () => s.optional(s.literal(['accept', 'review', 'decline']));
const strictHandling = () => s.optional(s.literal(['review', 'decline']));
/** 101 is above every score. */
const threshold = () => s.optional(integerFrom(0, 101));

const avsCodeExpectation = "an AVS code such as 'Y'";
const avsCode = s.string(avsCodeExpectation).check(s.regex(/^[A-Z0-9]$/, avsCodeExpectation));

const policySchema = optionsOf<FraudPolicy>({
  avs: s.optional(
    optionsOf<AvsPolicy>({
      enabled: flag(),
      acceptableCodes: s.optional(s.array(avsCode)),
      notAcceptable: strictHandling(),
      noMatch: strictHandling(),
      international: s.optional(s.literal(['accept', 'review', 'decline', 'as_recommended'])),
      missing: handling(),
    }),
  ),
  cvv: s.optional(
    optionsOf<CvvPolicy>({
      enabled: flag(),
      mismatch: s.optional(s.literal(['decline', 'flag'])),
      unverified: handling(),
      missing: handling(),
    }),
  ),
  risk: s.optional(
    optionsOf<RiskPolicy>({
      enabled: flag(),
      thresholds: s.optional(
        optionsOf<ScoreThresholds>({
          monitor: threshold(),
          review: threshold(),
          verify: threshold(),
          decline: threshold(),
        }),
      ),
      unverified: strictHandling(),
      verified: handling(),
      followDecision: flag(),
      missing: handling(),
    }),
  ),
  threeDSecure: s.optional(
    optionsOf<ThreeDSecurePolicy>({
      enabled: flag(),
      required: flag(),
      exemptions: s.optional(
        optionsOf<ThreeDSecureExemptions>({
          amountUpTo: s.optional(decimal()),
          scoreUpTo: s.optional(integerFrom(0, 100)),
        }),
      ),
      missing: strictHandling(),
      failed: strictHandling(),
      unavailable: handling(),
    }),
  ),
  inferredCodes: flag(),
});

/**
 * Checks a policy and fills in its defaults. Copies it, so a later change of the caller's object has no effect.
 *
 * @throws TypeError for a value of the wrong kind or an unknown name.
 * @throws RangeError for a score out of bounds or thresholds out of order.
 */
export function checkPolicy(policy: FraudPolicy): CompletePolicy {
  checkShape('policy', policySchema, policy);
  return completePolicy(policy);
}

function completePolicy(policy: FraudPolicy): CompletePolicy {
  return {
    avs: completeAvs(policy.avs),
    cvv: completeCvv(policy.cvv),
    risk: completeRisk(policy.risk),
    threeDSecure: completeThreeDSecure(policy.threeDSecure),
    inferredCodes: policy.inferredCodes ?? false,
  };
}

function completeAvs({
  enabled = true,
  acceptableCodes,
  notAcceptable = 'review',
  noMatch = 'review',
  international = 'as_recommended',
  missing = 'accept',
}: AvsPolicy = {}): CompleteAvsPolicy {
  const acceptable = acceptableCodes === undefined ? undefined : new Set<string>(acceptableCodes);
  return { enabled, acceptableCodes: acceptable, notAcceptable, noMatch, international, missing };
}

function completeCvv({
  enabled = true,
  mismatch = 'decline',
  unverified = 'review',
  missing = 'accept',
}: CvvPolicy = {}): CompleteCvvPolicy {
  return { enabled, mismatch, unverified, missing };
}

function completeRisk({
  enabled = true,
  thresholds,
  unverified = 'decline',
  verified = 'review',
  followDecision = true,
  missing = 'accept',
}: RiskPolicy = {}): CompleteRiskPolicy {
  return {
    enabled,
    thresholds: completeThresholds(thresholds),
    unverified,
    verified,
    followDecision,
    missing,
  };
}

function completeThresholds({
  monitor = 21,
  review = 41,
  verify = 61,
  decline = 81,
}: ScoreThresholds = {}): CompleteRiskPolicy['thresholds'] {
  const thresholds = { monitor, review, verify, decline };
  refuseDisorder('policy.risk.thresholds', Object.entries(thresholds));
  return thresholds;
}

function refuseDisorder(path: string, thresholds: readonly (readonly [name: string, score: number])[]): void {
  let [lower, floor] = ['', 0];
  for (const [name, score] of thresholds) {
    if (score < floor) {
      throw new RangeError(
        problem(`${path}.${name}`, `a score from ${floor}, where ${lower} starts`, `the number ${score}`),
      );
    }
    [lower, floor] = [name, score];
  }
}

function completeThreeDSecure({
  enabled = true,
  required = false,
  exemptions: { amountUpTo, scoreUpTo } = {},
  missing = 'review',
  failed = 'decline',
  unavailable = 'review',
}: ThreeDSecurePolicy = {}): CompleteThreeDSecurePolicy {
  const amount = amountUpTo === undefined ? undefined : parseDecimal('amountUpTo', amountUpTo);
  return {
    enabled,
    required,
    exemptions: { amountUpTo: amount, scoreUpTo },
    missing,
    failed,
    unavailable,
  };
}

/** The interface's recommendations. */
export const interfacePolicy: CompletePolicy = /* @__PURE__ */ completePolicy({});
