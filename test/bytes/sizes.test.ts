/**
 * Bodies that never end, expand, or are huge or deep. The SDK reads at most 32 MiB, keeps little more than it received, and
 * never reports a 2xx as `not_executed`.
 */

import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync, constants as zlib } from 'node:zlib';
import { ApiError, ResponseValidationError, unknownField } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { envelope } from '../support/deliveries.ts';
import { failureOf } from '../support/failure.ts';
import { checkoutSession, intentParams, paymentIntent, refund, saleParams } from '../support/fixtures.ts';
import { bySize, everyNth, thorough } from '../support/size.ts';
import { closeOf, startSocketServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';
import { webhooks } from './parsers/deliveries.ts';
import { newOperation, scriptedService } from './service.ts';

const MiB = 1024 * 1024;
/** The number of bytes that the SDK reads of a body. */
const bound = 32 * MiB;
/** The number of unread bytes that two socket buffers and the parser may contain. */
const inFlight = 24 * MiB;

const sizeBound = { expected: 'a body within the size bound', received: 'a longer one' };

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

const spaces = Buffer.alloc(MiB, 0x20);
const chunk = Buffer.concat([Buffer.from(`${MiB.toString(16)}\r\n`), spaces, Buffer.from('\r\n')]);
const endless = [
  ['with a length of 1 GiB', `content-length: ${1024 * MiB}\r\n`, spaces],
  ['of endless chunks', 'transfer-encoding: chunked\r\n', chunk],
  ['without a length or an end', '', spaces],
] as const;

const unpackedSize = bySize({ short: 34, all: 64, long: 1024 }) * MiB;
const unpacked = () => Buffer.alloc(unpackedSize, 0x20);
const bombs: readonly (readonly [encoding: string, pack: () => Buffer])[] = [
  ['gzip', () => gzipSync(unpacked(), { level: 1 })],
  ['deflate', () => deflateSync(unpacked(), { level: 1 })],
  ['br', () => brotliCompressSync(unpacked(), { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } })],
];

