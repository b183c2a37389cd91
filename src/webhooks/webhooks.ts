import { checkOptions, optionsObject, refuse } from '../base/check-options.ts';
import { ConfigurationError } from '../base/errors.ts';
import { functionOf, having, integerFrom, optionsOf, timeFrom, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { issuesOf } from '../base/validation.ts';
import type { WebhookEvent } from './events/event.ts';
import { type EventReading, type EventValidation, eventIn, readBody } from './events/parse.ts';
import { toRawBody, type WebhookBody } from './events/payload.ts';
import { type DeliveryHeaders, lookUpIn, signatureHeadersIn } from './headers.ts';
import { frameworkOf } from './receiver/caller.ts';
import type { Delivery } from './receiver/delivery.ts';
import { refuseCall } from './receiver/guard.ts';
import type { VerifiedDelivery } from './receiver/handled.ts';
import type { AnyReceiverOptions, ReceiverOptions, TransactionReceiverOptions } from './receiver/options.ts';
import { Receiver } from './receiver/receiver.ts';
import {
  collectSecrets,
  lookUpSecrets,
  type ScopedSecret,
  type ScopedSecrets,
  type SecretLookup,
} from './secrets.ts';
import { whenKnown } from './signatures/prepared-key.ts';
import type { RawBody, SignatureScheme } from './signatures/scheme.ts';
import { standardWebhooks } from './signatures/standard-webhooks.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** Options of {@link Webhooks}, besides its secrets. */
export interface WebhookSettings {
  /** How deliveries are signed (not shown by the interface). Default: `standardWebhooks()` (*inferred*). */
  readonly scheme?: SignatureScheme | undefined;
  /** How far a delivery's timestamp may be from now, in either direction, in ms. Default: 300 000 (5 minutes). */
  readonly tolerance?: number | undefined;
  /** The largest body that is accepted, in bytes. Default: 1 048 576 (1 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /**
   * What happens to an authentic event of a known type that has another form than the interface says. Default: `warn` in a receiver, which
   * reports the difference, so that no event is lost; `throw` in `verify` and `verifySync`, which have no other way to report it.
   */
  readonly validation?: EventValidation | undefined;
  /**
   * Keeps events of the other mode, and those that do not say theirs, from the handlers: give `true` in production, so that no test event
   * ships goods. `verify` throws; a receiver gives them to `onUnreadable` and answers 500, since the event is authentic and its endpoint is
   * set up wrongly. A bare chargeback notification has no such field (*shown*) and passes in both modes (*inferred*).
   * Default: all pass.
   */
  readonly livemode?: boolean | undefined;
  /** The present time, in ms since 1970. For tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** One signing secret. */
export interface OneSecret {
  /** The endpoint's signing secret. `undefined`, as of a variable that is not set, is refused at run time. */
  readonly secret: string | undefined;
  /** Left out. */
  readonly secrets?: undefined;
}

/** Several signing secrets. */
export interface SeveralSecrets {
  /**
   * Several secrets, each of which is good: the new and the old one while you rotate. Or an object of them by the scope
   * of their endpoint, such as `{ platform: '…', connected: '…' }`; a handler finds the scope in its context. Or a function that finds the
   * secrets of one delivery, for a platform with many merchants, and for secrets that rotate at run time.
   */
  readonly secrets: readonly string[] | ScopedSecrets | SecretLookup;
  /** Left out. */
  readonly secret?: undefined;
}

/** Options of {@link Webhooks}. */
export type WebhooksOptions = WebhookSettings & (OneSecret | SeveralSecrets);

/** How to sign, for tests. */
export interface SignOptions {
  /** The id of the delivery, for schemes that sign one. Default: a random one. */
  readonly id?: string | undefined;
  /** When it is sent, in ms since 1970. Default: now. */
  readonly timestamp?: number | undefined;
  /** The secret. Default: the first of those given to `Webhooks`; none where `secrets` is a function. */
  readonly secret?: string | undefined;
}

/** A body, and the scope that it was signed for. */
interface Authentic {
  readonly body: RawBody;
  readonly scope: string | undefined;
}

/** Tells whether a secret signed the delivery. */
type IsSignedBy = (secret: string) => boolean | Promise<boolean>;

const optionsSchema = optionsOf<WebhookSettings & SeveralSecrets>({
  // Which secrets a scheme takes, only the scheme knows.
  secret: unchecked(),
  secrets: unchecked(),
  scheme: s.optional(having<SignatureScheme>('a scheme, such as standardWebhooks()', 'verify', 'sign')),
  tolerance: s.optional(timeFrom(1)),
  maxBodyBytes: s.optional(integerFrom(1, undefined, 'bytes')),
  validation: s.optional(s.literal(['warn', 'throw', 'off'])),
  livemode: s.optional(s.boolean()),
  now: s.optional(functionOf<() => number>()),
});

const signOptionsSchema = optionsOf<SignOptions>({
  id: s.optional(s.string()),
  timestamp: s.optional(s.number('ms since 1970')),
  secret: s.optional(s.string()),
});

/** It has no `onError` yet, so the response alone says what is wrong. */
const mountedMaker = { name: 'webhooks.receiver', expected: 'the options of a receiver' };

/**
 * Verifies the deliveries of the service's webhooks and reads the events in them.
 *
 * @example
 * const webhooks = new Webhooks({ secret: process.env.WEBHOOK_SECRET });
 * const event = await webhooks.verify(rawBody, request.headers);
 * if (event.type === 'refund.failed') alert(event.data.object.failure_message);
 */
export class Webhooks {
  readonly #scheme: SignatureScheme;
  readonly #secrets: readonly ScopedSecret[] | SecretLookup;
  readonly #tolerance: number;
  readonly #validation: EventValidation | undefined;
  readonly #livemode: boolean | undefined;
  readonly #now: () => number;
  readonly #maxBodyBytes: number;

  /** @throws ConfigurationError for a missing or impossible secret, or a wrong option. */
  constructor(options: WebhooksOptions) {
    options = optionsObject(options, 'new Webhooks({ secret })');
    refuse(issuesOf(optionsSchema, options), 'Correct the options of Webhooks.');
    this.#scheme = options.scheme ?? standardWebhooks();
    const { secret, secrets } = options;
    this.#secrets =
      secret === undefined && typeof secrets === 'function' ? secrets : collectSecrets(options, this.#scheme);
    this.#tolerance = options.tolerance ?? 300_000;
    this.#validation = options.validation;
    this.#livemode = options.livemode;
    this.#now = options.now ?? Date.now;
    this.#maxBodyBytes = options.maxBodyBytes ?? 1_048_576;
  }

  /**
   * The event in a delivery, once its signature is verified.
   *
   * @param rawBody The body as it came, byte for byte; never the parsed one.
   * @param url The path and query of the request, for `secrets` that is a function.
   * @throws WebhookVerificationError when the delivery is not from the service, or cannot be read; `reason` tells which.
   */
  async verify(rawBody: WebhookBody, headers: DeliveryHeaders, url?: string): Promise<WebhookEvent> {
    return this.#eventIn(await this.#authenticate({ body: rawBody, headers, url }));
  }

  /**
   * The same at once, on runtimes with synchronous cryptography: Node, Bun and Deno.
   *
   * @throws WebhookVerificationError as `verify` does.
   * @throws ConfigurationError where the runtime or the scheme can only verify asynchronously, or `secrets` returns a promise.
   */
  verifySync(rawBody: WebhookBody, headers: DeliveryHeaders, url?: string): WebhookEvent {
    const authentic = this.#authenticate({ body: rawBody, headers, url });
    if (!(authentic instanceof Promise)) return this.#eventIn(authentic);
    // Its failure has no one else to hear it.
    authentic.catch(() => undefined);
    const received =
      typeof this.#secrets === 'function'
        ? 'a promise of secrets, or a runtime or scheme without it'
        : 'a runtime or scheme without it';
    throw new ConfigurationError(
      [{ path: 'verifySync', expected: 'synchronous cryptography', received }],
      'Use await verify() here.',
    );
  }

  /**
   * The headers that sign a body, in the scheme and with the secret of this object: for tests of your handler.
   *
   * @throws ConfigurationError for a secret that cannot sign, such as a public key, or a wrong option.
   */
  async sign(body: RawBody, options: SignOptions = {}): Promise<Readonly<Record<string, string>>> {
    checkOptions('sign', signOptionsSchema, options, 'Nothing was signed.');
    const {
      id = `msg_${crypto.randomUUID()}`,
      timestamp = this.#now(),
      secret = this.#ownSecret(),
    } = options;
    return this.#scheme.sign({ body, id, timestamp, secret });
  }

  /**
   * Handles each event once: verifies, claims, calls your handler, and completes. Mount its `fetch`, `node` or `fastify`.
   *
   * @throws ConfigurationError for an event type that is none, or a wrong option.
   *
   * @example
   * const receiver = webhooks.receiver({
   *   store: memoryStore(),
   *   on: { 'refund.failed': (event) => alert(event.data.object.id) },
   * });
   * app.post('/webhooks', receiver.node); // Express, before any body parser
   */
  receiver<Client>(options: TransactionReceiverOptions<Client>): Receiver<Client>;
  receiver<Client = never>(options: ReceiverOptions<Client>): Receiver<Client>;
  receiver<Client>(options: AnyReceiverOptions<Client>, ...rest: unknown[]): unknown {
    const given = [options, ...rest];
    if (frameworkOf(given) !== undefined) return refuseCall(mountedMaker, given, () => undefined);
    const open = (delivery: Delivery) => this.#open(delivery);
    const read = (rawBody: RawBody) => this.#read(rawBody, 'warn');
    return new Receiver({ open, read, maxBodyBytes: this.#maxBodyBytes }, options);
  }

  /** Reads a delivery for a receiver. */
  async #open(delivery: Delivery): Promise<VerifiedDelivery> {
    const { body, scope } = await this.#authenticate(delivery);
    return { rawBody: body, headers: delivery.headers, scope, reading: this.#read(body, 'warn') };
  }

  /** The body, once one of the secrets signed it. */
  #authenticate(delivery: Delivery): Authentic | Promise<Authentic> {
    const { headers } = delivery;
    const body = toRawBody(delivery.body, this.#maxBodyBytes);
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
    throw new ConfigurationError(
      [{ path: 'sign.secret', expected, received: 'none' }],
      'Nothing was signed.',
    );
  }

  #read(body: RawBody, validation: EventValidation): EventReading {
    return readBody(body, { validation: this.#validation ?? validation, livemode: this.#livemode });
  }

  #eventIn({ body }: Authentic): WebhookEvent {
    return eventIn(this.#read(body, 'throw'));
  }
}

/** Tries the secrets in turn, from one of them on. */
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
    return new WebhookVerificationError(
      'no_match',
      'expected a delivery that secrets() knows a secret for, got another. Either its URL or headers name nobody, or their secret is missing.',
    );
  }
  const secrets = count === 1 ? 'the secret' : `one of the ${count} secrets`;
  return new WebhookVerificationError(
    'no_match',
    `expected a signature made with ${secrets}, got none that fits. Either the secret is another endpoint's, or the body is not what was sent: give it byte for byte, before any parser.`,
  );
}
