import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { type BodyText, emptyBody, readStream } from '../../base/body.ts';

/** The value of `Accept-Encoding`. Without `deflate`, which some servers send without the header that zlib needs. */
export const acceptedEncodings = 'br, gzip';

async function decoderOf(encoding: string) {
  const zlib = await import('node:zlib');
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip();
  if (encoding === 'deflate') return zlib.createInflate();
  if (encoding === 'br') return zlib.createBrotliDecompress();
  return undefined;
}

/** Reads a compressed body. The bound counts decompressed bytes. */
export async function readPacked(message: IncomingMessage, encoding: string): Promise<BodyText> {
  const decoder = await decoderOf(encoding.toLowerCase());
  const read = (stream: Readable) =>
    new Promise<BodyText>((resolve, reject) => readStream(stream, resolve, reject));
  if (decoder === undefined) return read(message);
  let isEmpty = true;
  message.once('data', () => {
    isEmpty = false;
  });
  // If one of the two ends early, the other does too, and reading fails.
  pipeline(message, decoder, () => {});
  return read(decoder).catch((error: unknown) => {
    // A response without a body may name an encoding all the same.
    if (message.complete && isEmpty) return emptyBody;
    throw error;
  });
}
