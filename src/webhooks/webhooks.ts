import { checkOptions, refuse } from '../base/check-options.ts';
import { ConfigurationError } from '../base/errors.ts';
import { functionOf, having, integerFrom, optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { issuesOf } from '../base/validation.ts';
import type { WebhookEvent } from './events/event.ts';
import { type EventValidation, toEvent } from './events/parse.ts';
import { parsePayload, toRawBody, type WebhookBody } from './events/payload.ts';
import { type DeliveryHeaders, lookUpIn } from './headers.ts';
import { frameworkOf } from './receiver/caller.ts';
import { refuseCall } from './receiver/guard.ts';
import type { VerifiedDelivery } from './receiver/handling.ts';
import type { ReceiverOptions } from './receiver/options.ts';
import { Receiver } from './receiver/receiver.ts';
import { collectSecrets, type ScopedSecret, type ScopedSecrets } from './secrets.ts';
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
  /** What happens to a known event in another form than the interface says. Default: `throw`. */
  readonly validation?: EventValidation | undefined;
  /**
   * Refuses events of the other mode, and those that do not say theirs: give `true` in production, so that no test event
   * ships goods. A bare chargeback notification has no such field (*shown*) and passes in both modes (*inferred*).
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
   * of their endpoint, such as `{ platform: '…', connected: '…' }`; a handler finds the scope in its context.
   */
  readonly secrets: readonly string[] | ScopedSecrets;
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
  /** The secret. Default: the first of those given to `Webhooks`. */
  readonly secret?: string | undefined;
}

/** A body, and the scope that it was signed for. */
interface Authentic {
  readonly body: RawBody;
  readonly scope: string | undefined;
}

const optionsSchema = optionsOf<WebhookSettings & SeveralSecrets>({
  // Which secrets a scheme takes, only the scheme knows.
  secret: unchecked(),
  secrets: unchecked(),
  scheme: s.optional(having<SignatureScheme>('a scheme, such as standardWebhooks()', 'verify', 'sign')),
  tolerance: s.optional(integerFrom(1)),
  maxBodyBytes: s.optional(integerFrom(1)),
  validation: s.optional(s.literal(['throw', 'off'])),
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
  readonly #secrets: readonly ScopedSecret[];
  readonly #tolerance: number;
  readonly #validation: EventValidation;
  readonly #livemode: boolean | undefined;
  readonly #now: () => number;
  readonly #maxBodyBytes: number;

  /** @throws ConfigurationError for a missing or impossible secret, or a wrong option. */
  constructor(options: WebhooksOptions) {
    // Without types it may be missing: then what it lacks is named.
    options = Object(options);
    refuse(
      issuesOf(optionsSchema, options),
      'Correct the options of Webhooks: times are in ms, sizes in bytes.',
    );
    this.#scheme = options.scheme ?? standardWebhooks();
    this.#secrets = collectSecrets(options, this.#scheme);
    this.#tolerance = options.tolerance ?? 300_000;
    this.#validation = options.validation ?? 'throw';
    this.#livemode = options.livemode;
    this.#now = options.now ?? Date.now;
    this.#maxBodyBytes = options.maxBodyBytes ?? 1_048_576;
  }

  /**
   * The event in a delivery, once its signature is verified.
   *
   * @param rawBody The body as it came, byte for byte; never the parsed one.
   * @throws WebhookVerificationError when the delivery is not from the service, or cannot be read; `reason` tells which.
   */
  async verify(rawBody: WebhookBody, headers: DeliveryHeaders): Promise<WebhookEvent> {
    return (await this.#open(rawBody, headers)).event;
  }

  /**
   * The same at once, on runtimes with synchronous cryptography: Node, Bun and Deno.
   *
   * @throws WebhookVerificationError as `verify` does.
   * @throws ConfigurationError where the runtime or the scheme can only verify asynchronously.
   */
  verifySync(rawBody: WebhookBody, headers: DeliveryHeaders): WebhookEvent {
    const authentic = this.#authenticate(rawBody, headers);
    if (!(authentic instanceof Promise)) return this.#read(authentic).event;
    // Its failure has no one else to hear it.
    authentic.catch(() => undefined);
    throw new ConfigurationError(
      [
        {
          path: 'verifySync',
          expected: 'synchronous cryptography',
          received: 'a runtime or scheme without it',
        },
      ],
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
      secret = this.#secrets[0]?.secret ?? '',
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
  receiver<Client = never>(options: ReceiverOptions<Client>): Receiver<Client>;
  receiver<Client>(options: ReceiverOptions<Client>, ...rest: unknown[]): unknown {
    const given = [options, ...rest];
    if (frameworkOf(given) !== undefined) return refuseCall(mountedMaker, given, () => undefined);
    const open = (rawBody: WebhookBody, headers: DeliveryHeaders) => this.#open(rawBody, headers);
    return new Receiver({ open, maxBodyBytes: this.#maxBodyBytes }, options);
  }

  async #open(rawBody: WebhookBody, headers: DeliveryHeaders): Promise<VerifiedDelivery> {
    return this.#read(await this.#authenticate(rawBody, headers));
  }

  /** The body, once one of the secrets signed it. */
  #authenticate(rawBody: WebhookBody, headers: DeliveryHeaders): Authentic | Promise<Authentic> {
    const body = toRawBody(rawBody, this.#maxBodyBytes);
    const header = lookUpIn(headers);
    const now = this.#now();
    const isSignedBy = (secret: string) =>
      this.#scheme.verify({ body, header, secret, now, tolerance: this.#tolerance });
    return this.#firstMatch(body, isSignedBy);
  }

  /** Tries the secrets in turn, from one of them on. */
  #firstMatch(
    body: RawBody,
    isSignedBy: (secret: string) => boolean | Promise<boolean>,
    index = 0,
  ): Authentic | Promise<Authentic> {
    const tried = this.#secrets[index];
    if (tried === undefined) throw this.#noMatch();
    return whenKnown(isSignedBy(tried.secret), (matches) =>
      matches ? { body, scope: tried.scope } : this.#firstMatch(body, isSignedBy, index + 1),
    );
  }

  #noMatch(): WebhookVerificationError {
    const count = this.#secrets.length;
    const secrets = count === 1 ? 'the secret' : `one of the ${count} secrets`;
    return new WebhookVerificationError(
      'no_match',
      `expected a signature made with ${secrets}, got none that fits. Either the secret is another endpoint's, or the body is not what was sent: give it byte for byte, before any parser.`,
    );
  }

  #read({ body, scope }: Authentic): VerifiedDelivery {
    const event = toEvent(parsePayload(body), this.#validation, this.#livemode);
    return { event, scope, rawBody: body };
  }
}
