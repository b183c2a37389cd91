/**
 * TLS handshakes that fail. The SDK sends nothing before it trusts the certificate, and the error says so, so even a sale is
 * retried.
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
const keyOptions = { keyType: 'ec', algorithm: 'sha256' } as const;

type Certificate = Awaited<ReturnType<typeof generate>>;

function makeAuthority(name: string): Promise<Certificate> {
  const extensions: CertificateExtension[] = [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ];
  return generate([{ name: 'commonName', value: name }], { ...keyOptions, extensions });
}

/** Issues a certificate of this authority for this host. */
function issue(authority: Certificate, host = 'localhost', options: SelfsignedOptions = {}) {
  const extensions: CertificateExtension[] = [
    { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
  ];
  const ca = { key: authority.private, cert: authority.cert };
  return generate([{ name: 'commonName', value: host }], { ...keyOptions, ca, extensions, ...options });
}

let trusted: Certificate;
const defaultCertificates = getCACertificates('default');

beforeAll(async () => {
  trusted = await makeAuthority('An authority that this machine trusts');
  setDefaultCACertificates([...defaultCertificates, trusted.cert]);
});
afterAll(() => setDefaultCACertificates(defaultCertificates));
beforeEach(skipBackOff);

/** Starts a server with this certificate. Returns its requests and the number of its connections. */
async function startTlsServer(certificate: Certificate, options: ServerOptions = {}) {
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
  /** The error code of the SDK on Node. */
  readonly code: string;
  readonly start: () => Promise<{ url: string; requests: readonly unknown[]; connections: () => number }>;
}

/** Faults that every runtime reports by a code: the request was never sent. */
const certificateFaults: readonly Fault[] = [
  {
    what: 'that has expired',
    code: 'CERT_HAS_EXPIRED',
    start: async () =>
      startTlsServer(
        await issue(trusted, 'localhost', { notBeforeDate: daysFromNow(-9), notAfterDate: daysFromNow(-1) }),
      ),
  },
  {
    what: 'that is not valid yet',
    code: 'CERT_NOT_YET_VALID',
    start: async () =>
      startTlsServer(
        await issue(trusted, 'localhost', { notBeforeDate: daysFromNow(1), notAfterDate: daysFromNow(9) }),
      ),
  },
  {
    what: 'for another host',
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    start: async () => startTlsServer(await issue(trusted, 'other.test')),
  },
  {
    what: 'from an untrusted issuer',
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    start: async () => startTlsServer(await issue(await makeAuthority('Anybody'))),
  },
  {
    what: 'that is self-signed',
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    start: async () =>
      startTlsServer(await generate([{ name: 'commonName', value: 'localhost' }], keyOptions)),
  },
];

async function startPlainServer() {
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

async function startClosingServer() {
  const { port, connections } = await startSocketServer((socket) => socket.once('data', () => socket.end()));
  return { url: `https://localhost:${port}`, requests: [], connections };
}

/** Faults after which the runtime's `fetch` does not say whether the request was sent. */
const handshakeFaults: readonly Fault[] = [
  {
    what: 'a server that speaks TLS 1.1 at most',
    code: 'EPROTO',
    start: async () =>
      startTlsServer(await issue(trusted), {
        minVersion: 'TLSv1.1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT:@SECLEVEL=0',
      }),
  },
  { what: 'a server that speaks plain HTTP', code: 'EPROTO', start: startPlainServer },
  { what: 'a server that closes the connection', code: 'ECONNRESET', start: startClosingServer },
];

it.each(transports)('sends a sale over %s if the certificate is trusted', async (_name, options) => {
  const { url, requests } = await startTlsServer(await issue(trusted));
  expect(await clientOf(url, options).transact.sale(saleParams)).toMatchObject({ approved: true });
  expect(requests).toEqual(['/api/transact.php']);
});

describe.each(transports)('over %s, a certificate', (_name, options) => {
  it.each(certificateFaults)('$what stops the request, and a sale is retried', async ({ code, start }) => {
    const { url, requests, connections } = await start();
    const payments = clientOf(url, { ...options, maxRetries: 2 });
    const error = await failureOf(payments.transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code, outcome: 'not_executed', attempts: 3 });
    expect(error.message).toContain('No money moved by this call.');
    expect(connections()).toBe(3);
    expect(requests).toEqual([]);
  });
});

describe('a failed TLS handshake', () => {
  it.each(handshakeFaults)('with $what stops the request, and a sale is retried', async ({ code, start }) => {
    const { url, requests, connections } = await start();
    const payments = clientOf(url, { maxRetries: 1 });
    const error = await failureOf(payments.transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code, outcome: 'not_executed', attempts: 2 });
    expect(connections()).toBe(2);
    expect(requests).toEqual([]);
  });

  it.each(handshakeFaults)(
    'with $what leaves a sale over fetch unknown, after one attempt',
    async ({ start }) => {
      const { url, requests, connections } = await start();
      const payments = clientOf(url, { fetch: globalThis.fetch, maxRetries: 1 });
      const error = await failureOf(payments.transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(connections()).toBe(1);
      expect(requests).toEqual([]);
    },
  );

  it('that stalls times out after ten seconds, before the request is sent', async () => {
    let onGreeting = () => {};
    const greeting = new Promise<void>((resolve) => {
      onGreeting = resolve;
    });
    const { port } = await startSocketServer((socket) => socket.once('data', onGreeting));
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

it('resumes the TLS session of an earlier sale on the new connection of the next one', async () => {
  const { key, cert } = await issue(trusted).then(({ private: key, cert }) => ({ key, cert }));
  const isResumed: boolean[] = [];
  const server = createSecureServer({ key, cert }, (_request, response) => response.end('response=1'));
  server.on('secureConnection', (socket) => isResumed.push(socket.isSessionReused()));
  const port = await listen(server);
  onTestFinished(() => void server.close());
  const { transact } = clientOf(`https://localhost:${port}`);
  for (let time = 0; time < 3; time += 1) await transact.sale(saleParams);
  expect(isResumed).toEqual([false, true, true]);
});
