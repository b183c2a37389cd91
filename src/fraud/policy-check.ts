import { parseDecimal } from './decimal.ts';
import { Options } from './options.ts';
import type { FraudPolicy, Handling } from './policy.ts';
import { problem, refuseType } from './refuse.ts';

type Complete<T> = { readonly [Name in keyof T]-?: Exclude<T[Name], undefined> };
type Section<Name extends keyof FraudPolicy> = Complete<Exclude<FraudPolicy[Name], undefined>>;

/** The AVS part of a policy with nothing left out. */
export type CompleteAvsPolicy = Omit<Section<'avs'>, 'acceptableCodes'> & {
  /** `undefined`: what each code recommends. */
  readonly acceptableCodes: readonly string[] | undefined;
};
/** The CVV part of a policy with nothing left out. */
export type CompleteCvvPolicy = Section<'cvv'>;
/** The scoring part of a policy with nothing left out. */
export type CompleteRiskPolicy = Omit<Section<'risk'>, 'thresholds'> & {
  readonly thresholds: Complete<Section<'risk'>['thresholds']>;
};
/** The 3-D Secure part of a policy with nothing left out. */
export type CompleteThreeDSecurePolicy = Omit<Section<'threeDSecure'>, 'exemptions'> & {
  readonly exemptions: {
    /** In ten-thousandths. */
    readonly amountUpTo: bigint | undefined;
    readonly scoreUpTo: number | undefined;
  };
};

/** A policy with nothing left out. */
export interface CompletePolicy {
  readonly avs: CompleteAvsPolicy;
  readonly cvv: CompleteCvvPolicy;
  readonly risk: CompleteRiskPolicy;
  readonly threeDSecure: CompleteThreeDSecurePolicy;
}

const handlings: readonly Handling[] = ['accept', 'review', 'decline'];
const strictHandlings = ['review', 'decline'] as const;

/**
 * The policy with its defaults filled in.
 *
 * @throws TypeError for a value of the wrong kind and for a name that is not known.
 * @throws RangeError for a score out of bounds or thresholds out of order.
 */
export function completePolicy(policy: unknown): CompletePolicy {
  const options = new Options('policy', policy, ['avs', 'cvv', 'risk', 'threeDSecure']);
  return {
    avs: completeAvs(options),
    cvv: completeCvv(options),
    risk: completeRisk(options),
    threeDSecure: completeThreeDSecure(options),
  };
}

function completeAvs(policy: Options): CompleteAvsPolicy {
  const names = ['enabled', 'acceptableCodes', 'notAcceptable', 'noMatch', 'international', 'missing'];
  const options = new Options(policy.path('avs'), policy.get('avs'), names);
  return {
    enabled: options.flag('enabled', true),
    acceptableCodes: readCodes(options.path('acceptableCodes'), options.get('acceptableCodes')),
    notAcceptable: options.choice('notAcceptable', strictHandlings, 'review'),
    noMatch: options.choice('noMatch', strictHandlings, 'review'),
    international: options.choice('international', [...handlings, 'as_recommended'], 'as_recommended'),
    missing: options.choice('missing', handlings, 'accept'),
  };
}

function readCodes(path: string, value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return refuseType(path, 'an array of AVS codes', value);
  const codes: readonly unknown[] = value;
  return codes.map((code, index) =>
    typeof code === 'string' && /^[A-Z0-9]$/.test(code)
      ? code
      : refuseType(`${path}[${index}]`, "an AVS code such as 'Y'", code),
  );
}

function completeCvv(policy: Options): CompleteCvvPolicy {
  const names = ['enabled', 'mismatch', 'unverified', 'missing'];
  const options = new Options(policy.path('cvv'), policy.get('cvv'), names);
  return {
    enabled: options.flag('enabled', true),
    mismatch: options.choice('mismatch', ['decline', 'flag'], 'decline'),
    unverified: options.choice('unverified', handlings, 'review'),
    missing: options.choice('missing', handlings, 'accept'),
  };
}

function completeRisk(policy: Options): CompleteRiskPolicy {
  const names = ['enabled', 'thresholds', 'unverified', 'verified', 'followDecision', 'missing'];
  const options = new Options(policy.path('risk'), policy.get('risk'), names);
  return {
    enabled: options.flag('enabled', true),
    thresholds: completeThresholds(options),
    unverified: options.choice('unverified', strictHandlings, 'decline'),
    verified: options.choice('verified', handlings, 'review'),
    followDecision: options.flag('followDecision', true),
    missing: options.choice('missing', handlings, 'accept'),
  };
}

function completeThresholds(risk: Options): CompleteRiskPolicy['thresholds'] {
  const path = risk.path('thresholds');
  const names = ['monitor', 'review', 'verify', 'decline'];
  const options = new Options(path, risk.get('thresholds'), names);
  const thresholds = {
    monitor: options.integer('monitor', 0, 101, 21),
    review: options.integer('review', 0, 101, 41),
    verify: options.integer('verify', 0, 101, 61),
    decline: options.integer('decline', 0, 101, 81),
  };
  refuseDisorder(path, Object.entries(thresholds));
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

function completeThreeDSecure(policy: Options): CompleteThreeDSecurePolicy {
  const names = ['enabled', 'required', 'exemptions', 'missing', 'failed', 'unavailable'];
  const options = new Options(policy.path('threeDSecure'), policy.get('threeDSecure'), names);
  return {
    enabled: options.flag('enabled', true),
    required: options.flag('required', false),
    exemptions: completeExemptions(options),
    missing: options.choice('missing', strictHandlings, 'review'),
    failed: options.choice('failed', strictHandlings, 'decline'),
    unavailable: options.choice('unavailable', handlings, 'review'),
  };
}

function completeExemptions(threeDSecure: Options): CompleteThreeDSecurePolicy['exemptions'] {
  const names = ['amountUpTo', 'scoreUpTo'];
  const options = new Options(threeDSecure.path('exemptions'), threeDSecure.get('exemptions'), names);
  const amount = options.get('amountUpTo');
  return {
    amountUpTo: amount === undefined ? undefined : parseDecimal(options.path('amountUpTo'), amount),
    scoreUpTo: options.get('scoreUpTo') === undefined ? undefined : options.integer('scoreUpTo', 0, 100),
  };
}
