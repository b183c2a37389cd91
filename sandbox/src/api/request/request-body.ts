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

/**
 * Checks the bearer token of a request.
 *
 * @throws Problem 401 for a missing or wrong token.
 */
export function authenticate(authorization: string | undefined, keys: readonly string[]): void {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) {
    throw new Problem(401, 'AUTHENTICATION_REQUIRED', "Expected 'Authorization: Bearer <secret key>'.");
  }
  if (!keys.includes(token))
    throw new Problem(
      401,
      'INVALID_SECRET_KEY',
      "There is no such secret key. Use sandbox.secretKey, or the one that 'npx payments-client env' prints.",
    );
}

const jsonType = /^application\/(?:[\w.-]+\+)?json\b/i;

/**
 * Parses a JSON body. An empty body is an empty object, since some requests have no parameters.
 *
 * @throws Problem when it is not JSON, or has another content type.
 */
export function parseJsonBody(text: string, contentType: string | undefined): unknown {
  if (text === '') return {};
  if (!jsonType.test(contentType ?? '')) {
    throw new Problem(415, 'UNSUPPORTED_MEDIA_TYPE', "Expected 'Content-Type: application/json'.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, 'INVALID_JSON', 'The body is not JSON.');
  }
}
