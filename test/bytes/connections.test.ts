/**
 * Whatever a connection does, over every transport: each call ends in a value, or in an error whose outcome says how far the
 * request came. No request is sent more often than is safe, and no bytes end up in the response of another request.
 */

import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectionError, type PaymentsClientOptions, PaymentsError } from 'payments-client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, refund, saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { closeOf, response, startSocketServer, startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

const by = { operationId: 'order-1' };
const refundOf = (id: string) => response('200 OK', JSON.stringify({ ...refund, id }));
const intent = response('200 OK', JSON.stringify(paymentIntent));
const approval = response('200 OK', 'response=1');
/** Larger than what a connection takes before its other end reads. */
const large = 'x'.repeat(8 * 1024 * 1024);

beforeEach(skipBackOff);

/** Answers the first bytes of a request, and closes the connection. */
const end = (bytes: string) => (socket: Socket) => void socket.once('data', () => socket.end(bytes));
/** Answers the first bytes of a request, and leaves the connection open. */
const write = (bytes: string) => (socket: Socket) => void socket.once('data', () => socket.write(bytes));

const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
const head = (fields: string, body = '{}') => `HTTP/1.1 200 OK\r\n${fields}\r\n\r\n${body}`;
const chunks = '2\r\n{}\r\n0\r\n\r\n';
const status = (line: string) => `HTTP/1.1 ${line}\r\ncontent-length: 0\r\n\r\n`;

interface Fault {
  readonly what: string;
  readonly serve: (socket: Socket) => void;
  /** What the error of a sale is, over every transport; `fetch` if a runtime's fetch differs. */
  readonly error?: object;
  readonly fetch?: object;
}

/** Answers that are broken connections. */
const brokenHeads: Readonly<Record<string, string>> = {
  'with a value of 64 KiB': head(`x-a: ${'a'.repeat(64 * 1024)}\r\ncontent-length: 2`),
  'of 5,000 fields': head(Array.from({ length: 5000 }, (_, at) => `x-${at}: 1`).join('\r\n')),
  'with a space in a name': head('x a: 1\r\ncontent-length: 2'),
  'with a NUL in a value': head('x-a: 1\0\r\ncontent-length: 2'),
  'with an escape in a value': head('x-a: \u001b[2J\r\ncontent-length: 2'),
  'that folds a value over two lines': head('x-a: b\r\n c\r\ncontent-length: 2'),
  'with a length before chunked encoding': head('content-length: 2\r\ntransfer-encoding: chunked', chunks),
  'with a length after chunked encoding': head('transfer-encoding: chunked\r\ncontent-length: 2', chunks),
  'with two lengths': head('content-length: 2\r\ncontent-length: 3'),
  'with a negative length': head('content-length: -2'),
  'with a length that is not a number': head('content-length: NaN'),
  'with a length in hexadecimal': head('content-length: 0x2'),
  'with a status of two digits': status('99 Odd'),
  'with a status of four digits': status('2000 OK'),
  'with a status in letters': status('OK OK'),
  'without a version': '{"id":"pi_1","object":"payment_intent"}',
  'of HTTP/0.9': '<html>payment accepted</html>',
  'of HTTP/2': '\0\0\u0006\u0004\0\0\0\0\0',
  'of another protocol': 'SSH-2.0-OpenSSH_9.9\r\n',
  'of zeros': '\0'.repeat(10_000),
};

const serverError = (code: number) => ({ name: 'ServerError', status: code, outcome: 'unknown' });
const noBody = { name: 'ResponseValidationError', outcome: 'unknown' };
const oddStatus = { name: 'ApiError', outcome: 'unknown' };
const unusable = { name: 'ConnectionError', outcome: 'unknown' };

/** What a server does with the request of a sale. Without an error, the sale is approved. */
const faults: readonly Fault[] = [
  ...Object.entries(brokenHeads).map(([what, bytes]) => ({
    what: `a head ${what}`,
    serve: end(bytes),
    error: unusable,
  })),
  ...[600, 700, 999].map((code) => ({
    what: `a ${code}`,
    serve: write(status(`${code} Odd`)),
    error: serverError(code),
  })),
  ...['000 Odd', '099 Odd'].map((line) => ({
    what: `a ${line}`,
    serve: write(status(line)),
    error: oddStatus,
    fetch: unusable,
  })),
  ...[204, 205].map((code) => ({ what: `a ${code}`, serve: write(status(`${code} Empty`)), error: noBody })),
  { what: 'a 304', serve: write(status('304 Empty')), error: oddStatus },
  {
    what: 'a head without a reason phrase',
    serve: end('HTTP/1.1 200\r\ncontent-length: 10\r\n\r\nresponse=1'),
  },
  { what: 'a head of HTTP/1.0', serve: end('HTTP/1.0 200 OK\r\n\r\nresponse=1') },
  { what: 'two early hints', serve: write(hint + hint + approval) },
  { what: 'an unexpected 100', serve: write(`HTTP/1.1 100 Continue\r\n\r\n${approval}`), fetch: unusable },
  {
    what: 'a switch of protocols',
    serve: write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n'),
    error: unusable,
  },
  { what: 'the end of the connection', serve: end(''), error: unusable },
  {
    what: 'a reset',
    serve: (socket) => socket.once('data', () => socket.resetAndDestroy()),
    error: unusable,
  },
  {
    what: 'the end within the body',
    serve: end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nresponse=1'),
    error: unusable,
  },
  {
    what: 'a reset within the body',
    serve: (socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nresponse=1', () =>
          setImmediate(() => socket.resetAndDestroy()),
        ),
      ),
    error: unusable,
  },
  {
    what: 'a response byte by byte',
    serve: (socket) => {
      socket.setNoDelay(true);
      socket.once('data', () => {
        const bytes = [...approval];
        const next = () => {
          const byte = bytes.shift();
          if (byte !== undefined) socket.write(byte, () => setImmediate(next));
        };
        next();
      });
    },
  },
];

