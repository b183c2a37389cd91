import { maxTimer } from '../base/integer.ts';
import { having, integerFrom, optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { checkFraudPolicy } from '../fraud/assess.ts';
import type { FraudPolicy } from '../fraud/policy.ts';
import { typicalVelocityRules, type VelocityRule } from '../fraud/velocity-rules.ts';
import type { SignatureScheme } from '../webhooks/signatures/scheme.ts';
import { standardWebhooks } from '../webhooks/signatures/standard-webhooks.ts';
import { type ErrorShape, errorShapes } from './api/reply/error-shape.ts';
import type { ObjectPlace } from './api/reply/object-place.ts';
import { checkOptions } from './domain/check-options.ts';
import { type MoneySettings, usualMoney } from './domain/money-settings.ts';
import { newKeys, type SandboxKeys } from './keys.ts';
import type { FormResponse } from './transact/form-response.ts';
import { type WebhookOption, webhookOption } from './webhooks/register-endpoint.ts';

/** What a sandbox can be made with. Everything has a default. */
export interface SandboxOptions {
  /** The secret key that `/v1` asks for; a live one is refused. Default: a new one that nobody can guess. */
  readonly secretKey?: string | undefined;
  /** The key that the form endpoint asks for as `security_key`. Default: a new one that nobody can guess. */
  readonly securityKey?: string | undefined;
  /** The key that browser scripts are given. Default: a new one. */
  readonly publicKey?: string | undefined;
  /** When the clock starts, in milliseconds since 1970. Default: the present time, to the second, so that
   * receivers of webhooks accept what it signs. Give one where a test compares times. */
  readonly startsAt?: number | undefined;
  /**
   * Whether the clock stands still until it is moved on, or moves on with real time as well, until the sandbox is
   * closed. A running one never keeps a process alive. Without `startsAt` it never falls behind the present.
   * Default: `still`.
   */
  readonly clock?: 'still' | 'running' | undefined;
  /** The field of a page that holds its items, which the interface does not show. Default: `data`. */
  readonly itemsField?: string | undefined;
  /**
   * Where an object stands in a reply, which the interface does not show: it is the whole body, or it stands in the
   * field `data`, or in one with the name of its type. Default: `whole`.
   */
  readonly objectPlace?: ObjectPlace | undefined;
  /**
   * How an error is written, which the interface does not show: `{ error: { code, message } }`, the fields alone, the
   * first of a list `errors`, problem details (RFC 9457), or `CODE: message` as text or as a page. Default: `nested`.
   */
  readonly errorShape?: ErrorShape | undefined;
  /**
   * The seed of the draws of faults that have a `probability`: the same seed, the same faults. Default: `sandbox`.
   */
  readonly seed?: string | number | undefined;
  /**
   * How the form endpoint writes its response: `name=value` pairs as they are, the same pairs percent-encoded, or
   * a JSON object. Default: `unescaped`.
   */
  readonly formResponse?: FormResponse | undefined;
  /**
   * How the form endpoint takes amounts, which the interface does not show: decimals such as `12.00`, or whole minor units. Default:
   * `decimal`.
   */
  readonly formAmounts?: 'decimal' | 'integer' | undefined;
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
  /** How deliveries are signed, which the interface does not show. Default: `standardWebhooks()`. */
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
  readonly [Name in Exclude<keyof SandboxOptions, 'velocityRules' | 'signedAt'>]-?: NonNullable<
    SandboxOptions[Name]
  >;
} & {
  /** `undefined` where it depends on where a delivery goes. */
  readonly signedAt: SandboxOptions['signedAt'];
  /** Every rule in full. */
  readonly velocityRules: readonly VelocityRule[];
};

const filled = () => s.optional(s.string('a non-empty string').check(s.filled('a non-empty string')));

const keyExpectation = 'a non-empty string, and no live key';
const isNotLive = (key: string) => !/_live_/i.test(key);

const itemsFieldExpectation = 'a name that no other field of a page has';
const isOwnField = (name: string) => name !== 'has_more' && name !== 'next_cursor';

const optionsSchema = optionsOf<SandboxOptions>({
  secretKey: s.optional(
    s.string(keyExpectation).check(s.filled(keyExpectation), s.refine(isNotLive, keyExpectation)),
  ),
  securityKey: filled(),
  publicKey: filled(),
  startsAt: s.optional(s.number('ms since 1970')),
  clock: s.optional(s.literal(['still', 'running'])),
  itemsField: s.optional(
    s
      .string(itemsFieldExpectation)
      .check(s.filled(itemsFieldExpectation), s.refine(isOwnField, itemsFieldExpectation)),
  ),
  objectPlace: s.optional(s.literal(['whole', 'data', 'type'])),
  errorShape: s.optional(s.literal(errorShapes)),
  seed: s.optional(s.union([s.string(), s.number()])),
  formResponse: s.optional(s.literal(['unescaped', 'escaped', 'json'])),
  formAmounts: s.optional(s.literal(['decimal', 'integer'])),
  unknownTokens: s.optional(s.literal(['approve', 'refuse'])),
  // Both are checked by the room of fraud, in its own words.
  velocityRules: unchecked(),
  fraudPolicy: unchecked(),
  webhooks: s.optional(s.array(webhookOption)),
  allowRemoteWebhooks: s.optional(s.boolean()),
  scheme: s.optional(having<SignatureScheme>('a scheme, such as standardWebhooks()', 'verify', 'sign')),
  signedAt: s.optional(s.literal(['clock', 'present'])),
  webhookTimeout: s.optional(integerFrom(1, maxTimer)),
  refunds: s.optional(s.literal(['automatic', 'manual'])),
  dunning: s.optional(s.array(integerFrom(1, 3650))),
  settlement: s.optional(s.literal(['daily', 'manual'])),
});

function readVelocityRules(rules: SandboxOptions['velocityRules'] = []): readonly VelocityRule[] {
  return rules === 'typical' ? typicalVelocityRules({ dailyAmountPerCard: '500.00' }) : rules;
}

function readFraudPolicy(policy: SandboxOptions['fraudPolicy'] = 'none'): FraudPolicy | 'none' {
  return policy === 'none' ? policy : checkFraudPolicy(policy);
}

/**
 * The options, with defaults for those that are left out.
 *
 * @throws RangeError for one that is wrong or not known.
 */
export function readOptions(options: SandboxOptions, keys: SandboxKeys = newKeys()): Settings {
  checkOptions('createSandbox', optionsSchema, options);
  return {
    secretKey: options.secretKey ?? keys.secretKey,
    securityKey: options.securityKey ?? keys.securityKey,
    publicKey: options.publicKey ?? keys.publicKey,
    startsAt: options.startsAt ?? Math.floor(Date.now() / 1000) * 1000,
    clock: options.clock ?? 'still',
    itemsField: options.itemsField ?? 'data',
    objectPlace: options.objectPlace ?? 'whole',
    errorShape: options.errorShape ?? 'nested',
    seed: options.seed ?? 'sandbox',
    formResponse: options.formResponse ?? 'unescaped',
    formAmounts: options.formAmounts ?? 'decimal',
    unknownTokens: options.unknownTokens ?? 'approve',
    velocityRules: readVelocityRules(options.velocityRules),
    fraudPolicy: readFraudPolicy(options.fraudPolicy),
    webhooks: options.webhooks ?? [],
    allowRemoteWebhooks: options.allowRemoteWebhooks ?? false,
    scheme: options.scheme ?? standardWebhooks(),
    signedAt: options.signedAt,
    webhookTimeout: options.webhookTimeout ?? 10_000,
    refunds: options.refunds ?? usualMoney.refunds,
    dunning: options.dunning ?? usualMoney.dunning,
    settlement: options.settlement ?? usualMoney.settlement,
  };
}
