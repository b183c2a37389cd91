import type { ServiceInterface } from 'payments-client';
import { typicalVelocityRules, type VelocityRule } from 'payments-client/fraud';
import type { SignatureScheme } from 'payments-client/webhooks';
import { checkOptions } from './base/check-options.ts';
import { maxTimer } from './base/integer.ts';
import type { SecretEncoding } from './base/interface-types.ts';
import { refuse } from './base/refuse.ts';
import * as s from './base/schema.ts';
import { type Forms, readForms } from './domain/forms.ts';
import { type MoneySettings, usualMoney } from './domain/state.ts';
import { newKeys, type SandboxKeys } from './keys.ts';
import { schemeFor } from './sdk.ts';
import { type WebhookOption, webhookOption } from './webhooks/endpoint.ts';
import { encodeSecret } from './webhooks/new-secret.ts';

/** Options of a sandbox. All have a default. */
export interface SandboxOptions {
  /** The secret key for `/v1`; a live key is rejected. Default: a new random key. */
  readonly secretKey?: string | undefined;
  /** The key for the form endpoint, sent as `security_key`; a live key is rejected. Default: a new random key. */
  readonly securityKey?: string | undefined;
  /** The key for browser scripts; a live key is rejected. Default: a new random key. */
  readonly publicKey?: string | undefined;
  /**
   * The signing secret of the endpoints in `webhooks` that have no `secret` of their own; a live key is rejected. Default: a new
   * random secret.
   */
  readonly webhookSecret?: string | undefined;
  /** The shop's name on the hosted checkout. Default: `Test shop`. */
  readonly merchantName?: string | undefined;
  /**
   * The initial time of the clock, in milliseconds since 1970. Set it where a test compares times. Default: the
   * current time, rounded down to the second, so that webhook receivers accept its signatures.
   */
  readonly startsAt?: number | undefined;
  /**
   * Whether the clock stands still until `advance` moves it, or also runs with real time until the sandbox is closed.
   * A running clock never keeps a process alive. Without `startsAt` it never falls behind real time. Default:
   * `still`.
   */
  readonly clock?: 'still' | 'running' | undefined;
  /**
   * The parts of the service that its interface does not show: the same object that the client takes, also as parsed
   * JSON. It does not apply to the objects of the sandbox's own methods and of the dashboard, which keep the
   * defaults.
   *
   * Defaults:
   *
   * - the inferred routes;
   * - a page's items in `data`, and the object as the whole body;
   * - errors as `{ error: { code, message } }`, and timestamps in seconds;
   * - deletions that return the object;
   * - plain `name=value` pairs from the form endpoint, which accepts both encodings.
   */
  readonly interface?: ServiceInterface | Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether a new checkout session and a form request keep only the fields that the interface shows, as the service may do.
   * Others are ignored: a session has null or its default there, and the sandbox writes their names to the console once. A form
   * request also keeps `transactionid`, without which a capture, void or refund means nothing. Default: false.
   */
  readonly onlyShownFields?: boolean | undefined;
  /**
   * The random seed: the same calls with the same seed create the same ids, and faults with a `probability` hit the same
   * requests. Keys and signing secrets stay random. Default: the ids of each sandbox are new, since a receiver ignores an event whose id it has handled before.
   */
  readonly seed?: string | number | undefined;
  /**
   * How to treat a `payment_token` that `sandbox.tokenize` did not create: as a card that pays, or as an error.
   * Default: `approve`, so that a test can use any text.
   */
  readonly unknownTokens?: 'approve' | 'refuse' | undefined;
  /**
   * The velocity rules of the merchant control panel, for the form endpoint. `typical` stands for the four examples
   * of the interface, with 500.00 a day per card. Rules can count by `card`, `ip` or `email`. Default: none.
   */
  readonly velocityRules?: 'typical' | readonly VelocityRule[] | undefined;
  /** Webhook endpoints to register at the start. Default: none. */
  readonly webhooks?: readonly WebhookOption[] | undefined;
  /**
   * Whether endpoints that are registered over HTTP may be on other machines. Endpoints that your code registers always may.
   * Default: false.
   */
  readonly allowRemoteWebhooks?: boolean | undefined;
  /**
   * The signature scheme of deliveries, which the interface does not show. Default: the scheme that
   * `interface.webhooks` names, or `standardWebhooks()`.
   */
  readonly scheme?: SignatureScheme | undefined;
  /**
   * The time in the signatures of deliveries: real time, which a receiver has, or the sandbox's clock, for a receiver with
   * `new Webhooks({ now: sandbox.clock.now })`. Default: `present`.
   */
  readonly signedAt?: 'clock' | 'present' | undefined;
  /** The timeout of a delivery, in milliseconds of real time. Default: 10,000. */
  readonly webhookTimeout?: number | undefined;
  /**
   * Whether a pending refund succeeds by itself, a minute after its creation by the sandbox's clock. Default:
   * `automatic`.
   */
  readonly refunds?: MoneySettings['refunds'] | undefined;
  /**
   * The days between a declined attempt to collect an invoice and the next one. After the last one the invoice
   * becomes uncollectible. Default: `[1, 3, 5, 7]`.
   */
  readonly dunning?: MoneySettings['dunning'] | undefined;
  /** Whether a batch is settled at each midnight in UTC, or only by `sandbox.settle()`. Default: `manual`. */
  readonly settlement?: MoneySettings['settlement'] | undefined;
  /**
   * Whether an expired checkout session can still be paid, as a payment that began before the expiry may be: the interface does
   * not show that it cannot. Default: `closed`.
   */
  readonly expiredSessions?: MoneySettings['expiredSessions'] | undefined;
}

