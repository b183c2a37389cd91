import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { BodyCollector, type BodyText } from './received.ts';

function collect(stream: Readable): Promise<BodyText> {
  return new Promise((resolve, reject) => {
    const body = new BodyCollector();
    stream.on('data', (chunk: Uint8Array) => {
      if (body.add(chunk)) return;
      resolve(body.text());
      stream.destroy();
    });
    stream.on('end', () => resolve(body.text()));
    stream.on('error', reject);
  });
}

/** The codings that are asked for. */
export const acceptedEncodings = 'gzip, deflate, br';

async function decoderOf(encoding: string) {
  const zlib = await import('node:zlib');
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip();
  if (encoding === 'deflate') return zlib.createInflate();
  if (encoding === 'br') return zlib.createBrotliDecompress();
  return undefined;
}

async function collectDecoded(message: IncomingMessage, encoding: string): Promise<BodyText> {
  const decoder = await decoderOf(encoding);
  if (decoder === undefined) return collect(message);
  let isEmpty = true;
  message.once('data', () => {
    isEmpty = false;
  });
  // Whichever of the two ends early takes the other along; `collect` hears of it.
  pipeline(message, decoder, () => {});
  return collect(decoder).catch((error: unknown) => {
    // A response without a body may name an encoding all the same.
    if (message.complete && isEmpty) return new BodyCollector().text();
    throw error;
  });
}

/** The body of a response as text, up to its bound, which counts what was unpacked. */
export function readBody(message: IncomingMessage): Promise<BodyText> {
  const encoding = message.headers['content-encoding'];
  return encoding === undefined ? collect(message) : collectDecoded(message, encoding.toLowerCase());
}
