/** The most bytes of a body that are read. A page of a thousand large objects stays far below. */
export const maxBodyBytes = 32 * 1024 * 1024;

/** A body as text. */
export interface BodyText {
  readonly text: string;
  /** False when the body is longer than {@link maxBodyBytes}; the text is then its beginning. */
  readonly complete: boolean;
  /** False when some bytes are not UTF-8; the text then has replacement characters. */
  readonly validUtf8: boolean;
}

/** Reads a body up to the bound. Rejects when the connection breaks before the body's end. */
export async function readBody(response: Response): Promise<BodyText> {
  if (response.body === null) return { text: '', complete: true, validUtf8: true };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (value === undefined) continue;
    chunks.push(value);
    size += value.byteLength;
    if (size > maxBodyBytes) {
      // Not awaited: a peer that does not stop sending must not hold the call.
      reader.cancel().catch(() => {});
      return { ...decode(join(chunks, size).subarray(0, maxBodyBytes)), complete: false };
    }
  }
  return { ...decode(join(chunks, size)), complete: true };
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

function decode(bytes: Uint8Array): Pick<BodyText, 'text' | 'validUtf8'> {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), validUtf8: true };
  } catch {
    return { text: new TextDecoder().decode(bytes), validUtf8: false };
  }
}
