/** Names that do not resolve, and TLS handshakes that fail: nothing is sent before the right service is reached, so even a sale is retried. */

import dns from 'node:dns';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ConnectionError } from 'payments-client';
import { type CertificateExtension, generate, type SelfsignedOptions } from 'selfsigned';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { closedUrl, listen, response, startSocketServer, startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

const days = (count: number) => new Date(Date.now() + count * 24 * 60 * 60 * 1000);
const keyOptions = { keyType: 'ec', algorithm: 'sha256' } as const;

type Certificate = Awaited<ReturnType<typeof generate>>;

function makeAuthority(value: string): Promise<Certificate> {
  const extensions: CertificateExtension[] = [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ];
  return generate([{ name: 'commonName', value }], { ...keyOptions, extensions });
}

let trusted: Certificate;
const defaultCertificates = getCACertificates('default');

/** Issues a certificate of an authority for a host. */
function issue(options: SelfsignedOptions = {}, host = 'localhost', { private: key, cert } = trusted) {
  const extensions: CertificateExtension[] = [
    { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
  ];
  return generate([{ name: 'commonName', value: host }], {
    ...keyOptions,
    ca: { key, cert },
    extensions,
    ...options,
  });
}

beforeAll(async () => {
  trusted = await makeAuthority('An authority that this machine trusts');
  setDefaultCACertificates([...defaultCertificates, trusted.cert]);
});
afterAll(() => setDefaultCACertificates(defaultCertificates));
beforeEach(skipBackOff);

interface Server {
  readonly url: string;
  readonly requests: readonly unknown[];
  readonly connections: () => number;
}

/** Starts a server with this certificate. */
async function startTlsServer(
  { private: key, cert }: Certificate,
  options: ServerOptions = {},
): Promise<Server> {
  const requests: unknown[] = [];
  let connections = 0;
  const server = createSecureServer({ key, cert, ...options }, ({ url }, reply) => {
    requests.push(url);
    reply.end('response=1&transactionid=316');
  });
  server.on('connection', () => {
    connections += 1;
  });
  return { url: `https://localhost:${await listen(server)}`, requests, connections: () => connections };
}

/** Starts a server without TLS, which answers the first bytes. */
async function startPlainServer(answer: string): Promise<Server> {
  const requests: string[] = [];
  const { port, connections } = await startSocketServer((socket) => {
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (/^[A-Z]+ \//.test(text)) requests.push(text);
      socket.end(answer);
    });
  });
  return { url: `https://localhost:${port}`, requests, connections };
}

interface Fault {
  readonly what: string;
  /** The error code of the SDK on Node. */
  readonly code: string;
  /** Whether a runtime's `fetch` says that the certificate is at fault. Otherwise the request may have left. */
  readonly isTold?: boolean;
  readonly start: () => Promise<Server>;
}

const oldTls: ServerOptions = {
  minVersion: 'TLSv1.1',
  maxVersion: 'TLSv1.1',
  ciphers: 'DEFAULT:@SECLEVEL=0',
};

const faults: readonly Fault[] = [
  {
    what: 'a certificate that has expired',
    code: 'CERT_HAS_EXPIRED',
    isTold: true,
    start: async () => startTlsServer(await issue({ notBeforeDate: days(-9), notAfterDate: days(-1) })),
  },
  {
    what: 'a certificate that is not valid yet',
    code: 'CERT_NOT_YET_VALID',
    isTold: true,
    start: async () => startTlsServer(await issue({ notBeforeDate: days(1), notAfterDate: days(9) })),
  },
  {
    what: 'a certificate for another host',
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    isTold: true,
    start: async () => startTlsServer(await issue({}, 'other.test')),
  },
  {
    what: 'a certificate from an untrusted issuer',
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    isTold: true,
    start: async () => startTlsServer(await issue({}, 'localhost', await makeAuthority('Anybody'))),
  },
  {
    what: 'a self-signed certificate',
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    isTold: true,
    start: async () =>
      startTlsServer(await generate([{ name: 'commonName', value: 'localhost' }], keyOptions)),
  },
  { what: 'TLS 1.1 at most', code: 'EPROTO', start: async () => startTlsServer(await issue(), oldTls) },
  { what: 'plain HTTP', code: 'EPROTO', start: () => startPlainServer('HTTP/1.1 400 Bad Request\r\n\r\n') },
  { what: 'the end of the connection', code: 'ECONNRESET', start: () => startPlainServer('') },
];

/** Replaces the system's DNS lookup by an error, or by addresses. Returns the names that were looked up. */
function mockLookup(...resolution: readonly string[]): string[] {
  const lookedUp: string[] = [];
  const lookup = (hostname: string, ...rest: unknown[]) => {
    const callback = rest.at(-1);
    if (typeof callback !== 'function') throw new Error('Expected a callback for the addresses.');
    lookedUp.push(hostname);
    const [code = ''] = resolution;
    const failure = Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), {
      code,
      syscall: 'getaddrinfo',
    });
    const addresses = resolution.map((address) => ({ address, family: 4 }));
    process.nextTick(() => (code.startsWith('E') ? callback(failure) : callback(null, addresses)));
  };
  vi.spyOn(dns, 'lookup').mockImplementation(Object.assign(lookup, { __promisify__: dns.promises.lookup }));
  return lookedUp;
}

