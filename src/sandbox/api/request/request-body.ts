import { Problem } from '../../domain/problem.ts';

/** How long a body may be, in bytes. */
const limit = 1024 * 1024;

/** Requests whose length the HTTP parser holds them to. Of any other, the header is only what its maker says. */
const measured = new WeakSet<Request>();

/** Lets the length that a request declares count, since it came over HTTP. */
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

/** The pieces of a body. What goes beyond the bound is left where it is. */
async function readPieces(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    length += value.length;
    // The stream is not canceled: over HTTP that would close the connection before the refusal is sent.
    if (length > limit) throw tooLarge();
    pieces.push(value);
  }
}

/**
 * The body of a request, which is read only as far as it may be long.
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
 * The same as text.
 *
 * @throws Problem 413 when it is longer.
 */
export async function readText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBody(request));
}
