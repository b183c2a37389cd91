/** A service whose responses break after their head. Each request with a key gets its refund the second time. */

import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { refund as fixture } from '../../test/support/fixtures.ts';
import type { BrokenKind } from './programs/service.ts';

const refund = JSON.stringify(fixture);

/** A runtime that kept a whole but damaged response's connection could send its next request on what the server is closing. */
function headOf(length: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n${length}\r\n\r\n`;
}

const damagedGzip = gzipSync(refund).fill(7, 12);

const bodies: Readonly<Record<BrokenKind, readonly [head: string, body: string | Uint8Array]>> = {
  cut: [headOf('content-length: 400'), refund.slice(0, 20)],
  reset: [headOf('content-length: 400'), refund.slice(0, 20)],
  cutChunk: [headOf('transfer-encoding: chunked'), `ff\r\n${refund.slice(0, 20)}`],
  badChunk: [headOf('transfer-encoding: chunked'), `zz\r\n${refund}\r\n`],
  badGzip: [headOf(`content-encoding: gzip\r\ncontent-length: ${damagedGzip.byteLength}`), damagedGzip],
};

/** Sends a head, and its body later: a runtime that gets both at once may report a failed request instead. */
function sendBroken(socket: Socket, kind: BrokenKind): void {
  const [head, body] = bodies[kind];
  socket.write(head);
  setTimeout(() => {
    socket.write(body, () => {
      if (kind === 'reset') socket.resetAndDestroy();
      else socket.end();
    });
  }, 20);
}

/** Whether the whole request came. The SDK sends short ones, with their length. */
function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n');
  const [, length = '0'] = /^content-length: (\d+)/im.exec(request) ?? [];
  return end >= 0 && request.length >= end + 4 + Number(length);
}

function isKind(name: string): name is BrokenKind {
  return Object.hasOwn(bodies, name);
}

/** Runs some work with the service. */
export async function withBrokenResponses<T>(work: (url: string) => Promise<T>): Promise<T> {
  const known = new Set<string>();
  const answer = (socket: Socket, request: string) => {
    const [, kind = ''] = /^POST \/(\w+)\//.exec(request) ?? [];
    const [, key] = /^idempotency-key: (.+)/im.exec(request) ?? [];
    if (!isKind(kind))
      throw new Error(`Expected a path of a broken response, got ${request.split('\r\n')[0]}.`);
    if (key !== undefined && known.has(key)) {
      socket.end(`${headOf(`content-length: ${refund.length}`)}${refund}`);
      return;
    }
    if (key !== undefined) known.add(key);
    sendBroken(socket, kind);
  };
  const server = createServer((socket) => {
    let request = '';
    let isAnswered = false;
    socket.setEncoding('latin1').on('error', () => {});
    socket.on('data', (text) => {
      request += text;
      // Every answer ends its connection, so more data is the end of a chunked body.
      if (isAnswered || !isWhole(request)) return;
      isAnswered = true;
      answer(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Expected a port.');
  try {
    return await work(`http://127.0.0.1:${address.port}`);
  } finally {
    server.close();
  }
}
