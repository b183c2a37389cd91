import { ByteBuffer } from '../../../base/bytes.ts';
import { once } from '../../../base/functions.ts';
import type { Delivery } from '../../authenticate.ts';
import { unverified, type WebhookVerificationError } from '../../verification-error.ts';
import type { DeliveryReply } from '../reports/outcome.ts';

/** What an adapter read from a request: a delivery, or why its body cannot be read. `undefined` for a method other than POST. */
export type ReadRequest = { readonly delivery: Delivery } | UnreadRequest | undefined;

/** A request whose body cannot be read. */
export interface UnreadRequest {
  readonly error: WebhookVerificationError;
  /** Whether more of the body is on its way. Default: false. */
  readonly isCutOff?: boolean;
}

/** The response that an adapter sends. */
export type AdapterReply = Pick<DeliveryReply, 'status' | 'headers' | 'body'>;

/** The response to any method but POST. */
export const methodNotAllowed: AdapterReply = { status: 405, headers: { allow: 'POST' }, body: '' };

/** A body that arrives in chunks. */
export interface BodyParts {
  /** Returns the next chunk: bytes, or text if the stream decodes. */
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
}

/** A body within its limit, or a marker that it exceeds the limit. */
type BodyRead =
  | { readonly fits: true; readonly bytes: Uint8Array }
  /** `ended`: the end of the body was read; if false, more of it is on its way. */
  | { readonly fits: false; readonly ended: boolean };

/**
 * How many bytes to read and discard above the limit. Most senders read the response only after they sent everything.
 * Closing a connection with unread bytes resets it, which loses the response. A sender of even more bytes is cut off.
 */
const maxDiscarded = 8 * 1024 * 1024;

const encoder = /* @__PURE__ */ once(() => new TextEncoder());

function toBytes(part: unknown): Uint8Array {
  return part instanceof Uint8Array ? part : encoder().encode(String(part));
}

async function discard(parts: BodyParts): Promise<boolean> {
  let discarded = 0;
  while (discarded <= maxDiscarded) {
    const part = await parts.next();
    if (part.done === true) return true;
    discarded += toBytes(part.value).length;
  }
  return false;
}

/**
 * Reads a body as it was sent. Does not decode a Content-Encoding, since the signature covers the bytes on the wire.
 * Never holds more than the limit. Leaves a far larger body unread and uncancelled: cancelling would close the
 * connection before the response is sent.
 *
 * @param maxBytes The limit, in bytes.
 */
export async function readWithin(parts: BodyParts, maxBytes: number): Promise<BodyRead> {
  const whole = new ByteBuffer(maxBytes);
  for (let part = await parts.next(); part.done !== true; part = await parts.next()) {
    const bytes = toBytes(part.value);
    if (whole.size + bytes.length > maxBytes) return { fits: false, ended: await discard(parts) };
    whole.add(bytes);
  }
  return { fits: true, bytes: whole.bytes };
}

/** Creates the error for a body that was already read. */
export function bodyIsGone(advice: string): WebhookVerificationError {
  return unverified(
    'invalid_payload',
    `expected the raw body, got a request whose body was already read, for example by a body parser. ${advice}`,
  );
}

/** Creates the error for a body that ends early. */
export function bodyBroke(cause: unknown): WebhookVerificationError {
  return unverified(
    'invalid_payload',
    'expected a whole body, but the connection closed early. Nothing was handled: the service should deliver it again.',
    cause,
  );
}
