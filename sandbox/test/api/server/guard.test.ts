/** Which requests a listening sandbox accepts, by their host and their page's origin. */

import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { PaymentsClient } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sessionParams } from '../../../../test/support/fixtures.ts';
import { everyNth } from '../../../../test/support/size.ts';

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A sandbox for this machine, and one for others. Each test leaves them as they were. */
const [local, open] = [createSandbox(), createSandbox()];
const listening = () => local;
const remote = () => open;
beforeAll(async () => {
  await local.listen();
  await open.listen({ allowRemote: true });
});
afterEach(() => {
  for (const sandbox of [local, open]) sandbox.faults.clear();
});
afterAll(async () => {
  for (const sandbox of [local, open]) await sandbox.close();
});

/** Connections are kept, since each costs more than its request. */
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** Sends headers that `fetch` forbids. */
function send(sandbox: Sandbox, path: string, headers: Headers, method = 'GET', body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(sandbox.url + path, { method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    // The sandbox may end a kept connection while it is used again.
    const again = () => send(sandbox, path, headers, method, body).then(resolve, reject);
    request.on('error', (error) => (request.reusedSocket ? again() : reject(error))).end(body);
  });
}

/** Sends raw text, and returns the response. */
async function sendRaw(sandbox: Sandbox, text: string): Promise<string> {
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

async function checkoutOf({ url: baseUrl, secretKey }: Sandbox): Promise<string> {
  const payments = new PaymentsClient({ baseUrl, secretKey });
  const { id } = await payments.checkoutSessions.create(sessionParams, { operationId: 'order-1' });
  return `/checkout/${id}`;
}

const gets = [
  '/',
  '/_sandbox/state',
  '/v1/customers',
  '/js/Gateway.js',
  '/js/CollectJS.js',
  '/_pages/pages.css',
  '/browser/card-fields?origin=http%3A%2F%2Flocalhost%3A3000',
  '/browser/challenge?id=1',
  '/checkout/cs_1',
  '/nothing',
];
const posts = [
  '/v1/customers',
  '/api/transact.php',
  '/_sandbox/commands',
  '/browser/device-sessions',
  '/browser/authentications',
  '/browser/tokens',
  '/checkout/cs_1',
  '/nothing',
];
const routes = [
  ...gets.map((path) => ['GET', path] as const),
  ...posts.map((path) => ['POST', path] as const),
];

/** A third of the routes in the short form. All rows of a table together have each route. */
const routesFor = (row: string) => everyNth(routes, 3, row.length);

/** Returns all state that a request could change. */
function traces(sandbox: Sandbox): string {
  const { requests, faults, events } = sandbox;
  return JSON.stringify({ requests, hits: faults.history(), events, state: sandbox.snapshot() });
}

/** Returns a valid form with all keys. */
function formOf({ securityKey, publicKey }: Sandbox): string {
  return String(
    new URLSearchParams({
      security_key: securityKey,
      apiKey: publicKey,
      type: 'sale',
      amount: '1.00',
      payment_token: 'tok_1',
    }),
  );
}

const foreignHosts = [
  ['evil.example', 403],
  ['evil.example:PORT', 403],
  ['localhost.evil.example:PORT', 403],
  ['127.0.0.1.evil.example:PORT', 403],
  ['127.0.0.1.nip.io:PORT', 403],
  ['localhost.:PORT', 403],
  ['10.0.0.1:PORT', 403],
  ['0.0.0.0:PORT', 403],
  ['[::ffff:127.0.0.1]:PORT', 400],
  ['[::2]:PORT', 403],
  ['user@localhost:PORT', 400],
  ['localhost:PORT, evil.example', 400],
] as const;

test.each(everyNth(foreignHosts, 4))('every route rejects the host %s', async (host, status) => {
  const sandbox = listening();
  sandbox.faults.inject({ kind: 'unavailable', times: 100 });
  const before = traces(sandbox);
  const headers = {
    host: host.replace('PORT', new URL(sandbox.url).port),
    authorization: `Bearer ${sandbox.secretKey}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  for (const [method, path] of routesFor(host)) {
    const answer = await send(sandbox, path, headers, method, method === 'POST' ? formOf(sandbox) : '');
    expect([method, path, answer.status]).toEqual([method, path, status]);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    if (status === 403) {
      expect(JSON.parse(answer.text).error).toMatchObject({ code: 'HOST_NOT_ALLOWED' });
      expect(answer.text).toContain(sandbox.url);
    }
  }
  expect(traces(sandbox)).toBe(before);
});

test.each([
  'localhost',
  'LOCALHOST:PORT',
  '127.0.0.1:PORT',
  '127.8.9.1:PORT',
  '[::1]:PORT',
  'localhost:9999',
])('every route accepts the host %s', async (host) => {
  const sandbox = listening();
  const headers = { host: host.replace('PORT', new URL(sandbox.url).port) };
  for (const [method, path] of routesFor(host)) {
    const { status } = await send(sandbox, path, headers, method);
    expect([method, path, status]).not.toEqual([method, path, 403]);
  }
  expect((await send(sandbox, '/', headers)).text).toContain('data-key');
});

test('a request target with another host than the Host header is rejected', async () => {
  const sandbox = listening();
  const { host } = new URL(sandbox.url);
  const close = 'Connection: close\r\n\r\n';
  const refused = [
    `GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\n${close}`,
    `GET http://${host}/ HTTP/1.1\r\nHost: evil.example\r\n${close}`,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n${close}`,
    `GET / HTTP/1.1\r\n${close}`,
    `GET / HTTP/1.0\r\n\r\n`,
  ];
  for (const text of refused) expect(await sendRaw(sandbox, text)).toMatch(/^HTTP\/1\.1 40[03] /);
  const own = await sendRaw(sandbox, `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${close}`);
  expect(own).toMatch(/^HTTP\/1\.1 200 /);
});

const foreignOrigins = [
  'https://evil.example',
  'http://evil.example:3000',
  'http://localhost.evil.example',
  'http://127.0.0.1.nip.io:3000',
  'http://0.0.0.0:3000',
  'http://192.168.1.2:3000',
  'chrome-extension://abcdef',
  'file://',
  'null',
  '',
];

test.each(
  everyNth(foreignOrigins, 4).flatMap((origin) => [[origin, false] as const, [origin, true] as const]),
)('a page of the origin "%s" can neither act nor read, with allowRemote: %s', async (origin, isRemote) => {
  const sandbox = isRemote ? remote() : listening();
  sandbox.faults.inject({ kind: 'unavailable', times: 100 });
  const before = traces(sandbox);
  const headers = {
    origin,
    ...(isRemote && { host: `sandbox:${new URL(sandbox.url).port}` }),
    authorization: `Bearer ${sandbox.secretKey}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  for (const [method, path] of routesFor(origin)) {
    for (const verb of [method, 'OPTIONS']) {
      const answer = await send(sandbox, path, headers, verb, verb === 'POST' ? formOf(sandbox) : '');
      expect([verb, path, answer.status]).toEqual([verb, path, 403]);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(JSON.parse(answer.text).error).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' });
    }
  }
  expect(traces(sandbox)).toBe(before);
});

/** Paths that a shop under development on this machine may use. */
const shared = [
  ['GET', '/js/Gateway.js'],
  ['GET', '/js/CollectJS.js'],
  ['GET', '/_pages/pages.css'],
  ['GET', '/browser/card-fields?origin=http%3A%2F%2Flocalhost%3A3000'],
  ['GET', '/browser/challenge?id=1'],
  ['POST', '/browser/device-sessions'],
  ['POST', '/browser/authentications'],
] as const;

test.each([
  'http://localhost:3000',
  'https://localhost:3000',
  'http://127.0.0.1:5173',
  'http://[::1]:3000',
  'http://shop.localhost:3000',
])('a shop at %s can use the scripts and their endpoints, and nothing else', async (origin) => {
  const sandbox = listening();
  const headers = {
    origin,
    authorization: `Bearer ${sandbox.secretKey}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  for (const [method, path] of routesFor(origin)) {
    const isShared = shared.some(([verb, open]) => verb === method && open === path);
    const { status } = await send(sandbox, path, headers, method, method === 'POST' ? formOf(sandbox) : '');
    expect([method, path, status === 403]).toEqual([method, path, !isShared]);
  }
  const session = await send(sandbox, '/browser/device-sessions', headers, 'POST', formOf(sandbox));
  expect([session.status, session.headers['access-control-allow-origin']]).toEqual([200, '*']);
});

test('the sandbox’s own pages can use every route', async () => {
  const sandbox = listening();
  const { port } = new URL(sandbox.url);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
    for (const origin of [`http://${host}`, `https://${host}`]) {
      for (const [method, path] of routesFor(origin)) {
        const { status } = await send(sandbox, path, { host, origin }, method);
        expect([origin, method, path, status]).not.toEqual([origin, method, path, 403]);
      }
    }
  }
  const state = await send(sandbox, '/_sandbox/state', {
    origin: sandbox.url,
    authorization: `Bearer ${sandbox.secretKey}`,
  });
  expect(state.status).toBe(200);
});

test('a foreign page without an Origin can load scripts and link to pages, and triggers no fault', async () => {
  const sandbox = listening();
  const session = await checkoutOf(sandbox);
  sandbox.faults.inject({ kind: 'unavailable' });
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  for (const path of ['/v1/customers', '/_sandbox/state', '/api/transact.php', '/nothing', '/favicon.ico']) {
    expect([path, (await send(sandbox, path, headers)).status]).toEqual([path, 403]);
  }
  for (const path of ['/v1/customers', '/browser/device-sessions', '/browser/tokens', session]) {
    expect([path, (await send(sandbox, path, headers, 'POST')).status]).toEqual([path, 403]);
  }
  expect(sandbox.faults.history()).toEqual([]);
  const open = [
    '/',
    session,
    '/js/Gateway.js',
    '/_pages/pages.css',
    '/browser/card-fields?origin=http://[::1]',
  ];
  for (const path of open) {
    expect([path, (await send(sandbox, path, headers)).status]).toEqual([path, 200]);
  }
});

test('the card fields reject a foreign page', async () => {
  const sandbox = listening();
  for (const path of [
    '/browser/card-fields?origin=https%3A%2F%2Fevil.example',
    '/browser/card-fields?origin=%09ht%0Atps://evil.example',
    '/browser/card-fields?origin=http://localhost:3000&origin=https://evil.example',
    '/browser/card-fields?%6Frigin=http://localhost:3000&origin=https://evil.example',
    '/browser/card-fields?origin=https://evil.example&%6Frigin=http://localhost:3000',
    '/browser/card-field%73?origin=https://evil.example',
    '/x/../browser/card-fields?origin=https://evil.example',
  ]) {
    const { status, text } = await send(sandbox, path, {});
    expect([path, status]).toEqual([path, 403]);
    expect(JSON.parse(text).error).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED', param: 'origin' });
  }
});

test('in process, every host is accepted', async () => {
  const sandbox = createSandbox();
  for (const base of ['https://payments.example', 'http://rebound.example:8080', 'http://10.0.0.1']) {
    const authorization = `Bearer ${sandbox.secretKey}`;
    for (const path of ['/', '/v1/customers', '/_sandbox/state', '/js/Gateway.js']) {
      const request = new Request(base + path, { headers: { authorization, host: new URL(base).host } });
      expect([base, path, (await sandbox.fetch(request)).status]).toEqual([base, path, 200]);
    }
  }
});

test.each([
  'sandbox:PORT',
  'payments_sandbox:PORT',
  'sandbox.internal',
  'host.docker.internal:PORT',
  'sandbox.payments.svc.cluster.local',
  'shop.test',
  'api.localhost',
  '10.0.0.1:PORT',
  '[fd00::1]:PORT',
])('with allowRemote, a program reaches the sandbox as %s', async (host) => {
  const sandbox = remote();
  const headers = {
    host: host.replace('PORT', new URL(sandbox.url).port),
    authorization: `Bearer ${sandbox.secretKey}`,
  };
  for (const path of ['/v1/customers', '/_sandbox/state', '/js/Gateway.js']) {
    expect([path, (await send(sandbox, path, headers)).status]).toEqual([path, 200]);
  }
});

test.each([
  'evil.example',
  'evil.example:PORT',
  'localhost.evil.example',
  '127.0.0.1.nip.io:PORT',
  'internal.evil.example',
  'evil-internal.example',
  'sandbox.',
  'local.evil.dev',
])('with allowRemote, every route rejects the host %s', async (host) => {
  const sandbox = remote();
  const headers = {
    host: host.replace('PORT', new URL(sandbox.url).port),
    authorization: `Bearer ${sandbox.secretKey}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  for (const [method, path] of routesFor(host)) {
    const answer = await send(sandbox, path, headers, method, method === 'POST' ? formOf(sandbox) : '');
    expect([method, path, answer.status]).toEqual([method, path, 403]);
    expect(JSON.parse(answer.text).error).toMatchObject({ code: 'HOST_NOT_ALLOWED' });
  }
});

test('with allowRemote, the control API accepts the secret key only, and no page contains another key', async () => {
  const here = await createSandbox().listen();
  onTestFinished(() => here.close());
  const [, key = ''] = /data-key="([^"]+)"/.exec((await send(here, '/', {})).text) ?? [];
  const authorization = `Bearer ${key}`;
  expect((await send(here, '/_sandbox/state', { authorization })).status).toBe(200);
  await here.close();
  await here.listen({ allowRemote: true });
  const host = `sandbox:${new URL(here.url).port}`;
  expect((await send(here, '/_sandbox/state', { host, authorization })).status).toBe(401);
  expect((await send(here, '/_sandbox/state', { host })).status).toBe(401);
  for (const path of ['/', '/?x', '/.', '/x/..', '/%2e']) {
    const { status, text } = await send(here, path, { host });
    expect([path, status, JSON.parse(text).error.code]).toEqual([path, 403, 'DASHBOARD_NOT_ALLOWED']);
  }
  const own = { host, authorization: `Bearer ${here.secretKey}` };
  expect((await send(here, '/_sandbox/state', own)).status).toBe(200);
});
