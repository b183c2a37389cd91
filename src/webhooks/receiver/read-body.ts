/** A body that comes in parts. */
export interface BodyParts {
  /** The next part: bytes, or text where the stream decodes. */
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
}

/** A body within its bound, or the fact that it is not. */
export type BodyRead =
  | { readonly fits: true; readonly bytes: Uint8Array }
  /** `ended` tells whether its end was seen; where not, more of it is still on its way. */
  | { readonly fits: false; readonly ended: boolean };

/**
 * How much is read and thrown away after the bound, in bytes. Most senders read the answer only when all was sent, and a
 * connection that is closed with bytes unread is reset, which takes the answer with it. Whoever sends more is cut off.
 */
const maxDiscarded = 8 * 1024 * 1024;

const encoder = new TextEncoder();

function toBytes(part: unknown): Uint8Array {
  return part instanceof Uint8Array ? part : encoder.encode(String(part));
}

/** The first `length` bytes with more behind them. It doubles, since a sender may send its bytes one by one. */
function append(whole: Uint8Array, length: number, more: Uint8Array): Uint8Array {
  // The usual body comes in one part, and is not copied.
  if (length === 0) return more;
  const needed = length + more.length;
  const roomy = needed <= whole.length ? whole : new Uint8Array(Math.max(needed, 2 * whole.length));
  if (roomy !== whole) roomy.set(whole);
  roomy.set(more, length);
  return roomy;
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
 * Reads a body as it was sent: a Content-Encoding is left as it is, since the signature is over the bytes that came.
 * Never holds more than the bound. What lies far beyond it is left unread and not cancelled, because that would end the
 * connection before the answer is sent.
 *
 * @param maxBytes The bound, in bytes.
 */
export async function readBody(parts: BodyParts, maxBytes: number): Promise<BodyRead> {
  let whole: Uint8Array = new Uint8Array();
  let length = 0;
  for (let part = await parts.next(); part.done !== true; part = await parts.next()) {
    const bytes = toBytes(part.value);
    if (length + bytes.length > maxBytes) return { fits: false, ended: await discard(parts) };
    whole = append(whole, length, bytes);
    length += bytes.length;
  }
  return { fits: true, bytes: whole.subarray(0, length) };
}
