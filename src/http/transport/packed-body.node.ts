import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { type BodyText, emptyBody, readStream } from './received.ts';

/** The codings that are asked for. */
export const acceptedEncodings = 'gzip, deflate, br';

async function decoderOf(encoding: string) {
  const zlib = await import('node:zlib');
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip();
  if (encoding === 'deflate') return zlib.createInflate();
  if (encoding === 'br') return zlib.createBrotliDecompress();
  return undefined;
}

/** Reads the body of a response that was packed. The bound counts what was unpacked. */
export async function readPacked(message: IncomingMessage, encoding: string): Promise<BodyText> {
  const decoder = await decoderOf(encoding.toLowerCase());
  if (decoder === undefined) return readStream(message);
  let isEmpty = true;
  message.once('data', () => {
    isEmpty = false;
  });
  // Whichever of the two ends early takes the other along; `readStream` hears of it.
  pipeline(message, decoder, () => {});
  return readStream(decoder).catch((error: unknown) => {
    // A response without a body may name an encoding all the same.
    if (message.complete && isEmpty) return emptyBody;
    throw error;
  });
}
