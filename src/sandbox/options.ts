import { maxTimer } from '../base/integer.ts';
import { messageOf } from '../base/message-of.ts';
import { having, integerFrom, optionsOf, timeFrom, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { compileFraudPolicy, type FraudAssessor } from '../fraud/assess.ts';
import type { FraudPolicy } from '../fraud/policy.ts';
import { typicalVelocityRules, type VelocityRule } from '../fraud/velocity-rules.ts';
import type { ServiceInterface } from '../resources/service-interface.ts';
import type { SecretEncoding } from '../resources/webhook-form.ts';
import type { SignatureScheme } from '../webhooks/signatures/scheme.ts';
import { schemeFor } from '../webhooks/signatures/scheme-for.ts';
import { checkOptions } from './domain/check-options.ts';
import { type Forms, readForms } from './domain/forms.ts';
import { type MoneySettings, usualMoney } from './domain/money-settings.ts';
import { newKeys, type SandboxKeys } from './keys.ts';
import { type WebhookOption, webhookOption } from './webhooks/register-endpoint.ts';

/** What a sandbox can be made with. Everything has a default. */
export interface SandboxOptions {
  /** The secret key that `/v1` asks for; a live one is refused. Default: a new one that nobody can guess. */
  readonly secretKey?: string | undefined;
  /** The key that the form endpoint asks for as `security_key`. Default: a new one that nobody can guess. */
  readonly securityKey?: string | undefined;
  /** The key that browser scripts are given. Default: a new one. */
  readonly publicKey?: string | undefined;
  /** The shop's name, as buyers see it on the hosted checkout. Default: `Test shop`. */
  readonly merchantName?: string | undefined;
  /** When the clock starts, in milliseconds since 1970. Default: the present time, to the second, so that
   * receivers of webhooks accept what it signs. Give one where a test compares times. */
  readonly startsAt?: number | undefined;
  /**
   * Whether the clock stands still until it is moved on, or moves on with real time as well, until the sandbox is
   * closed. A running one never keeps a process alive. Without `startsAt` it never falls behind the present.
   * Default: `still`.
   */
  readonly clock?: 'still' | 'running' | undefined;
  /**
   * The forms of the service that its interface does not show: the same object that the client takes, also as parsed JSON. Objects that
   * methods of the sandbox give and take, and the dashboard, keep the forms that are the default.
   *
   * Default: the inferred routes, items in `data`, the object as the whole body, errors as `{ error: { code, message } }`, timestamps in
   * seconds, deletions that answer the object, and `name=value` pairs as they are from the form endpoint, which takes both encodings.
   */
  readonly interface?: ServiceInterface | Readonly<Record<string, unknown>> | undefined;
  /**
   * The seed of the draws of faults that have a `probability`: the same seed, the same faults. Default: `sandbox`.
   */
  readonly seed?: string | number | undefined;
  /**
   * What a `payment_token` is that `sandbox.tokenize` has not made: a good card, or an error. Default: `approve`, so
   * that a test may write any token.
   */
  readonly unknownTokens?: 'approve' | 'refuse' | undefined;
  /**
   * The velocity rules of the merchant control panel, for the form endpoint; `typical` has the four examples of the
   * interface, with 500.00 a day per card. Rules may count per `card`, `ip` or `email`. Default: none.
   */
  readonly velocityRules?: 'typical' | readonly VelocityRule[] | undefined;
  /**
   * The other fraud settings of the merchant control panel, for the form endpoint: what they decline is declined, what
   * they review is approved with `risk_decision` `R`. Default: `none`: only the fraud scoring decides.
   */
  readonly fraudPolicy?: FraudPolicy | 'none' | undefined;
  /** Endpoints that events are delivered to from the start. Default: none. */
  readonly webhooks?: readonly WebhookOption[] | undefined;
  /**
   * Whether endpoints that are registered over HTTP may be on other machines. Those given in code always may.
   * Default: false.
   */
  readonly allowRemoteWebhooks?: boolean | undefined;
  /**
   * How deliveries are signed, which the interface does not show. Default: what `interface.webhooks` names, or `standardWebhooks()`.
   */
  readonly scheme?: SignatureScheme | undefined;
  /**
   * The time that deliveries are signed with: the sandbox's, or the present one. Default: the sandbox's for functions of this process, and the
   * present for addresses, since an app in another process has a clock of its own.
   */
  readonly signedAt?: 'clock' | 'present' | undefined;
  /** How long an endpoint may take to answer a delivery, in milliseconds of real time. Default: 10,000. */
  readonly webhookTimeout?: number | undefined;
  /** Whether a pending refund ends by itself, a minute of the clock after it was asked for. Default: `automatic`. */
  readonly refunds?: MoneySettings['refunds'] | undefined;
  /**
   * The days after each declined attempt to collect an invoice until the next one; when the last is declined too, the
   * invoice is uncollectible. Default: `[1, 3, 5, 7]`.
   */
  readonly dunning?: MoneySettings['dunning'] | undefined;
  /** Whether a batch is settled at each midnight in UTC, or only by `sandbox.settle()`. Default: `manual`. */
  readonly settlement?: MoneySettings['settlement'] | undefined;
}

/** The options with every default filled in. */
export type Settings = {
  readonly [Name in Exclude<
    keyof SandboxOptions,
    'velocityRules' | 'fraudPolicy' | 'signedAt' | 'interface'
  >]-?: NonNullable<SandboxOptions[Name]>;
} & {
  /** The forms of the service that its interface does not show. */
  readonly forms: Forms;
  /** How the secrets of the scheme are written. */
  readonly secretEncoding: SecretEncoding;
  /** `undefined` where it depends on where a delivery goes. */
  readonly signedAt: SandboxOptions['signedAt'];
  /** Every rule in full. */
  readonly velocityRules: readonly VelocityRule[];
  /** The compiled `fraudPolicy`; `undefined` if there is none. */
  readonly assessFraud: FraudAssessor | undefined;
};

const filled = () => s.optional(s.string('a non-empty string').check(s.filled('a non-empty string')));

const keyExpectation = 'a non-empty string, and no live key';
const isNotLive = (key: string) => !/_live_/i.test(key);

const optionsSchema = optionsOf<SandboxOptions>({
  secretKey: s.optional(
    s.string(keyExpectation).check(s.filled(keyExpectation), s.refine(isNotLive, keyExpectation)),
  ),
  securityKey: filled(),
  publicKey: filled(),
  merchantName: filled(),
  startsAt: s.optional(s.number('ms since 1970')),
  clock: s.optional(s.literal(['still', 'running'])),
  // Checked by the functions that read it.
  interface: unchecked(),
  seed: s.optional(s.union([s.string(), s.number()])),
  unknownTokens: s.optional(s.literal(['approve', 'refuse'])),
  // Both are checked by the room of fraud, in its own words.
  velocityRules: unchecked(),
  fraudPolicy: unchecked(),
  webhooks: s.optional(s.array(webhookOption)),
  allowRemoteWebhooks: s.optional(s.boolean()),
  scheme: s.optional(having<SignatureScheme>('a scheme, such as standardWebhooks()', 'verify', 'sign')),
  signedAt: s.optional(s.literal(['clock', 'present'])),
  webhookTimeout: s.optional(timeFrom(1, maxTimer)),
  refunds: s.optional(s.literal(['automatic', 'manual'])),
  dunning: s.optional(s.array(integerFrom(1, 3650))),
  settlement: s.optional(s.literal(['daily', 'manual'])),
});

function readVelocityRules(rules: SandboxOptions['velocityRules'] = []): readonly VelocityRule[] {
  return rules === 'typical' ? typicalVelocityRules({ dailyAmountPerCard: '500.00' }) : rules;
}

function readFraudPolicy(policy: SandboxOptions['fraudPolicy'] = 'none'): FraudAssessor | undefined {
  return policy === 'none' ? undefined : compileFraudPolicy(policy);
}

/** How deliveries are signed. A scheme in code outranks the one that the interface names. */
function readScheme(
  { scheme }: SandboxOptions,
  { webhooks }: Forms,
): Pick<Settings, 'scheme' | 'secretEncoding'> {
  if (scheme !== undefined) return { scheme, secretEncoding: 'text' };
  const encoding = webhooks?.scheme === 'standardWebhooks' ? undefined : webhooks?.secretEncoding;
  try {
    return { scheme: schemeFor(webhooks), secretEncoding: encoding ?? 'text' };
  } catch (error) {
    throw new RangeError(`createSandbox.interface.webhooks: ${messageOf(error)}`);
  }
}

/**
 * The options, with defaults for those that are left out.
 *
 * @throws RangeError for one that is wrong or not known.
 */
export function readOptions(options: SandboxOptions, keys: SandboxKeys = newKeys()): Settings {
  checkOptions('createSandbox', optionsSchema, options);
  const forms = readForms(options.interface);
  return {
    secretKey: options.secretKey ?? keys.secretKey,
    securityKey: options.securityKey ?? keys.securityKey,
    publicKey: options.publicKey ?? keys.publicKey,
    merchantName: options.merchantName ?? 'Test shop',
    startsAt: options.startsAt ?? Math.floor(Date.now() / 1000) * 1000,
    clock: options.clock ?? 'still',
    forms,
    seed: options.seed ?? 'sandbox',
    unknownTokens: options.unknownTokens ?? 'approve',
    velocityRules: readVelocityRules(options.velocityRules),
    assessFraud: readFraudPolicy(options.fraudPolicy),
    webhooks: options.webhooks ?? [],
    allowRemoteWebhooks: options.allowRemoteWebhooks ?? false,
    ...readScheme(options, forms),
    signedAt: options.signedAt,
    webhookTimeout: options.webhookTimeout ?? 10_000,
    refunds: options.refunds ?? usualMoney.refunds,
    dunning: options.dunning ?? usualMoney.dunning,
    settlement: options.settlement ?? usualMoney.settlement,
  };
}