/** Resolves when the client has the head of a response. */
function headReceived(): Promise<void> {
  return new Promise((resolve) => {
    for (const channel of ['http.client.response.finish', 'undici:request:headers']) {
      const seen = () => resolve();
      diagnostics.subscribe(channel, seen);
      onTestFinished(() => void diagnostics.unsubscribe(channel, seen));
    }
  });
}

describe.each(transports)('over %s', (name, transport) => {
  const client = (url: string, options: PaymentsClientOptions = {}) =>
    clientOf(url, { ...transport, maxRetries: 2, ...options });
  const create = (url: string, options = {}) => client(url, options).paymentIntents.create(intentParams, by);

  it.each(faults)('$what in response to a sale has a true outcome after one attempt', async (fault) => {
    const { serve, error, fetch = error } = fault;
    const { url, connections } = await startSocketServer(serve);
    const call = client(url).transact.sale(saleParams);
    const expected = name === 'fetch' ? fetch : error;
    if (expected === undefined) expect(await call).toMatchObject({ approved: true });
    else {
      const failure = await failureOf(call, PaymentsError);
      expect(failure).toMatchObject({ ...expected, attempts: 1 });
      expect(failure.code).not.toBe('FETCH_THREW');
    }
    expect(connections()).toBe(1);
  });

  it('names of prototypes in a head are ordinary fields', async () => {
    const fields = '__proto__: x\r\nconstructor: y\r\ncontent-length: 0';
    const { url } = await startSocketServer(write(`HTTP/1.1 400 Bad Request\r\n${fields}\r\n\r\n`));
    const error = await failureOf(client(url).transact.sale(saleParams), PaymentsError);
    expect(Reflect.get(error, 'headers').get('constructor')).toBe('y');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('a reset before the response makes a keyed call retry with the same key and bytes', async () => {
    const { url, requests } = await startWireServer(({ write, reset }, number) =>
      number < 3 ? reset() : write(intent),
    );
    const { response: info } = await create(url).withResponse();
    expect(info.attempts).toBe(3);
    expect(new Set(requests).size).toBe(1);
  });

  it('a reset within a 2xx leaves a keyed call executed', async () => {
    const { url } = await startSocketServer(end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'));
    expect(await failureOf(create(url, { maxRetries: 0 }), ConnectionError)).toMatchObject({
      outcome: 'executed',
    });
  });

  it('a reset while the request is sent leaves a sale unknown, after one attempt', async () => {
    const { url, connections } = await startSocketServer((socket) =>
      socket.once('data', () => socket.resetAndDestroy()),
    );
    // The SDK refuses a field above 64 KiB.
    const fields = Array.from({ length: 32 }, (_, index) => [`field_${index}`, 'x'.repeat(64 * 1024)]);
    const call = client(url).transact.submit({ type: 'sale', ...saleParams, ...Object.fromEntries(fields) });
    expect(await failureOf(call, ConnectionError)).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(connections()).toBe(1);
  });

  it('a refusal that arrives before the body was read is that refusal, or unknown', async () => {
    const { url, connections } = await startSocketServer(end(status('413 Payload Too Large')));
    const metadata = { note: large };
    const call = client(url, { maxRetries: 0 }).paymentIntents.create({ ...intentParams, metadata }, by);
    const error = await failureOf(call, PaymentsError);
    // The reset that follows may arrive before the response.
    if (error.name === 'ConnectionError') expect(error.outcome).toBe('unknown');
    else expect(error).toMatchObject({ name: 'ApiError', status: 413, outcome: 'not_executed' });
    expect(connections()).toBe(1);
  });

  it.each([
    ['with a header', 'connection: close\r\n'],
    ['without a header', ''],
  ])('a server that closes its connections %s receives each request once', async (_how, header) => {
    let requests = 0;
    let closed: Promise<unknown> = Promise.resolve();
    const { url, connections } = await startSocketServer((socket) => {
      closed = closeOf(socket);
      socket.on('data', () => {
        requests += 1;
        socket.end(response('200 OK', 'response=1', header));
      });
    });
    const { transact } = client(url);
    for (let time = 1; time <= 3; time += 1) {
      const { response: info } = await transact.sale(saleParams).withResponse();
      expect(info.attempts).toBe(1);
      // The next sale finds the client's side closed too.
      await closed;
      expect([requests, connections()]).toEqual([time, time]);
    }
  });

  describe('after a response', () => {
    it.each([
      ['a complete second one', refundOf('rf_smuggled')],
      ['the start of a second one', 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"id":"rf_smuggled",'],
      ['meaningless bytes', 'smuggled'],
    ])('%s in the same packet never becomes the next response', async (_what, stray) => {
      const { url, requests } = await startWireServer(({ write }, number) =>
        write(number === 1 ? refundOf('rf_1') + stray : refundOf(`rf_${number}`)),
      );
      const { refunds } = client(url);
      for (const id of ['rf_1', 'rf_2', 'rf_3']) expect((await refunds.retrieve(id)).id).toBe(id);
      expect(requests).toHaveLength(3);
    });

    it('a late second one never becomes the next response', async () => {
      const sockets: Socket[] = [];
      const { url } = await startSocketServer((socket, number) => {
        sockets.push(socket);
        socket.on('data', () => socket.write(refundOf(`rf_${number}`)));
      });
      const { refunds } = client(url);
      expect((await refunds.retrieve('rf_1')).id).toBe('rf_1');
      const [first] = sockets;
      if (first === undefined) throw new Error('There was no connection.');
      const closed = closeOf(first);
      first.write(refundOf('rf_smuggled'));
      // A client that reused this connection would keep it open, and the test would time out.
      await closed;
      expect((await refunds.retrieve('rf_2')).id).toBe('rf_2');
    });
  });

  describe('a server that stalls', () => {
    const timeout = 30_000;

    /** Lets the time-out of an attempt pass: not a millisecond before it, whatever arrives in between. */
    async function timeOut(call: PromiseLike<unknown>, stalled: Promise<unknown>, dripped = () => {}) {
      let isSettled = false;
      const failure = failureOf(call, PaymentsError).finally(() => {
        isSettled = true;
      });
      await stalled;
      await nextTurn();
      vi.advanceTimersByTime(timeout / 2);
      dripped();
      await nextTurn();
      vi.advanceTimersByTime(timeout / 2 - 1);
      await nextTurn();
      expect(isSettled).toBe(false);
      vi.advanceTimersByTime(1);
      return failure;
    }

    /** Starts a server that answers the first bytes of a request, and then only drips. */
    async function startStallingServer(bytes: string, dripped = ' ') {
      let drip = () => {};
      let onRequest = () => {};
      const arrived = new Promise<void>((resolve) => {
        onRequest = resolve;
      });
      const { url, connections } = await startSocketServer((socket) =>
        socket.once('data', () => {
          socket.pause();
          drip = () => socket.write(dripped);
          socket.write(bytes, () => onRequest());
        }),
      );
      // Only now, since the server's start needs time.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      return { url, connections, arrived, drip: () => drip() };
    }

    const unknown = { name: 'TimeoutError', code: 'ATTEMPT_TIMEOUT', outcome: 'unknown', attempts: 1 };

    it.each([
      ['without an answer', '', ''],
      ['within the head', 'HTTP/1.1 200 OK\r\nx-slow: ', 'a'],
      ['after a thousand early hints', hint.repeat(1000), hint],
    ])('%s makes a sale time out after one attempt, of unknown outcome', async (_where, bytes, dripped) => {
      const { url, arrived, drip, connections } = await startStallingServer(bytes, dripped);
      const call = client(url, { timeout }).transact.sale(saleParams);
      expect(await timeOut(call, arrived, drip)).toMatchObject(unknown);
      expect(connections()).toBe(1);
    });

    it('within a request makes the call time out, of unknown outcome', async () => {
      const { url, arrived } = await startStallingServer('');
      const params = { ...intentParams, metadata: { note: large } };
      const call = client(url, { timeout, maxRetries: 0 }).paymentIntents.create(params, by);
      expect(await timeOut(call, arrived)).toMatchObject(unknown);
    });

    it.each([
      ['within the body', 'content-length: 1000000\r\n'],
      ['within a body without a length', ''],
    ])('%s makes a keyed call time out, executed', async (_where, header) => {
      const { url, drip } = await startStallingServer(`HTTP/1.1 200 OK\r\n${header}\r\n`);
      const received = headReceived();
      const call = create(url, { timeout, maxRetries: 0 });
      const error = await timeOut(call, received, drip);
      expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'executed', attempts: 1 });
    });
  });
});
