import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Fault, faultFor } from './faults.ts';

/** A proxy that injects faults and counts them. */
export interface ChaosProxy {
  readonly url: string;
  /** How often each fault hit; `refused` counts refused connections. */
  readonly faults: ReadonlyMap<Fault | 'refused', number>;
  /** How many requests arrived completely. */
  readonly requests: number;
  /** How often each request arrived completely, by name. */
  readonly arrivals: ReadonlyMap<string, number>;
  close(): void;
}

/** Options of a proxy. */
export interface ChaosOptions {
  /** The URL of the service. */
  readonly target: string;
  readonly seed: number;
  /** Returns the name of a request: the same for each repetition. */
  readonly nameOf: (request: IncomingMessage, body: Buffer) => string;
  /** After how many requests the proxy refuses connections for a moment. */
  readonly outageEvery: number;
}

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A short delay, and one that exceeds the callers' timeout, in ms. */
const shortDelay = 60;
/** The attempt timeout of the callers, in ms. */
export const callerTimeout = 1000;
const longDelay = callerTimeout * 1.3;
const outage = 400;

const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const json = { 'content-type': 'application/json' };
const errorBody = (code: string) => Buffer.from(JSON.stringify({ error: { code, message: 'chaos' } }));
const page = Buffer.from(
  '<!DOCTYPE html><html><head><title>Bad Gateway</title></head><body>proxy</body></html>',
);

/** The responses of an intermediate proxy, or of the service before it acts. */
const refusals: Partial<Record<Fault, Reply>> = {
  rate_limit: { status: 429, headers: { ...json, 'retry-after': '0' }, body: errorBody('RATE_LIMITED') },
  internal_error_before: { status: 500, headers: json, body: errorBody('INTERNAL') },
  internal_error_after: { status: 500, headers: json, body: errorBody('INTERNAL') },
  bad_gateway_before: { status: 502, headers: { 'content-type': 'text/html' }, body: page },
  bad_gateway_after: { status: 502, headers: { 'content-type': 'text/html' }, body: page },
  unavailable_before: {
    status: 503,
    headers: { ...json, 'retry-after': '0' },
    body: errorBody('SERVICE_UNAVAILABLE'),
  },
  unavailable_after: { status: 503, headers: json, body: errorBody('SERVICE_UNAVAILABLE') },
  store_unavailable: { status: 503, headers: json, body: errorBody('IDEMPOTENCY_STORE_UNAVAILABLE') },
  key_in_progress: { status: 409, headers: json, body: errorBody('IDEMPOTENCY_KEY_IN_PROGRESS') },
  known_word_after: {
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<html><title>IDEMPOTENCY_STORE_UNAVAILABLE: no such product</title></html>'),
  },
};

const conflict: Reply = { status: 409, headers: json, body: errorBody('IDEMPOTENCY_KEY_IN_PROGRESS') };

/** Looks like an approved sale and a complete object to a client that accepts it. */
const strayBody = '{"response":1,"transactionid":"stray","id":"stray"}';
const stray = `HTTP/1.1 200 OK\r\ncontent-length: ${strayBody.length}\r\n\r\n${strayBody}`;

/** The changes to the body of a reply. */
const spoiled: Partial<Record<Fault, (body: Buffer) => Buffer>> = {
  cut_body: (body) => body.subarray(0, body.length >> 1),
  html_body: () => page,
  wrong_body: () => Buffer.from('{"ok":true}'),
  empty_body: () => Buffer.alloc(0),
};

/** Starts a proxy on loopback. */
export async function startChaosProxy({
  target,
  seed,
  nameOf,
  outageEvery,
}: ChaosOptions): Promise<ChaosProxy> {
  const agent = new http.Agent({ keepAlive: true });
  const faults = new Map<Fault | 'refused', number>();
  const arrivals = new Map<string, number>();
  /** Requests that wait until others have overtaken them. */
  const held: (() => void)[] = [];
  let requests = 0;

  function count(fault: Fault | 'refused'): void {
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
  }

  function forward(request: IncomingMessage, body: Buffer): Promise<Reply> {
    const { method, url = '/', headers } = request;
    return new Promise((resolve, reject) => {
      const outgoing = http.request(new URL(url, target), { method, headers, agent }, async (reply) => {
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: await buffer(reply) });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Holds a request until two others passed, or for a while. */
  async function overtaken(): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => held.push(resolve)), after(shortDelay)]);
  }

  function letGo(): void {
    if (held.length >= 2) held.shift()?.();
  }

  function sendHead(response: ServerResponse, { status, headers, body }: Reply): void {
    const { 'transfer-encoding': _, ...rest } = headers;
    response.writeHead(status, { ...rest, 'content-length': body.length });
  }

  function send(response: ServerResponse, reply: Reply): void {
    sendHead(response, reply);
    response.end(reply.body);
  }

  /** Half of the body, with a header that announces all of it. */
  function sendHalf(response: ServerResponse, reply: Reply): Promise<void> {
    sendHead(response, reply);
    const half = reply.body.subarray(0, reply.body.length >> 1);
    return new Promise((resolve) => response.write(half, () => resolve()));
  }

  /** The reply and a stray one in one write, so that both arrive before the next request. */
  function sendTwo({ socket }: IncomingMessage, { status, body }: Reply): void {
    const head = `HTTP/1.1 ${status} Any\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), body, Buffer.from(stray)]));
  }

  async function breakOff(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
    await sendHalf(response, reply);
    request.socket.destroy();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const name = nameOf(request, body);
    const time = (arrivals.get(name) ?? 0) + 1;
    arrivals.set(name, time);
    requests += 1;
    if (requests % outageEvery === 0) goDown();
    const fault = faultFor(seed, name, time);
    if (fault !== undefined) count(fault);
    if (fault === 'reset_before') return void request.socket.resetAndDestroy();
    if (fault === 'stall_before') return;
    const refusal = fault && refusals[fault];
    if (refusal !== undefined && !fault?.endsWith('_after')) return send(response, refusal);
    if (fault === 'delay') await after(shortDelay);
    if (fault === 'delay_beyond_timeout') await after(longDelay);
    if (fault === 'reorder') await overtaken();
    const reply = await forward(request, body);
    letGo();
    if (fault === 'reset_after') return void request.socket.resetAndDestroy();
    if (fault === 'stall_after') return;
    if (fault === 'stall_body') return sendHalf(response, reply);
    if (fault === 'truncate') return breakOff(request, response, reply);
    const isKeyed = request.headers['idempotency-key'] !== undefined;
    if (fault === 'cut_conflict_after' && isKeyed) return breakOff(request, response, conflict);
    if (fault === 'stray_reply') return sendTwo(request, reply);
    if (refusal !== undefined) return send(response, refusal);
    const spoil = reply.status < 300 ? fault && spoiled[fault] : undefined;
    send(response, spoil === undefined ? reply : { ...reply, body: spoil(reply.body) });
  }

  const server = http.createServer((request, response) => {
    // A killed caller closes its connection.
    serve(request, response).catch(() => request.socket.destroy());
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  let isClosed = false;

  /** Refuses connections for a while; running requests continue. */
  function goDown(): void {
    if (!server.listening) return;
    count('refused');
    server.close();
    setTimeout(() => {
      if (!isClosed) void listen(port);
    }, outage);
  }

  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    arrivals,
    get requests() {
      return requests;
    },
    close() {
      isClosed = true;
      if (server.listening) server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
