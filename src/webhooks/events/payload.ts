import { once } from '../../base/functions.ts';
import { describeValue } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import type { Inline } from '../../base/runtime/runtime.ts';
import type { RawBody } from '../signatures/scheme.ts';
import { unverified, type WebhookVerificationError } from '../verification-error.ts';

/** The body of a delivery: text, or preferably the bytes as received. */
export type WebhookBody = Inline<RawBody | ArrayBuffer>;

const advice =
  'A body parser has read it. Pass the bytes as received, for example from express.raw({ type: () => true }) or request.arrayBuffer().';

const adviceOnArguments = 'Pass the raw body and the headers as two arguments: verify(rawBody, headers).';

const encoder = /* @__PURE__ */ once(() => new TextEncoder());

function isLonger(raw: RawBody, maxBytes: number): boolean {
  if (raw.length > maxBytes) return true;
  // A character of UTF-16 takes at most 3 bytes, so most texts need no encoding.
  return typeof raw === 'string' && raw.length * 3 > maxBytes && encoder().encode(raw).length > maxBytes;
}

/**
 * Returns the raw body after checking its type and size.
 *
 * @throws WebhookVerificationError `invalid_payload` when the body is not raw or too large.
 */
export function toRawBody(body: unknown, maxBytes: number): RawBody {
  const raw = body instanceof ArrayBuffer ? new Uint8Array(body) : body;
  if (typeof raw !== 'string' && !(raw instanceof Uint8Array)) {
    const isWhole = isRecord(raw) && 'headers' in raw;
    throw unverified(
      'invalid_payload',
      `expected the raw body, a string or bytes, got ${describeValue(raw, '', true)}. ${isWhole ? adviceOnArguments : advice}`,
    );
  }
  if (isLonger(raw, maxBytes)) throw tooLarge(maxBytes);
  return raw;
}

/** Creates the error for a body above its limit. */
export function tooLarge(maxBytes: number): WebhookVerificationError {
  return unverified(
    'invalid_payload',
    `expected a body of at most ${maxBytes} bytes (maxBodyBytes), got more. Raise maxBodyBytes if the service sends larger bodies.`,
  );
}
