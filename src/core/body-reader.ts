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
  if (response.body === null) return emptyBody;
  const body = new BodyCollector();
  const reader = response.body.getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (value === undefined || body.add(value)) continue;
    // Not awaited: a peer that does not stop sending must not hold the call.
    reader.cancel().catch(() => {});
    break;
  }
  return body.text();
}

const emptyBody: BodyText = { text: '', complete: true, validUtf8: true };

/** Puts a body together from its chunks, up to the bound. */
export class BodyCollector {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  /** Whether there is room for more. */
  add(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    return this.#size <= maxBodyBytes;
  }

  /** What came so far. */
  text(): BodyText {
    const bytes = join(this.#chunks, this.#size);
    const complete = this.#size <= maxBodyBytes;
    const { text, validUtf8 } = decode(complete ? bytes : bytes.subarray(0, maxBodyBytes));
    return { text, validUtf8, complete };
  }
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

const strictDecoder = new TextDecoder('utf-8', { fatal: true });
const lenientDecoder = new TextDecoder();

function decode(bytes: Uint8Array): Pick<BodyText, 'text' | 'validUtf8'> {
  try {
    return { text: strictDecoder.decode(bytes), validUtf8: true };
  } catch {
    return { text: lenientDecoder.decode(bytes), validUtf8: false };
  }
}
