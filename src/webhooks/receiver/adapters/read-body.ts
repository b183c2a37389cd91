import { ByteBuffer } from '../../../base/bytes.ts';
import { once } from '../../../base/functions.ts';

/** A body that arrives in chunks. */
export interface BodyParts {
  /** Returns the next chunk: bytes, or text if the stream decodes. */
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
}

/** A body within its limit, or a marker that it exceeds the limit. */
export type BodyRead =
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
