import { configurationError } from '../base/errors.ts';
import { isThenable } from '../base/functions.ts';
import { issueAt } from '../base/issue.ts';
import type { Inline } from '../base/runtime/runtime.ts';
import { toRawBody, type WebhookBody } from './events/payload.ts';
import { type DeliveryHeaders, lookUpIn, requireHeaders, signatureHeadersIn } from './headers.ts';
import type { ActiveWebhooksOptions } from './options.ts';
import { lookUpSecrets, type ScopedSecret } from './secrets.ts';
import type { RawBody, SignatureScheme, VerifyInput } from './signatures/scheme.ts';
import { unverified, type WebhookVerificationError } from './verification-error.ts';

/** A delivery as a framework passes it. */
export type Delivery = Inline<{
  /** The body as received, byte for byte. */
  readonly body: WebhookBody;
  /** The request's headers. */
  readonly headers: DeliveryHeaders;
  /** The path and query of the request, such as `/webhooks/acct_1`, for `secrets` that is a function. */
  readonly url?: string | undefined;
}>;

/** A body that the service signed. */
export interface VerifiedBody {
  readonly rawBody: RawBody;
  /** The scope of the endpoint whose secret signed it. */
  readonly scope: string | undefined;
  /** When it was received, ISO 8601; `undefined` for an event that was dispatched by itself. */
  readonly receivedAt: string | undefined;
  /** Whether it was kept, with its card data masked. Default: it is as received. */
  readonly masked?: true | undefined;
}

/**
 * Returns the body of a delivery after matching its signature to a secret. Needs no promise where the secrets are known and the
 * cryptography is synchronous.
 *
 * @throws WebhookVerificationError for a delivery that fails verification.
 */
export function authenticate(
  options: ActiveWebhooksOptions,
  delivery: Delivery,
): VerifiedBody | Promise<VerifiedBody> {
  const { scheme, secrets, tolerance, maxBodyBytes } = options;
  const { headers, url } = delivery;
  const body = toRawBody(delivery.body, maxBodyBytes);
  requireHeaders(headers);
  const signed: SignedInput = {
    body,
    header: lookUpIn(headers),
    signatureHeaders: () => signatureHeadersIn(headers),
    now: presentTime(options),
    tolerance,
  };
  if (typeof secrets !== 'function') return firstMatch(scheme, signed, secrets);
  const found = lookUpSecrets(secrets, { headers, url }, scheme);
  if (!(found instanceof Promise)) return firstMatch(scheme, signed, found);
  return found.then((later) => firstMatch(scheme, signed, later));
}

type SignedInput = Omit<VerifyInput, 'secret'>;

/**
 * Returns the present time, in ms since 1970. A time that is not a number is never outside the tolerance, so every replay would be
 * accepted.
 *
 * @throws ConfigurationError for anything but a number that a `Date` can hold.
 */
export function presentTime({ now }: ActiveWebhooksOptions): number {
  const time: unknown = now();
  if (typeof time === 'number' && !Number.isNaN(new Date(time).getTime())) return time;
  throw configurationError([issueAt('now()', 'ms since 1970', time)], 'Nothing was verified or signed.');
}

/** Tries the secrets in turn, starting at one of them. */
function firstMatch(
  scheme: SignatureScheme,
  signed: SignedInput,
  secrets: readonly ScopedSecret[],
  index = 0,
): VerifiedBody | Promise<VerifiedBody> {
  const tried = secrets[index];
  if (tried === undefined) throw noMatch(secrets.length);
  const { secret, scope } = tried;
  const resultOf = (matches: boolean) =>
    matches
      ? { rawBody: signed.body, scope, receivedAt: new Date(signed.now).toISOString() }
      : firstMatch(scheme, signed, secrets, index + 1);
  const matches = scheme.verify({ ...signed, secret });
  return isThenable(matches) ? Promise.resolve(matches).then(resultOf) : resultOf(matches);
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
