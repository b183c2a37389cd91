/**
 * Response bodies that never end, decompress to far more than their size, or do not match their headers. The SDK reads at most 32
 * MiB, keeps little more than it received, and never reports a 2xx as `not_executed`.
 */

import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync, constants as zlib } from 'node:zlib';
import { ApiError, PaymentsError, ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, refund, saleParams } from '../support/fixtures.ts';
import { bySize, everyNth, thorough } from '../support/size.ts';
import { closeOf, startSocketServer, startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

const MiB = 1024 * 1024;
/** The number of bytes that the SDK reads of a body. */
const bound = 32 * MiB;
/** The number of unread bytes that two socket buffers and the parser may contain. */
const inFlight = 24 * MiB;

const by = { operationId: 'order-1' };
const sizeBound = { expected: 'a body within the size bound', received: 'a longer one' };
const intent = Buffer.from(JSON.stringify(paymentIntent));

/** Starts a server that sends a head and then writes the same piece until the client disconnects. */
async function startEndlessServer(head: string, piece: Buffer) {
  let sent = 0;
  let closed: Promise<unknown> = Promise.resolve();
  const writePieces = (socket: Socket) => {
    while (!socket.destroyed && socket.write(piece)) sent += piece.byteLength;
    if (!socket.destroyed) socket.once('drain', () => writePieces(socket));
    sent += piece.byteLength;
  };
  const { url } = await startSocketServer((socket) => {
    closed = closeOf(socket);
    socket.once('data', () => {
      socket.write(head);
      writePieces(socket);
    });
  });
  return { url, sent: () => sent, closed: () => closed };
}

function chunkOf(byteCount: number): Buffer {
  return Buffer.concat([
    Buffer.from(`${byteCount.toString(16)}\r\n`),
    Buffer.alloc(byteCount, 0x20),
    Buffer.from('\r\n'),
  ]);
}

const endlessBodies = [
  ['with a content-length of 1 GiB', `content-length: ${1024 * MiB}\r\n`, Buffer.alloc(MiB, 0x20)],
  ['with endless chunks', 'transfer-encoding: chunked\r\n', chunkOf(MiB)],
  ['without a length or an end', '', Buffer.alloc(MiB, 0x20)],
] as const;

/** Builds a response with a compressed body. */
function compressedResponse(encoding: string, body: Uint8Array, status = '200 OK'): Buffer {
  const head = `HTTP/1.1 ${status}\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.byteLength}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

const unpackedSize = bySize({ short: 40, all: 64, long: 1024 }) * MiB;
const spaces = () => Buffer.alloc(unpackedSize, 0x20);
const fastest = { level: 1 };
const bombs: readonly (readonly [encoding: string, pack: () => Buffer])[] = [
  ['gzip', () => gzipSync(spaces(), fastest)],
  ['deflate', () => deflateSync(spaces(), fastest)],
  ['br', () => brotliCompressSync(spaces(), { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } })],
];

describe.each(transports)('the body of a response over %s', (name, transport) => {
  const create = (url: string, options = {}) =>
    clientOf(url, { ...transport, ...options }).paymentIntents.create(intentParams, by);

  it.each(everyNth(endlessBodies, 3, name.length))(
    '%s is read up to the limit, then the connection is closed',
    async (_what, header, piece) => {
      const server = await startEndlessServer(`HTTP/1.1 200 OK\r\n${header}\r\n`, piece);
      const error = await failureOf(create(server.url), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'executed', issues: [sizeBound] });
      await server.closed();
      expect(server.sent()).toBeLessThan(bound + inFlight);
      expect(String(error.body)).toHaveLength(bound);
    },
  );

  it(
    'of a refusal that never ends is read up to the limit, and the error is still the refusal',
    thorough,
    async () => {
      const [, header, piece] = endlessBodies[0];
      const server = await startEndlessServer(`HTTP/1.1 403 Forbidden\r\n${header}\r\n`, piece);
      const error = await failureOf(create(server.url), ApiError);
      expect(error).toMatchObject({ status: 403, outcome: 'not_executed' });
      await server.closed();
      expect(server.sent()).toBeLessThan(bound + inFlight);
      expect(error.message.length).toBeLessThan(1_000);
    },
  );

  it.each(everyNth(bombs, 3, name.length))(
    'that expands hugely with %s is decompressed only up to the limit',
    async (encoding, compress) => {
      const response = compressedResponse(encoding, compress());
      expect(response.byteLength).toBeLessThan(unpackedSize / 100);
      const { url } = await startSocketServer((socket) => {
        socket.once('data', () => socket.write(response));
      });
      const error = await failureOf(create(url), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'executed', issues: [sizeBound] });
      expect(String(error.body)).toHaveLength(bound);
    },
  );

  const zipped = gzipSync(intent);
  it.each<[what: string, encoding: string, body: Uint8Array]>([
    ['that is not gzip', 'gzip', intent],
    ['that is not deflate', 'deflate', intent],
    ['that is not Brotli', 'br', intent],
    ['that is truncated', 'gzip', zipped.subarray(0, zipped.length - 20)],
    ['with a wrong checksum', 'gzip', Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8, 1)])],
    [
      'with corrupt bytes in the middle',
      'gzip',
      Buffer.concat([zipped.subarray(0, 40), Buffer.alloc(40), zipped.subarray(80)]),
    ],
    ['with trailing bytes', 'gzip', Buffer.concat([zipped, Buffer.from('{"id":"pi_2"}')])],
  ])('%s, sent as %s, makes the outcome executed and is not retried', async (_what, encoding, body) => {
    const { url, requests } = await startWireServer(({ write }) => write(compressedResponse(encoding, body)));
    const error = await failureOf(create(url), PaymentsError);
    expect(error.outcome).toBe('executed');
    // The runtime's fetch returns the decompressed part of a truncated body as if it were complete.
    expect(error.name).toMatch(
      name === 'fetch' ? /^(?:Connection|ResponseValidation)Error$/ : /^ConnectionError$/,
    );
    expect(error.message).toContain('The call took effect');
    expect(requests).toHaveLength(1);
  });

  it('that is compressed twice is decompressed, or refused as invalid JSON', async () => {
    const { url } = await startWireServer(({ write }) =>
      write(compressedResponse('gzip, gzip', gzipSync(zipped))),
    );
    if (name === 'fetch') expect((await create(url)).id).toBe('pi_1');
    else expect((await failureOf(create(url), ResponseValidationError)).outcome).toBe('unknown');
  });

  it.each(['identity', 'utf-8', 'aes128gcm', 'constructor', '__proto__'])(
    'that is plain JSON with the unknown encoding %s is parsed',
    async (encoding) => {
      const { url } = await startWireServer(({ write }) => write(compressedResponse(encoding, intent)));
      expect((await create(url)).id).toBe('pi_1');
    },
  );

  it.each([
    ['204 No Content', 'gzip'],
    ['200 OK', 'gzip'],
    ['200 OK', 'deflate'],
    ['200 OK', 'br'],
  ])('that is empty is accepted from a %s with encoding %s', async (status, encoding) => {
    const { url } = await startWireServer(({ write }) =>
      write(compressedResponse(encoding, Buffer.of(), status)),
    );
    const { customers } = clientOf(url, transport);
    expect(await customers.delete('cus_1')).toEqual({ id: 'cus_1', deleted: true });
  });

  it.each([
    '',
    'image/png',
    'text/html; charset=utf-16',
    'multipart/mixed',
    'application/x-www-form-urlencoded',
    '/',
  ])('that is JSON is parsed, whatever the content type: %j', async (type) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${intent.byteLength}\r\n\r\n`;
    const { url } = await startWireServer(({ write }) => write(Buffer.concat([Buffer.from(head), intent])));
    expect((await create(url)).id).toBe('pi_1');
  });

  const asUtf16 = (text: string) => Buffer.from(text, 'utf16le');
  it.each<[what: string, body: Buffer, received: RegExp]>([
    [
      'with a value that is not UTF-8',
      Buffer.from('{"id":"pi_\xff"}', 'latin1'),
      /^bytes that are not UTF-8$/,
    ],
    ['with an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), /^bytes that are not UTF-8$/],
    ['with half a surrogate pair', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /^bytes that are not UTF-8$/],
    ['that ends within a character', Buffer.from([0x22, 0xf0, 0x9f, 0x8d]), /^bytes that are not UTF-8$/],
    ['in UTF-16 with a byte order mark', asUtf16(`\uFEFF${intent}`), /^bytes that are not UTF-8$/],
    [
      'in UTF-16 without a byte order mark',
      asUtf16(`${intent}`),
      /^a text of \d+ characters that is not JSON$/,
    ],
    [
      'in UTF-16 with the other byte order',
      asUtf16(`\uFEFF${intent}`).swap16(),
      /^bytes that are not UTF-8$/,
    ],
  ])(
    '%s is refused, and the outcome is executed only if it begins like JSON',
    async (_what, body, received) => {
      const head = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.byteLength}\r\n\r\n`);
      const { url } = await startWireServer(({ write }) => write(Buffer.concat([head, body])));
      const error = await failureOf(create(url), ResponseValidationError);
      expect(error.outcome).toBe(body[0] === 0x7b ? 'executed' : 'unknown');
      expect(error.issues).toMatchObject([{ path: '(root)', received: expect.stringMatching(received) }]);
    },
  );

  it('may begin with a byte order mark', async () => {
    const body = Buffer.from(`\uFEFF${intent}`);
    const head = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.byteLength}\r\n\r\n`);
    const { url } = await startWireServer(({ write }) => write(Buffer.concat([head, body])));
    expect((await create(url)).id).toBe('pi_1');
  });

  it.each([204, 205, 304])(
    'that is missing, as with a %i, is never accepted as the result of a payment',
    async (status) => {
      const { url } = await startWireServer(({ write }) =>
        write(`HTTP/1.1 ${status} Empty\r\ncontent-length: 0\r\n\r\n`),
      );
      const error = await failureOf(create(url), PaymentsError);
      expect(error.outcome).toBe('unknown');
      const lost = await failureOf(clientOf(url, transport).transact.sale(saleParams), PaymentsError);
      expect(lost.outcome).toBe('unknown');
    },
  );
});

/** Collects garbage now, so that the heap contains only what is still referenced. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

it('a body that arrives byte by byte uses no more memory than its bytes', async () => {
  const text = JSON.stringify(refund);
  const byteCount = bySize({ short: 100_000, all: 400_000 });
  let sent = 0;
  let heapBefore = 0;
  let heapGrowth = 0;
  const stream = () =>
    new ReadableStream({
      pull: (controller) => {
        if (sent === 0) {
          collectGarbage();
          heapBefore = process.memoryUsage().heapUsed;
        }
        controller.enqueue(Buffer.from(sent < text.length ? (text[sent] ?? '') : ' '));
        sent += 1;
        if (sent < byteCount) return;
        collectGarbage();
        heapGrowth = process.memoryUsage().heapUsed - heapBefore;
        controller.close();
      },
    });
  const fetch = async (_request: Request) => new Response(stream());
  expect(await clientOf('https://payments.test', { fetch }).refunds.retrieve('rf_1')).toEqual(refund);
  expect(sent).toBe(byteCount);
  // A retained chunk takes more than 100 bytes.
  expect(heapGrowth / byteCount).toBeLessThan(20);
});
