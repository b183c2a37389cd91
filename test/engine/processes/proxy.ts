import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { networkFaultOf, type Reply, replyThrough } from '../dimensions/network.ts';

/** A proxy between the callers and the service, with the faults of the network. */
export interface FaultyProxy {
  readonly url: string;
  /** How often each fault hit. */
  readonly faults: ReadonlyMap<string, number>;
  /** How often each request arrived completely, by name. */
  readonly arrivals: ReadonlyMap<string, number>;
  close(): void;
}

/** Options of a proxy. */
export interface ProxyOptions {
  /** The URL of the service. */
  readonly target: string;
  /** Returns the name of a request: the same for each repetition. */
  readonly nameOf: (request: IncomingMessage, body: string) => string;
  /** Returns the fault of the request with a name that arrives for the nth time, from 0. */
  readonly faultOf: (name: string, nth: number) => string | undefined;
}

/** The attempt timeout of the callers, in ms. A silent proxy takes so long; a busy machine must not. */
export const callerTimeout = 5000;
/** How long connections are refused, and how long a request waits to be overtaken, in ms. */
const outage = 400;
const hold = 60;

/** Looks like an approved sale and a complete object to a client that accepts it. */
const strayBody = '{"response":1,"transactionid":"stray","id":"stray"}';
const stray = `HTTP/1.1 200 OK\r\ncontent-length: ${strayBody.length}\r\n\r\n${strayBody}`;

/** Starts a proxy on loopback. */
export async function startProxy({ target, nameOf, faultOf }: ProxyOptions): Promise<FaultyProxy> {
  const agent = new http.Agent({ keepAlive: true });
  const faults = new Map<string, number>();
  const arrivals = new Map<string, number>();
  /** Requests that wait until another one has overtaken them. */
  const held: (() => void)[] = [];

  function forward({ method, url = '/', headers }: IncomingMessage, body: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const outgoing = http.request(new URL(url, target), { method, headers, agent }, async (reply) => {
        const type = String(reply.headers['content-type'] ?? '');
        const replayed = reply.headers['idempotent-replayed'];
        const kept = {
          'content-type': type,
          ...(replayed !== undefined && { 'idempotent-replayed': String(replayed) }),
        };
        resolve({ status: reply.statusCode ?? 0, headers: kept, body: (await buffer(reply)).toString() });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  async function overtaken(): Promise<void> {
    await new Promise<void>((resolve) => {
      held.push(resolve);
      setTimeout(resolve, hold);
    });
  }

  function sendHead(response: ServerResponse, { status, headers, body }: Reply): void {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(request)).toString();
    const name = nameOf(request, body);
    const nth = arrivals.get(name) ?? 0;
    arrivals.set(name, nth + 1);
    const planned = faultOf(name, nth);
    if (planned !== undefined) faults.set(planned, (faults.get(planned) ?? 0) + 1);
    const { authorization = '', 'idempotency-key': key } = request.headers;
    const fault = networkFaultOf(planned, key !== undefined);
    const { copies = 1, answer = 'reply', delay } = fault;
    if (answer === 'refused') goDown();
    if (delay === 'slow') await overtaken();
    // The caller gives up, and only then the request arrives.
    if (delay === 'late') await new Promise((resolve) => request.socket.once('close', resolve));
    const none: Reply = { status: 502, headers: {}, body: '' };
    const reply = replyThrough(fault, copies === 0 ? none : await forward(request, body), {
      credential: authorization,
      body,
    });
    if (copies === 2) await forward(request, body);
    held.shift()?.();
    if (answer === 'refused' || answer === 'reset') return void request.socket.resetAndDestroy();
    if (answer === 'silence') return;
    if (answer === 'reply' && fault.isFollowed !== true) {
      sendHead(response, reply);
      return void response.end(reply.body);
    }
    if (answer === 'reply') return sendTwo(request, reply);
    sendHead(response, reply);
    await new Promise<void>((resolve) => {
      response.write(reply.body.slice(0, reply.body.length / 2) || ' ', () => resolve());
    });
    if (answer === 'cut') request.socket.destroy();
  }

  /** The reply and a stray one in one write, so that both arrive before the next request. */
  function sendTwo({ socket }: IncomingMessage, { status, headers, body }: Reply): void {
    const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`HTTP/1.1 ${status} Any\r\n${head}\r\n${body}${stray}`);
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
    server.close();
    setTimeout(() => {
      if (!isClosed) void listen(port);
    }, outage);
  }

  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    arrivals,
    close() {
      isClosed = true;
      if (server.listening) server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
