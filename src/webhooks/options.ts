import { refuse } from '../base/errors.ts';
import { type Logger, loggerSchema } from '../base/logger.ts';
import { environmentVariable } from '../base/runtime/runtime.ts';
import {
  functionOf,
  having,
  integerFrom,
  optionsObject,
  optionsOf,
  timeFrom,
  unchecked,
} from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import { conforms, issuesOf } from '../base/schema/validation.ts';
import type { ServiceInterface } from '../resources/service/service-interface.ts';
import type { EventValidation } from './events/parse.ts';
import type { DeliveryInstrument } from './receiver/reports/report.ts';
import {
  collectSecrets,
  type ScopedSecret,
  type ScopedSecrets,
  type SecretLookup,
  secretVariable,
} from './secrets.ts';
import type { SignatureScheme } from './signatures/scheme.ts';
import { schemeIn } from './signatures/scheme-for.ts';

/** Options of {@link WebhookVerifier} other than its secrets. */
type WebhookSettings = {
  /**
   * The signature scheme of deliveries (not shown by the interface). Default: the scheme that `interface.webhooks` names, or
   * `standardWebhooks()` (*inferred*).
   */
  readonly scheme?: SignatureScheme | undefined;
  /**
   * What `npx payments-client probe` writes to `payments.interface.json`, typed or as parsed JSON, as the client takes it. Only its
   * `webhooks` is read. Default: none.
   */
  readonly interface?: ServiceInterface | Readonly<Record<string, unknown>> | undefined;
  /**
   * The largest accepted difference between a delivery's timestamp and now, in either direction, in ms. If the scheme signs no time, a
   * receiver trusts an event's `created` up to as much ahead of now. Default: 300 000 (5 minutes).
   */
  readonly tolerance?: number | undefined;
  /** The largest accepted body, in bytes. Default: 1 048 576 (1 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /**
   * How to treat a verified event of a known type whose fields differ from the interface. Default: `warn`, which accepts it
   * and lists the differences. With `throw`, only `verify` and `verifySync` reject it: a receiver loses no event.
   */
  readonly validation?: EventValidation | undefined;
  /**
   * Rejects events of the other mode, and events without a mode: pass `true` in production, so that no test event ships
   * goods. `verify` throws. A receiver calls `onUnreadable` and responds with 500, since the event is verified but its
   * endpoint is misconfigured. A bare chargeback notification has no such field (*shown*) and is accepted in both modes
   * (*inferred*). Default: accepts all.
   */
  readonly livemode?: boolean | undefined;
  /**
   * Logs one line per delivery of its receivers, such as `webhooks: refund.failed evt_1 handled`, with its report. The level is
   * `debug`, `info` for a refused delivery, and `error` for a failure. Accepts `console`, pino or winston. Default: no log.
   */
  readonly logger?: Logger | undefined;
  /** Wraps each delivery of its receivers, for example that of `openTelemetry()` of `payments-client/opentelemetry`. */
  readonly instrument?: DeliveryInstrument | undefined;
  /** Returns the present time, in ms since 1970. For tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
};

/** One signing secret. */
type OneSecret = {
  /**
   * The endpoint's signing secret. Default: the environment variable `PAYMENTS_WEBHOOK_SECRET`; without either a verifier refuses to
   * start.
   */
  readonly secret?: string | undefined;
  /** Must be absent. */
  readonly secrets?: undefined;
};

/** Several signing secrets. */
type SeveralSecrets = {
  /**
   * The secrets, in one of three ways:
   *
   * - a list of valid secrets, such as the new and the old one during a rotation;
   * - an object of secrets by endpoint scope, such as `{ platform: '…', connected: '…' }`; a handler finds the scope in its
   *   context;
   * - a function that returns the secrets of one delivery, for a platform with many merchants, and for secrets that rotate
   *   at run time.
   */
  readonly secrets: readonly string[] | ScopedSecrets | SecretLookup;
  /** Must be absent. */
  readonly secret?: undefined;
};

/** Options of {@link WebhookVerifier}, and of `Webhooks`. */
export type WebhooksOptions = WebhookSettings & (OneSecret | SeveralSecrets);

const optionsSchema = /* @__PURE__ */ optionsOf<WebhookSettings & SeveralSecrets>(() => ({
  // Only the scheme knows which secrets are valid.
  secret: unchecked(),
  secrets: unchecked(),
  scheme: s.optional(having<SignatureScheme>('a scheme, such as standardWebhooks()', 'verify', 'sign')),
  // Its reader validates it.
  interface: unchecked(),
  tolerance: s.optional(timeFrom(1)),
  maxBodyBytes: s.optional(integerFrom(1, undefined, 'bytes')),
  validation: s.optional(s.literal(['warn', 'throw', 'off'])),
  livemode: s.optional(s.boolean()),
  logger: loggerSchema,
  instrument: s.optional(functionOf<DeliveryInstrument>()),
  now: s.optional(functionOf<() => number>()),
}));

/** The options of a {@link WebhookVerifier} with the defaults filled in. Its receivers have them too. */
export interface ActiveWebhooksOptions {
  readonly scheme: SignatureScheme;
  readonly secrets: readonly ScopedSecret[] | SecretLookup;
  readonly tolerance: number;
  readonly maxBodyBytes: number;
  readonly validation: EventValidation;
  readonly livemode: boolean | undefined;
  readonly logger: Logger | undefined;
  readonly instrument: DeliveryInstrument | undefined;
  readonly now: () => number;
}

/** @throws ConfigurationError for a missing or invalid secret, or a wrong option. */
export function activeWebhooksOptions(given: WebhooksOptions | undefined): ActiveWebhooksOptions {
  const options = optionsObject(given, 'new Webhooks({ secret })');
  if (!conforms(optionsSchema, options))
    refuse(issuesOf(optionsSchema, options), 'Correct the options of Webhooks.');
  const scheme = options.scheme ?? schemeIn(options.interface);
  const { secrets } = options;
  const own = secrets === undefined ? environmentVariable(secretVariable) : undefined;
  const secret = options.secret ?? own;
  return {
    scheme,
    secrets:
      secret === undefined && typeof secrets === 'function'
        ? secrets
        : collectSecrets({ secret, secrets }, scheme),
    tolerance: options.tolerance ?? 300_000,
    maxBodyBytes: options.maxBodyBytes ?? 1_048_576,
    validation: options.validation ?? 'warn',
    livemode: options.livemode,
    logger: options.logger,
    instrument: options.instrument,
    now: options.now ?? Date.now,
  };
}