/** The options with all defaults applied. */
export type Settings = {
  readonly [Name in Exclude<keyof SandboxOptions, 'velocityRules' | 'interface'>]-?: NonNullable<
    SandboxOptions[Name]
  >;
} & {
  /** The parts of the service that its interface does not show. */
  readonly forms: Forms;
  readonly secretEncoding: SecretEncoding;
  /** The velocity rules with all fields. */
  readonly velocityRules: readonly VelocityRule[];
};

const keyExpectation = 'a non-empty string that is not a live key';
const isNotLive = (key: string) => !/_live_/i.test(key);
const key = () => s.optional(s.filled(keyExpectation).check(s.refine(isNotLive, keyExpectation)));

const optionsSchema = s.optionsOf<SandboxOptions>(() => ({
  secretKey: key(),
  securityKey: key(),
  publicKey: key(),
  webhookSecret: key(),
  merchantName: s.optional(s.filled()),
  startsAt: s.optional(s.number('ms since 1970')),
  clock: s.optional(s.literal(['still', 'running'])),
  // Its reader validates it.
  interface: s.unchecked(),
  onlyShownFields: s.optional(s.boolean()),
  seed: s.optional(s.union([s.string(), s.number()])),
  unknownTokens: s.optional(s.literal(['approve', 'refuse'])),
  // The `fraud` room validates them, with its own messages.
  velocityRules: s.unchecked(),
  webhooks: s.optional(s.array(webhookOption)),
  allowRemoteWebhooks: s.optional(s.boolean()),
  scheme: s.optional(s.having<SignatureScheme>('a scheme, such as standardWebhooks()', 'verify', 'sign')),
  signedAt: s.optional(s.literal(['clock', 'present'])),
  webhookTimeout: s.optional(s.integerFrom(1, maxTimer, 'ms')),
  refunds: s.optional(s.literal(['automatic', 'manual'])),
  dunning: s.optional(s.array(s.integerFrom(1, 3650))),
  settlement: s.optional(s.literal(['daily', 'manual'])),
  expiredSessions: s.optional(s.literal(['closed', 'payable'])),
}));

function readVelocityRules(rules: SandboxOptions['velocityRules'] = []): readonly VelocityRule[] {
  return rules === 'typical' ? typicalVelocityRules({ dailyAmountPerCard: '500.00' }) : rules;
}

/** Returns the signature scheme. The option has precedence over `interface.webhooks`. */
function readScheme(
  { scheme }: SandboxOptions,
  { webhooks }: Forms,
): Pick<Settings, 'scheme' | 'secretEncoding'> {
  if (scheme !== undefined) return { scheme, secretEncoding: 'text' };
  const encoding = webhooks?.scheme === 'standardWebhooks' ? undefined : webhooks?.secretEncoding;
  return { scheme: schemeFor(webhooks), secretEncoding: encoding ?? 'text' };
}

function checkWebhookSecret({ webhookSecret }: SandboxOptions, { checkSecret }: SignatureScheme): void {
  const received = webhookSecret === undefined ? undefined : checkSecret?.(webhookSecret);
  if (received === undefined) return;
  const issue = { path: 'createSandbox.webhookSecret', expected: 'a signing secret of the scheme', received };
  refuse([issue], 'Correct the option.');
}

/**
 * Reads the options and applies the defaults.
 *
 * @throws ConfigurationError for an invalid or unknown option. The form endpoint checks `velocityRules`.
 */
export function readOptions(options: SandboxOptions, keys: SandboxKeys = newKeys()): Settings {
  checkOptions('createSandbox', optionsSchema, options);
  const forms = readForms(options.interface);
  const signing = readScheme(options, forms);
  checkWebhookSecret(options, signing.scheme);
  return {
    secretKey: options.secretKey ?? keys.secretKey,
    securityKey: options.securityKey ?? keys.securityKey,
    publicKey: options.publicKey ?? keys.publicKey,
    webhookSecret: options.webhookSecret ?? encodeSecret(keys.webhookSecret, signing.secretEncoding),
    merchantName: options.merchantName ?? 'Test shop',
    startsAt: options.startsAt ?? Math.floor(Date.now() / 1000) * 1000,
    clock: options.clock ?? 'still',
    forms,
    onlyShownFields: options.onlyShownFields ?? false,
    seed: options.seed ?? 'sandbox',
    unknownTokens: options.unknownTokens ?? 'approve',
    velocityRules: readVelocityRules(options.velocityRules),
    webhooks: options.webhooks ?? [],
    allowRemoteWebhooks: options.allowRemoteWebhooks ?? false,
    ...signing,
    signedAt: options.signedAt ?? 'present',
    webhookTimeout: options.webhookTimeout ?? 10_000,
    refunds: options.refunds ?? usualMoney.refunds,
    dunning: options.dunning ?? usualMoney.dunning,
    settlement: options.settlement ?? usualMoney.settlement,
    expiredSessions: options.expiredSessions ?? usualMoney.expiredSessions,
  };
}
