import { describeValue, rootPath } from '../../base/describe.ts';
import type { Issue } from '../../base/errors.ts';
import type { Inline } from '../../base/inline.ts';
import { isRecord } from '../../base/json.ts';
import type { RawBody } from '../signatures/scheme.ts';
import { unverified, type WebhookVerificationError } from '../verification-error.ts';

/** The body of a delivery: text, or preferably the bytes as received. */
export type WebhookBody = Inline<RawBody | ArrayBuffer>;

const advice =
  'A body parser has read it. Pass the bytes as received, for example from express.raw({ type: () => true }) or request.arrayBuffer().';

const adviceOnArguments = 'Pass the raw body and the headers as two arguments: verify(rawBody, headers).';

const encoder = /* @__PURE__ */ new TextEncoder();

function isLonger(raw: RawBody, maxBytes: number): boolean {
  if (raw.length > maxBytes) return true;
  // A character of UTF-16 takes at most 3 bytes, so most texts need no encoding.
  return typeof raw === 'string' && raw.length * 3 > maxBytes && encoder.encode(raw).length > maxBytes;
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

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true });

/** The JSON in a body, or the error. */
export type Payload =
  | { readonly value: unknown }
  | { readonly issue: Issue; readonly error: WebhookVerificationError };

/** Parses the JSON in a body, without a byte order mark. Bytes that are not UTF-8 are an error. */
export function parsePayload(body: RawBody): Payload {
  try {
    // The decoder drops the mark.
    const text = typeof body === 'string' ? body.replace(/^\uFEFF/, '') : utf8.decode(body);
    return { value: JSON.parse(text) };
  } catch {
    // The parser's message would repeat the text.
    const received = body.length === 0 ? 'an empty body' : 'something else';
    const issue = { path: rootPath, expected: 'JSON in UTF-8', received };
    const problem = `expected JSON in UTF-8, got ${received}. Check that the service delivers to this address and that the body is not compressed.`;
    return { issue, error: unverified('invalid_payload', problem) };
  }
}
