/**
 * Connections that break, stall, or send extra bytes. Each ends in an error whose outcome says how far the request came. No
 * request is sent more often than is safe, and no bytes end up in the response of another request.
 */

import type { Socket } from 'node:net';
import { ApiError, ConnectionError, PaymentsError, ServerError, TimeoutError } from 'payments-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, refund, saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { thorough } from '../support/size.ts';
import { closeOf, response, startSocketServer, startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

const by = { operationId: 'order-1' };
/** Short, because these servers never finish their responses, on any machine. */
const shortTimeout = { timeout: 100 };
const refundOf = (id: string) => response('200 OK', JSON.stringify({ ...refund, id }));
const intent = response('200 OK', JSON.stringify(paymentIntent));

beforeEach(skipBackOff);

describe.each(transports)('over %s', (name, transport) => {
  const client = (url: string, options = {}) => clientOf(url, { ...transport, ...options });
  const create = (url: string, options = {}) => client(url, options).paymentIntents.create(intentParams, by);

  describe('a server that accepts connections and never reads', () => {
    it('makes a sale time out after one attempt', async () => {
      const { url, connections } = await startSocketServer((socket) => socket.pause());
      const call = client(url, { ...shortTimeout, maxRetries: 2 }).transact.sale(saleParams);
      const error = await failureOf(call, TimeoutError);
      expect(error).toMatchObject({ code: 'ATTEMPT_TIMEOUT', outcome: 'unknown', attempts: 1 });
      expect(connections()).toBeLessThan(2);
    });

    it('makes a call time out whose body is larger than the network buffers', async () => {
      const { url } = await startSocketServer((socket) => socket.pause());
      const metadata = { note: 'x'.repeat(8 * 1024 * 1024) };
      const call = client(url, shortTimeout).paymentIntents.create({ ...intentParams, metadata }, by);
      expect(await failureOf(call, TimeoutError)).toMatchObject({ outcome: 'unknown' });
    });
  });

  describe('a connection reset', () => {
    it('while the request is sent leaves a sale unknown, after one attempt', async () => {
      const { url, connections } = await startSocketServer((socket) =>
        socket.once('data', () => socket.resetAndDestroy()),
      );
      // The SDK refuses a field above 64 KiB.
      const fields = Array.from({ length: 128 }, (_, index) => [`field_${index}`, 'x'.repeat(64 * 1024)]);
      const params = { ...saleParams, ...Object.fromEntries(fields) };
      const call = client(url, { maxRetries: 2 }).transact.sale(params);
      expect(await failureOf(call, ConnectionError)).toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(connections()).toBe(1);
    });

    it('before the response makes the SDK retry with the same key and bytes', async () => {
      const { url, requests } = await startWireServer(({ write, reset }, number) =>
        number < 3 ? reset() : write(intent),
      );
      const { response: info } = await create(url, { maxRetries: 2 }).withResponse();
      expect(info.attempts).toBe(3);
      expect(new Set(requests).size).toBe(1);
    });

    it('within the body of a 2xx leaves a sale unknown, and an intent executed', async () => {
      const start = async () =>
        startSocketServer((socket) =>
          socket.once('data', () =>
            socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nresponse=1', () =>
              setImmediate(() => socket.resetAndDestroy()),
            ),
          ),
        );
      const { url } = await start();
      const lost = await failureOf(client(url).transact.sale(saleParams), ConnectionError);
      expect(lost.outcome).toBe('unknown');
      const other = await start();
      expect((await failureOf(create(other.url), ConnectionError)).outcome).toBe('executed');
    });
  });

  it('reports a refusal that arrives before the body was read as that refusal, or as unknown', async () => {
    const { url, connections } = await startSocketServer((socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 413 Payload Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
      ),
    );
    const metadata = { note: 'x'.repeat(8 * 1024 * 1024) };
    const call = client(url).paymentIntents.create({ ...intentParams, metadata }, by);
    const error = await failureOf(call, PaymentsError);
    // The reset that follows may arrive before the response.
    if (error instanceof ApiError) expect(error).toMatchObject({ status: 413, outcome: 'not_executed' });
    else expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(connections()).toBe(1);
  });

  describe('a server that closes its connections', () => {
    it.each([
      ['with a header', 'connection: close\r\n'],
      ['without a header', ''],
    ])('%s receives each request once, over a new connection', async (_how, header) => {
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
      const sales = 3;
      for (let time = 0; time < sales; time += 1) {
        const { response: info } = await transact.sale(saleParams).withResponse();
        expect(info.attempts).toBe(1);
        // Wait until the client's side is closed too.
        await closed;
      }
      expect(requests).toBe(sales);
      expect(connections()).toBe(sales);
    });
  });

  describe('before the response', () => {
    it('an early hint is ignored', async () => {
      const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n';
      const { url, requests } = await startWireServer(({ write }) => write(hint + hint + intent));
      expect((await create(url)).id).toBe('pi_1');
      expect(requests).toHaveLength(1);
    });

    it('an unexpected 100 is never the response', async () => {
      const { url, requests } = await startWireServer(({ write }) =>
        write(`HTTP/1.1 100 Continue\r\n\r\n${intent}`),
      );
      // The runtime's fetch aborts here, and does not know the outcome.
      if (name === 'fetch') expect((await failureOf(create(url), ConnectionError)).outcome).toBe('unknown');
      else expect((await create(url)).id).toBe('pi_1');
      expect(requests).toHaveLength(1);
    });

    it('a switch of protocols fails the call at once, with an unknown outcome', async () => {
      const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n';
      const { url, requests } = await startWireServer(({ write }) => write(upgrade));
      expect(await failureOf(create(url), ConnectionError)).toMatchObject({ outcome: 'unknown' });
      expect(requests).toHaveLength(1);
    });

    it('a thousand early hints do not prevent the timeout', async () => {
      const { url } = await startWireServer(({ write }) =>
        write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
      );
      expect(await failureOf(create(url, shortTimeout), TimeoutError)).toMatchObject({ outcome: 'unknown' });
    });
  });

  describe('after the response', () => {
    it.each([
      ['a complete second response', refundOf('rf_smuggled')],
      [
        'the start of a second response',
        'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"id":"rf_smuggled",',
      ],
      ['meaningless bytes', 'smuggled'],
    ])('%s in the same packet never becomes the next response', async (_what, stray) => {
      const { url, requests } = await startWireServer(({ write }, number) =>
        write(number === 1 ? refundOf('rf_1') + stray : refundOf(`rf_${number}`)),
      );
      const { refunds } = client(url);
      for (const id of ['rf_1', 'rf_2', 'rf_3']) expect((await refunds.retrieve(id)).id).toBe(id);
      expect(requests).toHaveLength(3);
    });

    it('a late second response never becomes the next response', async () => {
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

  describe('a response that arrives byte by byte', () => {
    /** Sends a text and then the same byte forever, one byte at a time. */
    const drip = (text: string, byte: string) =>
      startSocketServer((socket) => {
        socket.setNoDelay(true);
        socket.once('data', () => {
          const next = () => {
            if (!socket.destroyed) socket.write(byte, () => setTimeout(next, 5));
          };
          socket.write(text, next);
        });
      });

    it('times out within the head, with an unknown outcome', async () => {
      const { url } = await drip('HTTP/1.1 200 OK\r\nx-slow: ', 'a');
      expect(await failureOf(create(url, shortTimeout), TimeoutError)).toMatchObject({ outcome: 'unknown' });
    });

    it('times out within the body, with the outcome executed', async () => {
      const { url } = await drip('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n', ' ');
      const error = await failureOf(create(url, { timeout: 1_500 }), TimeoutError);
      expect(error.outcome).toBe('executed');
    });

    it('times out within a body without a length, with the outcome executed', thorough, async () => {
      const { url } = await drip('HTTP/1.1 200 OK\r\n\r\n', ' ');
      const error = await failureOf(create(url, { timeout: 1_500 }), TimeoutError);
      expect(error.outcome).toBe('executed');
    });

    it('is read like any other if it ends', async () => {
      const { url } = await startSocketServer((socket) => {
        socket.setNoDelay(true);
        socket.once('data', () => {
          const bytes = [...intent];
          const next = () => {
            const byte = bytes.shift();
            if (byte !== undefined) socket.write(byte, () => setImmediate(next));
          };
          next();
        });
      });
      expect((await create(url)).id).toBe('pi_1');
    });
  });
});

/** Malformed response heads. None is ever accepted as a result. */
describe.each(transports)('over %s, a response head', (name, transport) => {
  const withHeaders = (body: string) => `HTTP/1.1 200 OK\r\n${body}\r\n\r\n{}`;
  const withStatus = (status: string) => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`;

  it.each<[what: string, bytes: string]>([
    ['with a value of 1 MiB', withHeaders(`x-a: ${'a'.repeat(1024 * 1024)}\r\ncontent-length: 2`)],
    ['of 10,000 headers', withHeaders(Array.from({ length: 10_000 }, (_, at) => `x-${at}: 1`).join('\r\n'))],
    ['with a space in a name', withHeaders('x a: 1\r\ncontent-length: 2')],
    ['with a NUL in a value', withHeaders('x-a: 1\u0000\r\ncontent-length: 2')],
    ['with an escape in a value', withHeaders('x-a: \u001b[2J\r\ncontent-length: 2')],
    ['that folds a value over two lines', withHeaders('x-a: b\r\n c\r\ncontent-length: 2')],
    [
      'with a length before chunked encoding',
      withHeaders('content-length: 2\r\ntransfer-encoding: chunked').replace('{}', '2\r\n{}\r\n0\r\n\r\n'),
    ],
    [
      'with a length after chunked encoding',
      withHeaders('transfer-encoding: chunked\r\ncontent-length: 2').replace('{}', '2\r\n{}\r\n0\r\n\r\n'),
    ],
    ['with two lengths', withHeaders('content-length: 2\r\ncontent-length: 3')],
    ['with a negative length', withHeaders('content-length: -2')],
    ['with a length that is not a number', withHeaders('content-length: NaN')],
    ['with a length in hexadecimal', withHeaders('content-length: 0x2')],
    ['with a status of two digits', withStatus('99 Odd')],
    ['with a status of four digits', withStatus('2000 OK')],
    ['with a status in letters', withStatus('OK OK')],
    ['without a version', '{"id":"pi_1","object":"payment_intent"}'],
    ['of HTTP/0.9', '<html>payment accepted</html>'],
    ['of HTTP/2', '\u0000\u0000\u0006\u0004\u0000\u0000\u0000\u0000\u0000'],
    ['of another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['of zeros', '\u0000'.repeat(100_000)],
  ])('%s is a broken connection with an unknown outcome', async (_what, bytes) => {
    const { url, connections } = await startSocketServer((socket) =>
      socket.once('data', () => socket.end(bytes)),
    );
    const { transact } = clientOf(url, { ...transport, maxRetries: 2 });
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(error.code).not.toBe('FETCH_THREW');
    expect(connections()).toBe(1);
  });

  it.each([
    ['600', '600 Odd'],
    ['700', '700 Odd'],
    ['999', '999 Odd'],
  ])('with the status %s is a server error', async (status, line) => {
    const { url } = await startWireServer(({ write }) => write(withStatus(line)));
    const error = await failureOf(clientOf(url, transport).transact.sale(saleParams), ServerError);
    expect(error).toMatchObject({ status: Number(status), outcome: 'unknown' });
  });

  it.each(['000 Odd', '099 Odd'])('with the status %s leaves the outcome unknown', async (line) => {
    const { url } = await startWireServer(({ write }) => write(withStatus(line)));
    const error = await failureOf(clientOf(url, transport).transact.sale(saleParams), PaymentsError);
    // Node returns such a status; its fetch refuses it.
    expect(error.name).toBe(name === 'fetch' ? 'ConnectionError' : 'ApiError');
    expect(error.outcome).toBe('unknown');
  });

  it('with the names `__proto__` and `constructor` pollutes no object', async () => {
    const head = 'HTTP/1.1 400 Bad Request\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n';
    const { url } = await startWireServer(({ write }) => write(head));
    const error = await failureOf(clientOf(url, transport).transact.sale(saleParams), ApiError);
    expect(error.headers).toBeInstanceOf(Headers);
    expect(error.headers.get('constructor')).toBe('y');
  });

  it.each([
    ['without a reason phrase', `HTTP/1.1 200\r\ncontent-length: 10\r\n\r\nresponse=1`],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nresponse=1'],
  ])('%s is accepted', async (_what, bytes) => {
    const { url } = await startSocketServer((socket) => socket.once('data', () => socket.end(bytes)));
    expect((await clientOf(url, transport).transact.sale(saleParams)).approved).toBe(true);
  });

  it.each([204, 205, 304])(
    'with the status %i, which has no body, never completes a sale',
    async (status) => {
      const { url } = await startWireServer(({ write }) => write(withStatus(`${status} Empty`)));
      const error = await failureOf(clientOf(url, transport).transact.sale(saleParams), PaymentsError);
      const name = status === 304 ? 'ApiError' : 'ResponseValidationError';
      expect(error).toMatchObject({ name, outcome: 'unknown' });
    },
  );
});
