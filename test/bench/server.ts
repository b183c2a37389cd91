/** The server that all sides call, in a process of its own. */

import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { pageAfter, payment } from './records.ts';

export interface ServerSettings {
  /** How many records a list has. */
  readonly total: number;
  /** How long each response waits, in ms. */
  readonly latency: number;
  /** The file to write the certificate to. Without it, the server uses no TLS. */
  readonly certificate?: string | undefined;
}

const { total, latency, certificate }: ServerSettings = JSON.parse(process.argv[2] ?? '');

const pages = new Map<string, Buffer>();

/** Keeps pages, so that only the first reader waits for them to be made. A million records are too many to keep. */
function pageOf(after: string): Buffer {
  const page = pages.get(after) ?? Buffer.from(pageAfter(Number.parseInt(after, 10), total));
  if (total <= 100_000) pages.set(after, page);
  return page;
}

/** Does as little as possible: what the server leaves of the machine, the clients can use. */
function bodyOf({ method, url = '/' }: IncomingMessage): Buffer {
  return method === 'GET' ? pageOf(/starting_after=cus_(\d+)/.exec(url)?.[1] ?? '') : payment;
}

const listener: RequestListener = (request, response) => {
  const answer = () => {
    const body = bodyOf(request);
    const headers = { 'content-type': 'application/json', 'request-id': 'req_0123456789' };
    response.writeHead(200, { ...headers, 'content-length': body.length });
    response.end(body);
  };
  request.resume();
  request.on('end', () => (latency === 0 ? answer() : setTimeout(answer, latency)));
};

async function secureServer(file: string) {
  const altNames = [{ type: 7 as const, ip: '127.0.0.1' }];
  const extensions = [
    { name: 'basicConstraints' as const, cA: true },
    { name: 'subjectAltName' as const, altNames },
  ];
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'bench' }], { extensions });
  writeFileSync(file, cert);
  return createSecureServer({ key, cert }, listener);
}

const server = certificate === undefined ? createServer(listener) : await secureServer(certificate);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`);
});

// Nobody is left to measure anything.
process.on('disconnect', () => process.exit());
