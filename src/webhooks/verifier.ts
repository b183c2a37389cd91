import { brandClass, configurationError, refuse } from '../base/errors.ts';
import { describeValue } from '../base/issue.ts';
import { checkOptions, optionsOf } from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import { authenticate, presentTime, type VerifiedBody } from './authenticate.ts';
import type { VerifiedEvent } from './events/event.ts';
import { readVerified, withIssues } from './events/parse.ts';
import type { WebhookBody } from './events/payload.ts';
import type { DeliveryHeaders } from './headers.ts';
import { type ActiveWebhooksOptions, activeWebhooksOptions, type WebhooksOptions } from './options.ts';
import type { RawBody } from './signatures/scheme.ts';

/** Options of `sign`. */
type SignOptions = {
  /** The id of the delivery, for schemes that sign it. Default: random. */
  readonly id?: string | undefined;
  /** When it is sent, in ms since 1970. Default: now. */
  readonly timestamp?: number | undefined;
  /** The secret. Default: the first secret of this `Webhooks`; none if `secrets` is a function. */
  readonly secret?: string | undefined;
};

const signOptionsSchema = /* @__PURE__ */ optionsOf<SignOptions>(() => ({
  id: s.optional(s.string()),
  timestamp: s.optional(s.number('ms since 1970')),
  secret: s.optional(s.string()),
}));

/**
 * Verifies the deliveries of the service's webhooks and reads the events in them. It has no receiver, so it is small in a bundle: an edge
 * function or a queue of your own needs no more. `Webhooks` has all of it, and makes receivers.
 *
 * @example
 * const verifier = new WebhookVerifier(); // with PAYMENTS_WEBHOOK_SECRET
 * const event = await verifier.verify(rawBody, request.headers);
 * if (event.type === 'refund.failed') alert(event.data.object.failure_message);
 */
export class WebhookVerifier {
  /** @internal */
  static readonly brand: symbol = /* @__PURE__ */ brandClass(this, 'WebhookVerifier');
  readonly #options: ActiveWebhooksOptions;

  /** @throws ConfigurationError for a missing or invalid secret, or a wrong option. */
  constructor(options?: WebhooksOptions) {
    this.#options = activeWebhooksOptions(options);
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
    return this.#eventIn(await authenticate(this.#options, { body: rawBody, headers, url }));
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
    const verified = authenticate(this.#options, { body: rawBody, headers, url });
    if (!(verified instanceof Promise)) return this.#eventIn(verified);
    // Prevents an unhandled rejection; the error below is thrown instead.
    verified.catch(() => undefined);
    const received =
      typeof this.#options.secrets === 'function'
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
      timestamp = presentTime(this.#options),
      secret = this.#ownSecret(),
    } = options;
    return this.#options.scheme.sign({ body, id, timestamp, secret });
  }

  /** @internal What a receiver takes from it. They contain the secrets, so no property of a verifier has them. */
  protected static optionsOf(verifier: WebhookVerifier): ActiveWebhooksOptions {
    return verifier.#options;
  }

  #ownSecret(): string {
    const { secrets } = this.#options;
    const [first] = typeof secrets === 'function' ? [] : secrets;
    if (first !== undefined) return first.secret;
    const expected = 'a signing secret, since secrets is a function';
    throw configurationError([{ path: 'sign.secret', expected, received: 'none' }], 'Nothing was signed.');
  }

  #eventIn({ rawBody }: VerifiedBody): VerifiedEvent {
    const { validation, livemode } = this.#options;
    return withIssues(readVerified(rawBody, { validation, livemode }));
  }
}
