/** The headers of a response, as they are looked up on every call. */
export interface ResponseHeaders {
  /** The header of this name, in lower case; null where there is none. */
  get(name: string): string | null;
  /** All of them. */
  readonly web: Headers;
}

/** A response whose body is still to come. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** The most bytes of a body that are read. A page of a thousand large objects stays far below. */
export const maxBodyBytes = 32 * 1024 * 1024;

/** A body as text. */
export interface BodyText {
  readonly text: string;
  /** How many bytes it had, once unpacked. */
  readonly bytes: number;
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
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (body.add(read.value)) continue;
    // Not awaited: a peer that does not stop sending must not hold the call.
    reader.cancel().catch(() => {});
    break;
  }
  return body.text();
}

/** Whether a status says that the service did what it was asked for. */
export function isOk({ status }: Pick<ResponseHead, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** A response that was read whole, or up to the bound of its body. It has of a `Response` what ky looks at. */
export class ReceivedResponse implements BodyText, ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  readonly bytes: number;
  readonly complete: boolean;
  readonly validUtf8: boolean;

  constructor({ status, headers }: ResponseHead, body: BodyText = emptyBody) {
    this.status = status;
    this.headers = headers;
    this.text = body.text;
    this.bytes = body.bytes;
    this.complete = body.complete;
    this.validUtf8 = body.validUtf8;
  }

  /** Whether the service did what it was asked for. */
  get ok(): boolean {
    return isOk(this);
  }
}

const emptyBody: BodyText = { text: '', bytes: 0, complete: true, validUtf8: true };

/** Puts a body together from its chunks, up to the bound. */
export class BodyCollector {
  /** Its beginning is what came. One piece, since a body may come byte by byte, and a chunk weighs far more than one byte. */
  #bytes: Uint8Array = new Uint8Array();
  #size = 0;

  /** Whether there is room for more. */
  add(chunk: Uint8Array): boolean {
    const size = this.#size + chunk.byteLength;
    // Most bodies come in one chunk, which is not copied.
    if (this.#size === 0) this.#bytes = chunk;
    else {
      if (size > this.#bytes.byteLength) this.#bytes = grow(this.#bytes, 2 * size);
      this.#bytes.set(chunk, this.#size);
    }
    this.#size = size;
    return size <= maxBodyBytes;
  }

  /** What came so far. */
  text(): BodyText {
    const complete = this.#size <= maxBodyBytes;
    const { text, validUtf8 } = decode(this.#bytes.subarray(0, Math.min(this.#size, maxBodyBytes)));
    return { text, bytes: this.#size, validUtf8, complete };
  }
}

function grow(bytes: Uint8Array, size: number): Uint8Array {
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
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
