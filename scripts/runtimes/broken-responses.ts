/** A service whose responses break after their head. Each request with a key gets its refund the second time. */

import { gzipSync } from 'node:zlib';
import { refund as fixture } from '../../test/support/fixtures.ts';
import { type RunningServer, serve } from '../../test/support/serve.ts';
import type { brokenKinds } from './programs/service.ts';

const refund = JSON.stringify(fixture);
const half = refund.slice(0, 20);
const damagedGzip = gzipSync(refund).fill(7, 12);

/** A runtime that kept the connection of a whole but damaged response could send its next request on it. */
const headOf = (line: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n${line}\r\n\r\n`;

const bodies: Readonly<
  Record<(typeof brokenKinds)[number], readonly [head: string, body: string | Uint8Array]>
> = {
  cut: ['content-length: 400', half],
  reset: ['content-length: 400', half],
  cutChunk: ['transfer-encoding: chunked', `ff\r\n${half}`],
  badChunk: ['transfer-encoding: chunked', `zz\r\n${refund}\r\n`],
  badGzip: [`content-encoding: gzip\r\ncontent-length: ${damagedGzip.byteLength}`, damagedGzip],
};

export function serveBrokenResponses(): Promise<RunningServer> {
  const known = new Set<unknown>();
  return serve(({ url = '', headers: { 'idempotency-key': key }, socket }, response) => {
    if (key !== undefined && known.has(key)) {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(refund);
      return;
    }
    if (key !== undefined) known.add(key);
    const [, kind = ''] = url.split('/');
    const [, [line, body] = ['', '']] = Object.entries(bodies).find(([name]) => name === kind) ?? [];
    socket.write(headOf(line));
    // A runtime that gets the head and the body at once may report a failed request instead.
    setTimeout(() => {
      socket.write(body, () => (kind === 'reset' ? socket.resetAndDestroy() : socket.end()));
    }, 20);
  });
}
