import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { once } from './functions.ts';

/** Encodes bytes in base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Returns the SHA-256 of bytes, or of a text in UTF-8, in 64 hexadecimal digits. */
export function sha256Hex(content: string | Uint8Array): string {
  return bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content));
}

/** Bodies that come in chunks. */

const noBytes = /* @__PURE__ */ new Uint8Array();

/** Joins chunks of bytes, up to a bound. One buffer, not a list: a body may come byte by byte, and a chunk takes far more memory than a byte. */
export class ByteBuffer {
  readonly #maxBytes: number;
  #room: Uint8Array = noBytes;
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How many bytes came, those beyond the bound included. */
  get size(): number {
    return this.#size;
  }

  /** Whether all of them are within the bound. */
  get isComplete(): boolean {
    return this.#size <= this.#maxBytes;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, Math.min(this.#size, this.#maxBytes));
  }

  /** Appends a chunk. Returns whether it is within the bound. */
  add(chunk: Uint8Array): boolean {
    const size = this.#size + chunk.byteLength;
    // Most bodies come in one chunk, which is not copied.
    if (this.#size === 0) this.#room = chunk;
    else {
      if (size > this.#room.byteLength) this.#grow(2 * size);
      this.#room.set(chunk, this.#size);
    }
    this.#size = size;
    return this.isComplete;
  }

  #grow(size: number): void {
    const larger = new Uint8Array(size);
    larger.set(this.#room);
    this.#room = larger;
  }
}

/** The most bytes that are read of a body. A page of a thousand large objects has far fewer. */
const maxBodyBytes = 32 * 1024 * 1024;

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
export async function readBody(stream: ReadableStream<Uint8Array> | null): Promise<BodyText> {
  if (stream === null) return emptyBody;
  const body = new ByteBuffer(maxBodyBytes);
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (body.add(read.value)) continue;
    // Not awaited: a peer that does not stop sending must not hold the call.
    reader.cancel().catch(() => {});
    break;
  }
  return textOf(body);
}

/** A stream of Node's, as far as it is read here. */
interface ByteStream {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(): unknown;
}

/** Reads a body of Node's up to the bound. */
export function readStream(
  stream: ByteStream,
  onRead: (body: BodyText) => void,
  onError: (error: Error) => void,
): void {
  const body = new ByteBuffer(maxBodyBytes);
  stream.on('data', (chunk) => {
    if (body.add(chunk)) return;
    onRead(textOf(body));
    stream.destroy();
  });
  stream.on('end', () => onRead(textOf(body)));
  stream.on('error', onError);
}

export const emptyBody: BodyText = { text: '', bytes: 0, complete: true, validUtf8: true };

const strictDecoder = /* @__PURE__ */ once(() => new TextDecoder('utf-8', { fatal: true }));
const lenientDecoder = /* @__PURE__ */ once(() => new TextDecoder());

function textOf({ bytes, size, isComplete }: ByteBuffer): BodyText {
  try {
    return { text: strictDecoder().decode(bytes), bytes: size, complete: isComplete, validUtf8: true };
  } catch {
    return { text: lenientDecoder().decode(bytes), bytes: size, complete: isComplete, validUtf8: false };
  }
}
