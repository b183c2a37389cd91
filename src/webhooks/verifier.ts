import { brandClass, configurationError, refuse } from '../base/errors.ts';
import { describeValue, issueAt } from '../base/issue.ts';
import { type Logger, loggerSchema } from '../base/logger.ts';
import {
  checkOptions,
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
import type { VerifiedEvent } from './events/event.ts';
import { type EventReading, type EventValidation, readVerified, withIssues } from './events/parse.ts';
import { toRawBody, type WebhookBody } from './events/payload.ts';
import { type DeliveryHeaders, lookUpIn, requireHeaders, signatureHeadersIn } from './headers.ts';
import type { Delivery } from './receiver/adapters/endpoint.ts';
import type { ReceiverSettings } from './receiver/options.ts';
import type { DeliveryReader } from './receiver/receiver.ts';
import type { DeliveryInstrument } from './receiver/reports/report.ts';
import {
  collectSecrets,
  lookUpSecrets,
  type ScopedSecret,
  type ScopedSecrets,
  type SecretLookup,
} from './secrets.ts';
import { whenKnown } from './signatures/prepared-key.ts';
import type { RawBody, SignatureScheme } from './signatures/scheme.ts';
import { schemeIn } from './signatures/scheme-for.ts';
import { unverified, type WebhookVerificationError } from './verification-error.ts';

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
   * The largest accepted difference between a delivery's timestamp and now, in either direction, in ms. Default: 300
   * 000 (5 minutes).
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
  /** The endpoint's signing secret. `undefined`, for example from an unset variable, is rejected at run time. */
  readonly secret: string | undefined;
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

/** Options of `sign`. */
type SignOptions = {
  /** The id of the delivery, for schemes that sign it. Default: random. */
  readonly id?: string | undefined;
  /** When it is sent, in ms since 1970. Default: now. */
  readonly timestamp?: number | undefined;
  /** The secret. Default: the first secret of this `Webhooks`; none if `secrets` is a function. */
  readonly secret?: string | undefined;
};

/** A verified body and the scope of its secret. */
interface Authentic {
  readonly body: RawBody;
  readonly scope: string | undefined;
}

/** Returns whether a secret signed the delivery. */
type IsSignedBy = (secret: string) => boolean | Promise<boolean>;

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

const signOptionsSchema = /* @__PURE__ */ optionsOf<SignOptions>(() => ({
  id: s.optional(s.string()),
  timestamp: s.optional(s.number('ms since 1970')),
  secret: s.optional(s.string()),
}));

/** A time that is not a number is never outside the tolerance, so every replay would be accepted. */
function checkedClock(now: () => number): () => number {
  return () => {
    const time: unknown = now();
    if (typeof time === 'number' && Number.isFinite(time)) return time;
    throw configurationError([issueAt('now()', 'ms since 1970', time)], 'Nothing was verified or signed.');
  };
}

/**
 * Verifies the deliveries of the service's webhooks and reads the events in them. It has no receiver, so it is small in a bundle: an edge
 * function or a queue of your own needs no more. `Webhooks` has all of it, and makes receivers.
 *
 * @example
 * const verifier = new WebhookVerifier({ secret: process.env.PAYMENTS_WEBHOOK_SECRET });
 * const event = await verifier.verify(rawBody, request.headers);
 * if (event.type === 'refund.failed') alert(event.data.object.failure_message);
 */
export class WebhookVerifier {
  /** @internal */
  static readonly brand: symbol = /* @__PURE__ */ brandClass(this, 'WebhookVerifier');
  readonly #scheme: SignatureScheme;
  readonly #secrets: readonly ScopedSecret[] | SecretLookup;
  readonly #tolerance: number;
  readonly #validation: EventValidation;
  readonly #livemode: boolean | undefined;
  readonly #now: () => number;
  readonly #maxBodyBytes: number;
  readonly #settings: ReceiverSettings;

  /** @throws ConfigurationError for a missing or invalid secret, or a wrong option. */
  constructor(options: WebhooksOptions) {
    options = optionsObject(options, 'new Webhooks({ secret })');
    if (!conforms(optionsSchema, options))
      refuse(issuesOf(optionsSchema, options), 'Correct the options of Webhooks.');
    this.#scheme = options.scheme ?? schemeIn(options.interface);
    const { secret, secrets } = options;
    this.#secrets =
      secret === undefined && typeof secrets === 'function' ? secrets : collectSecrets(options, this.#scheme);
    this.#tolerance = options.tolerance ?? 300_000;
    this.#validation = options.validation ?? 'warn';
    this.#livemode = options.livemode;
    this.#now = checkedClock(options.now ?? Date.now);
    this.#maxBodyBytes = options.maxBodyBytes ?? 1_048_576;
    this.#settings = { logger: options.logger, instrument: options.instrument };
  }

  /**
   * Verifies the signature of a delivery and returns its event. `event.issues` lists its differences from the interface.
   *
   * @param rawBody The body as received, byte for byte; never the parsed body.
   * @param url The path and query of the request, needed if `secrets` is a function.
   * @throws WebhookVerificationError when the delivery is not from the service, or is not an event that you accept; see
   *   `reason`.
   * @throws ConfigurationError when `secrets` is a function and returns a wrong secret, or `now` returns no time. Errors of
   *   both functions pass through unchanged.
   */
  async verify(rawBody: WebhookBody, headers: DeliveryHeaders, url?: string): Promise<VerifiedEvent> {
    return this.#eventIn(await this.#authenticate({ body: rawBody, headers, url }));
  }

  /**
   * Verifies the signature of a delivery and returns its event without a promise. Takes the same arguments as `verify`.
   * Works on runtimes with synchronous cryptography: Node, Bun and Deno.
   *
   * @throws WebhookVerificationError as `verify` does.
   * @throws ConfigurationError as `verify` does, and if the runtime or the scheme can only verify asynchronously, or
   *   `secrets` returns a promise. Errors of `secrets` pass through unchanged.
   */
  verifySync(rawBody: WebhookBody, headers: DeliveryHeaders, url?: string): VerifiedEvent {
    const authentic = this.#authenticate({ body: rawBody, headers, url });
    if (!(authentic instanceof Promise)) return this.#eventIn(authentic);
    // Prevents an unhandled rejection; the error below is thrown instead.
    authentic.catch(() => undefined);
    const received =
      typeof this.#secrets === 'function'
        ? 'a promise of secrets, or a runtime or scheme without it'
        : 'a runtime or scheme without it';
    throw configurationError(
      [{ path: 'verifySync', expected: 'synchronous cryptography', received }],
      'Use await verify() here.',
    );
  }

  /**
   * Returns the headers that sign a body, with the scheme and the secret of this `Webhooks`. For tests of your handler.
   *
   * @throws ConfigurationError for a secret that cannot sign, such as a public key, a wrong body or a wrong option.
   */
  async sign(body: RawBody, options: SignOptions = {}): Promise<Readonly<Record<string, string>>> {
    if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
      const received = describeValue(body, 'body', true);
      refuse([{ path: 'sign.body', expected: 'a string or bytes', received }], 'Nothing was signed.');
    }
    checkOptions('sign', signOptionsSchema, options, 'Nothing was signed.');
    const {
      id = `msg_${crypto.randomUUID()}`,
      timestamp = this.#now(),
      secret = this.#ownSecret(),
    } = options;
    return this.#scheme.sign({ body, id, timestamp, secret });
  }

  /** @internal What a receiver takes from it. */
  protected get reader(): DeliveryReader {
    return {
      ...this.#settings,
      maxBodyBytes: this.#maxBodyBytes,
      open: async (delivery) => {
        const { body, scope } = await this.#authenticate(delivery);
        return { rawBody: body, headers: delivery.headers, scope };
      },
      // A receiver must not lose an event because the service changed a field.
      read: (rawBody) => this.#read(rawBody, this.#validation === 'off' ? 'off' : 'warn'),
    };
  }

  /** Returns the body after matching its signature to a secret. */
  #authenticate(delivery: Delivery): Authentic | Promise<Authentic> {
    const { headers } = delivery;
    const body = toRawBody(delivery.body, this.#maxBodyBytes);
    requireHeaders(headers);
    const input = {
      body,
      header: lookUpIn(headers),
      signatureHeaders: () => signatureHeadersIn(headers),
      now: this.#now(),
      tolerance: this.#tolerance,
    };
    const isSignedBy: IsSignedBy = (secret) => this.#scheme.verify({ ...input, secret });
    return whenKnown(this.#secretsFor(delivery), (secrets) => firstMatch(secrets, body, isSignedBy));
  }

  #secretsFor({ headers, url }: Delivery): readonly ScopedSecret[] | Promise<readonly ScopedSecret[]> {
    const secrets = this.#secrets;
    if (typeof secrets !== 'function') return secrets;
    return lookUpSecrets(secrets, { headers, url }, this.#scheme);
  }

  #ownSecret(): string {
    const [first] = typeof this.#secrets === 'function' ? [] : this.#secrets;
    if (first !== undefined) return first.secret;
    const expected = 'a signing secret, since secrets is a function';
    throw configurationError([{ path: 'sign.secret', expected, received: 'none' }], 'Nothing was signed.');
  }

  #read(body: RawBody, validation: EventValidation): EventReading {
    return readVerified(body, { validation, livemode: this.#livemode });
  }

  #eventIn({ body }: Authentic): VerifiedEvent {
    return withIssues(this.#read(body, this.#validation));
  }
}

/** Tries the secrets in turn, starting at one of them. */
function firstMatch(
  secrets: readonly ScopedSecret[],
  body: RawBody,
  isSignedBy: IsSignedBy,
  index = 0,
): Authentic | Promise<Authentic> {
  const tried = secrets[index];
  if (tried === undefined) throw noMatch(secrets.length);
  return whenKnown(isSignedBy(tried.secret), (matches) =>
    matches ? { body, scope: tried.scope } : firstMatch(secrets, body, isSignedBy, index + 1),
  );
}

function noMatch(count: number): WebhookVerificationError {
  if (count === 0) {
    return unverified(
      'no_match',
      'expected secrets() to return a secret for the delivery, but it returned none. Its URL or headers name no known merchant, or the secret of the merchant is missing.',
    );
  }
  const secrets = count === 1 ? 'the secret' : `one of the ${count} secrets`;
  return unverified(
    'no_match',
    `expected a signature made with ${secrets}, got no match. The secret belongs to another endpoint, or the body was changed: pass it byte for byte, before any parser.`,
  );
}
