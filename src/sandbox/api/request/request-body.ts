import { Problem } from '../../domain/problem.ts';

/** The maximum length of a body, in bytes. */
const limit = 1024 * 1024;

/** Requests whose `content-length` the HTTP parser enforces. For any other, the header is only a claim. */
const measured = new WeakSet<Request>();

/** Marks the `content-length` of a request as enforced, since it came over HTTP. */
export function trustLength(request: Request): void {
  measured.add(request);
}

function tooLarge(): Problem {
  return new Problem(
    413,
    'REQUEST_TOO_LARGE',
    `Expected a body of at most ${limit.toLocaleString('en')} bytes, got a longer one. Send less in one request.`,
  );
}

/** Reads a body up to the limit, and leaves the rest unread. */
async function readPieces(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    length += value.length;
    // The stream is not canceled: over HTTP that would close the connection before the response is sent.
    if (length > limit) throw tooLarge();
    pieces.push(value);
  }
}

/**
 * Reads the body of a request up to the limit.
 *
 * @throws Problem 413 when it is longer.
 */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > limit) throw tooLarge();
  if (declared !== null && measured.has(request)) return new Uint8Array(await request.arrayBuffer());
  return request.body === null ? new Uint8Array() : readPieces(request.body);
}

/**
 * Reads the body of a request as text.
 *
 * @throws Problem 413 when it is longer.
 */
export async function readText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBody(request));
}
