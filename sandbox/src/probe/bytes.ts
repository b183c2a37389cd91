/** A body, as far as it was read. */
interface ReadBody {
  /** At most as many as the bound. */
  readonly bytes: Uint8Array;
  /** How many bytes came before reading stopped. */
  readonly size: number;
}

/**
 * Reads a body, and keeps its beginning up to a bound. One buffer, not a list: a body may come byte by byte.
 *
 * @param maxRead Reading stops after the chunk that passes this size.
 */
export async function readBytes(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  maxRead = maxBytes,
): Promise<ReadBody> {
  let room = new Uint8Array(16 * 1024);
  let size = 0;
  for await (const chunk of body ?? []) {
    const kept = chunk.subarray(0, Math.max(0, maxBytes - size));
    const end = Math.min(size, maxBytes) + kept.byteLength;
    if (end > room.byteLength) {
      const larger = new Uint8Array(2 * end);
      larger.set(room);
      room = larger;
    }
    room.set(kept, end - kept.byteLength);
    size += chunk.byteLength;
    if (size > maxRead) break;
  }
  return { bytes: room.subarray(0, Math.min(size, maxBytes)), size };
}
