/**
 * Bodies that never end, unpack to far more than they are, or are not what they claim: what is read stays within the bound of
 * 32 MiB, what is kept stays near what came, and a 2xx is never told as a call that had no effect.
 */

import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync, constants as zlib } from 'node:zlib';
import { ApiError, PaymentsError, ResponseValidationError, type WebRequest } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, refund, saleParams } from '../support/fixtures.ts';
import { bySize, everyNth } from '../support/size.ts';
import { closeOf, startSocketServer, startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

const MiB = 1024 * 1024;
/** What is read of a body. */
const bound = 32 * MiB;
/** What the buffers of two sockets and of the parser may hold beside what was read. */
const inFlight = 24 * MiB;

const by = { operationId: 'order-1' };
const sizeBound = { expected: 'a body within the size bound', received: 'a longer one' };
const intent = Buffer.from(JSON.stringify(paymentIntent));

/** A server that sends a head and then pieces for as long as anybody takes them. */
async function startEndlessServer(head: string, piece: Buffer) {
  let sent = 0;
  let closed: Promise<unknown> = Promise.resolve();
  const pour = (socket: Socket) => {
    while (!socket.destroyed && socket.write(piece)) sent += piece.byteLength;
    if (!socket.destroyed) socket.once('drain', () => pour(socket));
    sent += piece.byteLength;
  };
  const { url } = await startSocketServer((socket) => {
    closed = closeOf(socket);
    socket.once('data', () => {
      socket.write(head);
      pour(socket);
    });
  });
  return { url, sent: () => sent, closed: () => closed };
}

function chunkOf(size: number): Buffer {
  return Buffer.concat([
    Buffer.from(`${size.toString(16)}\r\n`),
    Buffer.alloc(size, 0x20),
    Buffer.from('\r\n'),
  ]);
}

const endlessBodies = [
  ['of a gigabyte, as its length says', `content-length: ${1024 * MiB}\r\n`, Buffer.alloc(MiB, 0x20)],
  ['in chunks without end', 'transfer-encoding: chunked\r\n', chunkOf(MiB)],
  ['without length and end', '', Buffer.alloc(MiB, 0x20)],
] as const;

/** A packed body of the service. */
function packed(encoding: string, body: Uint8Array, status = '200 OK'): Buffer {
  const head = `HTTP/1.1 ${status}\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.byteLength}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

const unpackedSize = bySize({ short: 40, all: 64, long: 1024 }) * MiB;
const blanks = () => Buffer.alloc(unpackedSize, 0x20);
const fast = { level: 1 };
const bombs: readonly (readonly [encoding: string, pack: () => Buffer])[] = [
  ['gzip', () => gzipSync(blanks(), fast)],
  ['deflate', () => deflateSync(blanks(), fast)],
  ['br', () => brotliCompressSync(blanks(), { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } })],
];

describe.each(transports)('over %s, a body', (name, transport) => {
  const create = (url: string, options = {}) =>
    clientOf(url, { ...transport, ...options }).paymentIntents.create(intentParams, by);

  it.each(endlessBodies)(
    '%s is read to the bound, and its connection ended',
    async (_what, header, piece) => {
      const server = await startEndlessServer(`HTTP/1.1 200 OK\r\n${header}\r\n`, piece);
      const error = await failureOf(create(server.url), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'executed', issues: [sizeBound] });
      await server.closed();
      expect(server.sent()).toBeLessThan(bound + inFlight);
      expect(String(error.body)).toHaveLength(bound);
    },
  );

  it('of a refusal that never ends is read to the bound, and the refusal told', {
    timeout: 60_000,
  }, async () => {
    const [, header, piece] = endlessBodies[0];
    const server = await startEndlessServer(`HTTP/1.1 402 Payment Required\r\n${header}\r\n`, piece);
    const error = await failureOf(create(server.url), ApiError);
    expect(error).toMatchObject({ status: 402, outcome: 'not_executed' });
    await server.closed();
    expect(server.sent()).toBeLessThan(bound + inFlight);
    expect(error.message.length).toBeLessThan(1_000);
  });

  it.each(everyNth(bombs, 3))(
    'of few bytes that %s unpacks to very many is unpacked to the bound',
    { timeout: 120_000 },
    async (encoding, pack) => {
      const bomb = packed(encoding, pack());
      expect(bomb.byteLength).toBeLessThan(unpackedSize / 100);
      const { url } = await startSocketServer((socket) => {
        socket.once('data', () => socket.write(bomb));
      });
      const error = await failureOf(create(url), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'executed', issues: [sizeBound] });
      expect(String(error.body)).toHaveLength(bound);
    },
  );

  const zipped = gzipSync(intent);
  it.each<[what: string, encoding: string, body: Uint8Array]>([
    ['that is no gzip', 'gzip', intent],
    ['that is no deflate', 'deflate', intent],
    ['that is no Brotli', 'br', intent],
    ['that breaks off', 'gzip', zipped.subarray(0, zipped.length - 20)],
    ['whose checksum is wrong', 'gzip', Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8, 1)])],
    [
      'with a broken middle',
      'gzip',
      Buffer.concat([zipped.subarray(0, 40), Buffer.alloc(40), zipped.subarray(80)]),
    ],
    ['with more after its end', 'gzip', Buffer.concat([zipped, Buffer.from('{"id":"pi_2"}')])],
  ])('%s, though it claims to be %s, has taken effect and is not read', async (_what, encoding, body) => {
    const { url, requests } = await startWireServer(({ write }) => write(packed(encoding, body)));
    const error = await failureOf(create(url), PaymentsError);
    expect(error.outcome).toBe('executed');
    // The runtime's fetch gives what it could unpack of a body that breaks off, as if it were all.
    expect(error.name).toMatch(
      name === 'fetch' ? /^(?:Connection|ResponseValidation)Error$/ : /^ConnectionError$/,
    );
    expect(error.message).toContain('It took effect');
    expect(requests).toHaveLength(1);
  });

  it('that is packed twice is unpacked, or no JSON at all', async () => {
    const { url } = await startWireServer(({ write }) => write(packed('gzip, gzip', gzipSync(zipped))));
    if (name === 'fetch') expect((await create(url)).id).toBe('pi_1');
    else expect((await failureOf(create(url), ResponseValidationError)).outcome).toBe('unknown');
  });

  it.each(['identity', 'utf-8', 'aes128gcm', 'constructor', '__proto__'])(
    'that claims the unknown encoding %s and has none is read',
    async (encoding) => {
      const { url } = await startWireServer(({ write }) => write(packed(encoding, intent)));
      expect((await create(url)).id).toBe('pi_1');
    },
  );

  it.each([
    ['204 No Content', 'gzip'],
    ['200 OK', 'gzip'],
    ['200 OK', 'deflate'],
    ['200 OK', 'br'],
  ])('of nothing is nothing, also where a %s claims it to be %s', async (status, encoding) => {
    const { url } = await startWireServer(({ write }) => write(packed(encoding, Buffer.of(), status)));
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
  ])('of JSON is read, whatever type it claims: %j', async (type) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${intent.byteLength}\r\n\r\n`;
    const { url } = await startWireServer(({ write }) => write(Buffer.concat([Buffer.from(head), intent])));
    expect((await create(url)).id).toBe('pi_1');
  });

  const asUtf16 = (text: string) => Buffer.from(text, 'utf16le');
  it.each<[what: string, body: Buffer, received: RegExp]>([
    [
      'with a byte that is not UTF-8 in a value',
      Buffer.from('{"id":"pi_\xff"}', 'latin1'),
      /^bytes that are not UTF-8$/,
    ],
    ['with an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), /^bytes that are not UTF-8$/],
    [
      'with half a surrogate pair as bytes',
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      /^bytes that are not UTF-8$/,
    ],
    ['that ends within a character', Buffer.from([0x22, 0xf0, 0x9f, 0x8d]), /^bytes that are not UTF-8$/],
    ['in UTF-16 with a mark', asUtf16(`\uFEFF${intent}`), /^bytes that are not UTF-8$/],
    ['in UTF-16 without one', asUtf16(`${intent}`), /^\d+ characters that are not JSON$/],
    ['in UTF-16 of the other order', asUtf16(`\uFEFF${intent}`).swap16(), /^bytes that are not UTF-8$/],
  ])('%s is not guessed at, and executed only where it begins as JSON', async (_what, body, received) => {
    const head = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.byteLength}\r\n\r\n`);
    const { url } = await startWireServer(({ write }) => write(Buffer.concat([head, body])));
    const error = await failureOf(create(url), ResponseValidationError);
    expect(error.outcome).toBe(body[0] === 0x7b ? 'executed' : 'unknown');
    expect(error.issues).toMatchObject([{ path: '(root)', received: expect.stringMatching(received) }]);
  });

  it('may begin with a mark of its byte order', async () => {
    const body = Buffer.from(`\uFEFF${intent}`);
    const head = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.byteLength}\r\n\r\n`);
    const { url } = await startWireServer(({ write }) => write(Buffer.concat([head, body])));
    expect((await create(url)).id).toBe('pi_1');
  });

  it.each([204, 205, 304])(
    'that is not there, with a %i, is never taken for the result of a payment',
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

/** Collects garbage at once, so that what is left is what somebody holds. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

it('a body of single bytes costs no more memory than its bytes', async () => {
  const text = JSON.stringify(refund);
  const size = 400_000;
  let given = 0;
  let before = 0;
  let growth = 0;
  const stream = () =>
    new ReadableStream({
      pull: (controller) => {
        if (given === 0) {
          collectGarbage();
          before = process.memoryUsage().heapUsed;
        }
        controller.enqueue(Buffer.from(given < text.length ? (text[given] ?? '') : ' '));
        given += 1;
        if (given < size) return;
        collectGarbage();
        growth = process.memoryUsage().heapUsed - before;
        controller.close();
      },
    });
  const fetch = async (_request: WebRequest) => new Response(stream());
  expect(await clientOf('https://payments.test', { fetch }).refunds.retrieve('rf_1')).toEqual(refund);
  expect(given).toBe(size);
  // A chunk that is kept weighs a hundred bytes and more.
  expect(growth / size).toBeLessThan(20);
});