describe.each(transports)('over %s, a body', (name, transport) => {
  const create = (url: string) =>
    clientOf(url, transport).paymentIntents.create(intentParams, newOperation());
  const isFetch = name === 'fetch';

  it.each(everyNth(endless, 3, name.length))(
    '%s is read up to the bound, then the connection is closed',
    async (_what, header, piece) => {
      const server = await startEndlessServer(`HTTP/1.1 200 OK\r\n${header}\r\n`, piece);
      const error = await failureOf(create(server.url), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'executed', issues: [sizeBound] });
      await server.closed();
      expect(server.sent()).toBeLessThan(bound + inFlight);
      expect(String(error.body)).toHaveLength(bound);
    },
  );

  it('of a sale that is longer is no result, even if it begins as an approval', async () => {
    const text = Buffer.concat([Buffer.from('response=1&transactionid=7&more='), Buffer.alloc(bound, 0x61)]);
    const { url } = await startSocketServer((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.byteLength}\r\n\r\n`);
        socket.write(text);
      });
    });
    const error = await failureOf(
      clientOf(url, transport).transact.sale(saleParams),
      ResponseValidationError,
    );
    expect(error).toMatchObject({ outcome: 'unknown', issues: [sizeBound] });
  });

  it('of a refusal that never ends leaves the error that refusal', thorough, async () => {
    const [, header, piece] = endless[0];
    const server = await startEndlessServer(`HTTP/1.1 403 Forbidden\r\n${header}\r\n`, piece);
    const error = await failureOf(create(server.url), ApiError);
    expect(error).toMatchObject({ status: 403, outcome: 'not_executed' });
    await server.closed();
    expect(server.sent()).toBeLessThan(bound + inFlight);
    expect(error.message.length).toBeLessThan(1000);
  });

  // In the short form, one transport attacks the bound by its length, the other by a bomb.
  it.each(everyNth(bombs, isFetch ? 3 : 100, isFetch ? 0 : 99))(
    'that expands hugely by %s is read up to the bound',
    async (encoding, compress) => {
      const body = compress();
      expect(body.byteLength).toBeLessThan(unpackedSize / 100);
      const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.byteLength}\r\n\r\n`;
      const { url } = await startSocketServer((socket) => {
        socket.once('data', () => socket.write(Buffer.concat([Buffer.from(head), body])));
      });
      const error = await failureOf(create(url), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'executed', issues: [sizeBound] });
      expect(String(error.body)).toHaveLength(bound);
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
  const byteCount = bySize({ short: 30_000, all: 400_000 });
  let sent = 0;
  let heapBefore = 0;
  let heapGrowth = 0;
  const stream = new ReadableStream({
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
  const fetch = async (_request: Request) => new Response(stream);
  expect(await clientOf('https://payments.test', { fetch }).refunds.retrieve('rf_1')).toEqual(refund);
  expect(sent).toBe(byteCount);
  // A retained chunk takes more than 100 bytes.
  expect(heapGrowth / byteCount).toBeLessThan(50);
});

const service = scriptedService();
const payments = service.client();

function create(body: string) {
  service.answers(() => ({ body }));
  return payments.paymentIntents.create(intentParams, newOperation());
}

function sell(body: string) {
  service.answers(() => ({ body }));
  return payments.transact.sale(saleParams);
}

/** Returns the JSON of a payment intent with further fields. Of two fields with the same name, the later one counts. */
const intentWith = (more: string) => `${JSON.stringify(paymentIntent).slice(0, -1)},${more}}`;

const levels = 100_000;
const nested = {
  arrays: '['.repeat(levels) + ']'.repeat(levels),
  objects: `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
};

describe.each(everyNth(Object.entries(nested), 2))('100,000 nested %s', (_what, deep) => {
  it('in an unknown field are kept', async () => {
    const intent = await create(intentWith(`"x":${deep}`));
    expect(intent.id).toBe('pi_1');
    expect(typeof unknownField(intent, 'x')).toBe('object');
  });

  it.each([
    ['in a known field', intentWith(`"amount":${deep}`), 'amount'],
    ['as the whole body', deep, undefined],
  ])('%s are invalid, and the outcome is executed', async (_where, body, path) => {
    const error = await failureOf(create(body), ResponseValidationError);
    expect(error.outcome).toBe('executed');
    if (path !== undefined) expect(error.issues.map((issue) => issue.path)).toEqual([path]);
  });

  it('in a refusal do not hide its code', async () => {
    service.answers(() => ({ status: 402, body: `{"error":${deep},"code":"card_declined"}` }));
    const call = payments.paymentIntents.create(intentParams, newOperation());
    await expect(call).rejects.toMatchObject({ status: 402, code: 'card_declined', outcome: 'not_executed' });
  });

  it('in the response to a sale hide neither an approval nor that there is none', async () => {
    const result = await sell(`{"response":1,"transactionid":"316","x":${deep}}`);
    expect(result).toMatchObject({ approved: true, transactionid: '316', fields: { x: '' } });
    const error = await failureOf(sell(`{"response":${deep}}`), ResponseValidationError);
    expect(error.outcome).toBe('unknown');
  });

  it('in a webhook do not make its verification fail', async () => {
    const body = JSON.stringify(envelope('tea.poured', 0)).replace('"object":0', `"object":${deep}`);
    const event = await webhooks.body.verify(body, await webhooks.body.sign(body));
    expect(event.type).toBe('tea.poured');
  });
});

describe('huge JSON', () => {
  const long = 'a'.repeat(bySize({ short: 2_000_000, all: 25_000_000 }));

  it('is accepted as a text in a known field', async () => {
    expect((await create(intentWith(`"currency":"${long}"`))).currency).toHaveLength(long.length);
  });

  it.each([
    ['JSON', `{"response":1,"x":"${long}"}`],
    ['a form', `response=1&x=${long}`],
    ['an unescaped form', `response=1&responsetext=${long} ok`],
  ])('does not hide in %s that a sale was approved', async (_form, body) => {
    expect((await sell(body)).approved).toBe(true);
  });

  it.each([
    ['a code and a message', `{"code":"${long}","message":"${long}"}`],
    ['a field', `{"${long}":["${long}"]}`],
    ['a title', `<title>${long}`],
    ['a text', long],
  ])('does not make the message of a refusal huge, as %s', async (_where, body) => {
    service.answers(() => ({ status: 400, body }));
    const error = await failureOf(payments.paymentIntents.retrieve('pi_1'), ApiError);
    expect(error.status).toBe(400);
    expect(String(error).length).toBeLessThan(2000);
  });

  it('does not make an error huge by many invalid items', async () => {
    const items = `[${'{},'.repeat(bySize({ short: 20_000, all: 999_999 }))}{}]`;
    const body = `${JSON.stringify(checkoutSession).slice(0, -1)},"line_items":${items}}`;
    service.answers(() => ({ body }));
    const error = await failureOf(payments.checkoutSessions.retrieve('cs_1'), ResponseValidationError);
    expect(error.issues[0]?.path).toMatch(/^line_items\[0\]/);
    expect(error.issues.length).toBeLessThan(100);
    expect(error.message.length).toBeLessThan(20_000);
  });

  it.each([
    ['a long name', `"metadata":{"${long}":1}`],
    ['a number of a million digits', `"amount":${'9'.repeat(1_000_000)}`],
  ])('does not make an error huge by %s', async (_what, fields) => {
    const error = await failureOf(create(intentWith(fields)), ResponseValidationError);
    expect(error.outcome).toBe('executed');
    expect(error.issues).toHaveLength(1);
    expect(error.message.length).toBeLessThan(1000);
  });

  it('is accepted as a page of half a million items', thorough, async () => {
    const count = 500_000;
    const items = Array.from({ length: count }, (_, number) => `{"id":"p${number}","object":"product"}`);
    service.answers(() => ({ body: `{"data":[${items}],"has_more":false}` }));
    const { items: read } = await service.client({ validation: 'off' }).products.list();
    expect(read).toHaveLength(count);
  });
});
