/**
 * Encryption that cannot be agreed on: nothing of a request leaves before a certificate is trusted, and the error says so, so
 * that even a sale is safe to send again.
 */

import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ConnectionError } from 'payments-client';
import { type CertificateExtension, generate, type SelfsignedOptions } from 'selfsigned';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { listen, startSocketServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

const day = 24 * 60 * 60 * 1000;
const daysFromNow = (days: number) => new Date(Date.now() + days * day);
const strong = { keyType: 'ec', algorithm: 'sha256' } as const;

type Certificate = Awaited<ReturnType<typeof generate>>;

function makeAuthority(name: string): Promise<Certificate> {
  const extensions: CertificateExtension[] = [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ];
  return generate([{ name: 'commonName', value: name }], { ...strong, extensions });
}

/** A certificate of this authority, for this host. */
function issue(authority: Certificate, host = 'localhost', options: SelfsignedOptions = {}) {
  const extensions: CertificateExtension[] = [
    { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
  ];
  const ca = { key: authority.private, cert: authority.cert };
  return generate([{ name: 'commonName', value: host }], { ...strong, ca, extensions, ...options });
}

let trusted: Certificate;
const usual = getCACertificates('default');

beforeAll(async () => {
  trusted = await makeAuthority('An authority that this machine trusts');
  setDefaultCACertificates([...usual, trusted.cert]);
});
afterAll(() => setDefaultCACertificates(usual));
beforeEach(skipBackOff);

/** A server with this certificate, the requests that it got, and the connections. */
async function startSecure(certificate: Certificate, options: ServerOptions = {}) {
  const requests: (string | undefined)[] = [];
  let connections = 0;
  const server = createSecureServer(
    { key: certificate.private, cert: certificate.cert, ...options },
    (request, response) => {
      requests.push(request.url);
      response.end('response=1&transactionid=316');
    },
  );
  server.on('connection', () => {
    connections += 1;
  });
  const url = `https://localhost:${await listen(server)}`;
  return { url, requests, connections: () => connections };
}

interface Fault {
  readonly what: string;
  /** What the SDK on Node says of it. */
  readonly code: string;
  readonly start: () => Promise<{ url: string; requests: readonly unknown[]; connections: () => number }>;
}

/** Faults that every runtime names as such: the request provably never left. */
const certificateFaults: readonly Fault[] = [
  {
    what: 'expired',
    code: 'CERT_HAS_EXPIRED',
    start: async () =>
      startSecure(
        await issue(trusted, 'localhost', { notBeforeDate: daysFromNow(-9), notAfterDate: daysFromNow(-1) }),
      ),
  },
  {
    what: 'not valid yet',
    code: 'CERT_NOT_YET_VALID',
    start: async () =>
      startSecure(
        await issue(trusted, 'localhost', { notBeforeDate: daysFromNow(1), notAfterDate: daysFromNow(9) }),
      ),
  },
  {
    what: 'for another host',
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    start: async () => startSecure(await issue(trusted, 'other.test')),
  },
  {
    what: 'of an issuer that nobody trusts',
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    start: async () => startSecure(await issue(await makeAuthority('Anybody'))),
  },
  {
    what: 'signed by itself',
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    start: async () => startSecure(await generate([{ name: 'commonName', value: 'localhost' }], strong)),
  },
];

async function startPlain() {
  const requests: string[] = [];
  const { port, connections } = await startSocketServer((socket) => {
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (/^[A-Z]+ \//.test(text)) requests.push(text);
      socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');
    });
  });
  return { url: `https://localhost:${port}`, requests, connections };
}

async function startClosing() {
  const { port, connections } = await startSocketServer((socket) => socket.once('data', () => socket.end()));
  return { url: `https://localhost:${port}`, requests: [], connections };
}

/** Faults in which the runtime's `fetch` does not say that the request never left. */
const handshakeFaults: readonly Fault[] = [
  {
    what: 'a server that speaks TLS 1.1 at most',
    code: 'EPROTO',
    start: async () =>
      startSecure(await issue(trusted), {
        minVersion: 'TLSv1.1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT:@SECLEVEL=0',
      }),
  },
  { what: 'a server that speaks plain HTTP', code: 'EPROTO', start: startPlain },
  { what: 'a server that hangs up in the middle', code: 'ECONNRESET', start: startClosing },
];

it.each(transports)(
  'a certificate that is right is the one that lets a sale through, over %s',
  async (_name, options) => {
    const { url, requests } = await startSecure(await issue(trusted));
    expect(await clientOf(url, options).transact.sale(saleParams)).toMatchObject({ approved: true });
    expect(requests).toEqual(['/api/transact.php']);
  },
);

describe.each(transports)('over %s, a certificate', (_name, options) => {
  it.each(certificateFaults)(
    '$what lets nothing leave, and a sale be tried again',
    async ({ code, start }) => {
      const { url, requests, connections } = await start();
      const payments = clientOf(url, { ...options, maxRetries: 2 });
      const error = await failureOf(payments.transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ code, outcome: 'not_executed', attempts: 3 });
      expect(error.message).toContain('No money moved by this call.');
      expect(connections()).toBe(3);
      expect(requests).toEqual([]);
    },
  );
});

describe('a handshake that fails', () => {
  it.each(handshakeFaults)(
    'with $what lets nothing leave, and a sale be tried again',
    async ({ code, start }) => {
      const { url, requests, connections } = await start();
      const payments = clientOf(url, { maxRetries: 1 });
      const error = await failureOf(payments.transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ code, outcome: 'not_executed', attempts: 2 });
      expect(connections()).toBe(2);
      expect(requests).toEqual([]);
    },
  );

  it.each(handshakeFaults)(
    'with $what is not known to have let nothing leave over fetch: a sale is sent once',
    async ({ start }) => {
      const { url, requests, connections } = await start();
      const payments = clientOf(url, { fetch: globalThis.fetch, maxRetries: 1 });
      const error = await failureOf(payments.transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(connections()).toBe(1);
      expect(requests).toEqual([]);
    },
  );

  it('by standing still is given up after ten seconds, and lets nothing leave', async () => {
    let greeted = () => {};
    const greeting = new Promise<void>((resolve) => {
      greeted = resolve;
    });
    const { port } = await startSocketServer((socket) => socket.once('data', greeted));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const failure = failureOf(
      clientOf(`https://localhost:${port}`).transact.sale(saleParams),
      ConnectionError,
    );
    await greeting;
    vi.advanceTimersByTime(10_000);
    expect(await failure).toMatchObject({ code: 'ETIMEDOUT', outcome: 'not_executed' });
  });
});
