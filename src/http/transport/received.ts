/** The headers of a response, without a `Headers` object. */
export interface ResponseHeaders {
  /** The header of this name, in lower case; null where there is none. */
  get(name: string): string | null;
  /** All of them. */
  readonly web: Headers;
}

/** The headers of a response that no connection gave. */
export function noHeaders(): ResponseHeaders {
  return { get: () => null, web: new Headers() };
}

/** A response whose body is still to come. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** The most bytes that are read of a body. A page of a thousand large objects has far fewer. */
const maxBodyBytes = 32 * 1024 * 1024;

/** A body as text. */
export interface BodyText {
  readonly text: string;
  /** How many bytes it had, decompressed. */
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

/** A stream of Node's, as far as it is read here. */
interface ByteStream {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(): unknown;
}

/** Reads a body from a stream of Node's. */
export function readStream(stream: ByteStream): Promise<BodyText> {
  return new Promise((resolve, reject) => {
    const body = new BodyCollector();
    stream.on('data', (chunk) => {
      if (body.add(chunk)) return;
      resolve(body.text());
      stream.destroy();
    });
    stream.on('end', () => resolve(body.text()));
    stream.on('error', reject);
  });
}

/** Whether a status is 2xx. */
export function isOk({ status }: Pick<ResponseHead, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** A response with its body read, up to the bound. Has the members of a `Response` that ky reads. */
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

  /** Whether the status is 2xx. */
  get ok(): boolean {
    return isOk(this);
  }
}

/** A body without a byte. */
export const emptyBody: BodyText = { text: '', bytes: 0, complete: true, validUtf8: true };

/** Joins the chunks of a body, up to the bound. */
class BodyCollector {
  /** One buffer, not a list of chunks: a body may come byte by byte, and a chunk takes far more memory than a byte. */
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