describe.each(transports)('over %s', (name, transport) => {
  const sell = (url: string) =>
    clientOf(url, { ...transport, allowInsecure: true, maxRetries: 2 }).transact.sale(saleParams);

  it('a sale is sent if the certificate is trusted', async () => {
    const { url, requests } = await startTlsServer(await issue());
    expect(await sell(url)).toMatchObject({ approved: true });
    expect(requests).toEqual(['/api/transact.php']);
  });

  it.each(faults)('$what stops a sale before it is sent', async ({ code, isTold, start }) => {
    const { url, requests, connections } = await start();
    const error = await failureOf(sell(url), ConnectionError);
    const isCertain = isTold === true || name === 'node:http';
    expect(error).toMatchObject(
      isCertain ? { code, outcome: 'not_executed', attempts: 3 } : { outcome: 'unknown', attempts: 1 },
    );
    expect(error.message.includes('No money moved by this call.')).toBe(isCertain);
    expect(connections()).toBe(isCertain ? 3 : 1);
    expect(requests).toEqual([]);
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])(
    'a name whose lookup fails with %s makes a sale retry',
    async (code) => {
      const lookedUp = mockLookup(code);
      const error = await failureOf(sell('http://payments.invalid'), ConnectionError);
      expect(error).toMatchObject({ code, outcome: 'not_executed', attempts: 3 });
      expect(lookedUp).toEqual(Array(3).fill('payments.invalid'));
    },
  );

  it('a name whose first address refuses connections makes a sale arrive once, at the second', async () => {
    const { url, requests } = await startWireServer(({ write }) => write(response('200 OK', 'response=1')));
    mockLookup('127.0.0.2', '127.0.0.1');
    const { data, response: info } = await sell(`http://payments.test:${new URL(url).port}`).withResponse();
    expect([data.approved, info.attempts, requests.length]).toEqual([true, 1, 1]);
  });

  it('a name whose addresses all refuse connections leaves a sale not executed', async () => {
    mockLookup('127.0.0.2', '127.0.0.1');
    const error = await failureOf(sell(`http://payments.test:${new URL(closedUrl).port}`), ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', outcome: 'not_executed', attempts: 3 });
  });
});

it('a handshake that stalls times out after ten seconds, before the request is sent', async () => {
  let onGreeting = () => {};
  const greeting = new Promise<void>((resolve) => {
    onGreeting = resolve;
  });
  const { port } = await startSocketServer((socket) => socket.once('data', onGreeting));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const failure = failureOf(clientOf(`https://localhost:${port}`).transact.sale(saleParams), ConnectionError);
  await greeting;
  vi.advanceTimersByTime(10_000);
  expect(await failure).toMatchObject({ code: 'ETIMEDOUT', outcome: 'not_executed' });
});

it('the TLS session of an earlier sale is resumed on the new connection of the next one', async () => {
  const isResumed: boolean[] = [];
  const { private: key, cert } = await issue();
  const server = createSecureServer({ key, cert }, (_request, reply) => reply.end('response=1'));
  server.on('secureConnection', (socket) => isResumed.push(socket.isSessionReused()));
  const { transact } = clientOf(`https://localhost:${await listen(server)}`);
  for (let time = 0; time < 3; time += 1) await transact.sale(saleParams);
  expect(isResumed).toEqual([false, true, true]);
});
