import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sandbox } from 'payments-client-sandbox';
import { networkFaultOf, type Reply, replyThrough } from '../dimensions/network.ts';
import { keyOf, orderIn } from '../merchants.ts';
import { askSandbox, type CurrencyOf } from '../virtual/service.ts';
import { type Noted, noted } from './notes.ts';

/** A sandbox behind a proxy on loopback, with the faults of the network. */
export interface FaultyService {
  readonly url: string;
  readonly port: number;
  /** What happened: requests and effects. */
  readonly notes: readonly Noted[];
  /** How often each fault hit. */
  readonly faults: ReadonlyMap<string, number>;
  /** How often each order's request arrived completely. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** Ends once nothing can have an effect any more. What it has not passed on by then is lost. */
  close(): Promise<void>;
}

/** Options of the service. */
export interface ServiceOptions {
  readonly sandbox: Sandbox;
  /** Its port: a journal takes an operation at another address for that of another account. Default: a free one. */
  readonly port?: number | undefined;
  readonly currencyOf: CurrencyOf;
  /** Returns the fault of the nth request for an order, from 0. */
  readonly faultOf: (order: string, nth: number) => string | undefined;
  /** When it is by the clock of this day, in ms. */
  readonly at: number;
  /** Receives each new reply, which a person may find later. */
  readonly onReply: (order: string, reply: Reply) => void;
}

/** The attempt timeout of the callers, in ms. A silent proxy takes so long; a busy machine must not. */
export const callerTimeout = 5000;
/** How long connections are refused, and how long a request waits to be overtaken, in ms. */
const outage = 400;
const hold = 60;

/** Looks like an approved sale and a complete object to a client that accepts it. */
const strayBody = '{"response":1,"transactionid":"stray","id":"stray"}';
const stray = `HTTP/1.1 200 OK\r\ncontent-length: ${strayBody.length}\r\n\r\n${strayBody}`;

const none: Reply = { status: 502, headers: {}, body: '' };

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

function sendHead(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
}

/** The reply and a stray one in one write, so that both arrive before the next request. */
function sendTwo({ socket }: IncomingMessage, { status, headers, body }: Reply): void {
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`HTTP/1.1 ${status} Any\r\n${head}\r\n${body}${stray}`);
}

export async function startService(options: ServiceOptions): Promise<FaultyService> {
  const { sandbox, currencyOf, faultOf, at, onReply } = options;
  const notes: Noted[] = [];
  const faults = new Map<string, number>();
  const arrivals = new Map<string, number>();
  /** Requests that wait until another one has overtaken them. */
  const held: (() => void)[] = [];
  const running = new Set<Promise<void>>();
  let isClosed = false;

  async function execute(path: string, headers: Headers, body: string): Promise<Reply> {
    if (isClosed) return none;
    const { reply, effect, isNew } = await askSandbox(
      sandbox,
      { method: 'POST', path, headers, body },
      currencyOf,
    );
    if (effect !== undefined) {
      const { order: of, ...moved } = effect;
      notes.push(noted('executed', { of, ...moved, at }));
    }
    if (isNew) onReply(orderIn(path, headers, body), reply);
    return reply;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(request)).toString();
    const headers = headersOf(request);
    const path = request.url ?? '';
    const of = orderIn(path, headers, body);
    const [call, key] = [headers.get('x-call'), keyOf(headers)];
    const nth = arrivals.get(of) ?? 0;
    arrivals.set(of, nth + 1);
    notes.push(noted('sent', { of, call, key, body, at, isExcused: false }), noted('arrived', { of, call }));
    const planned = faultOf(of, nth);
    if (planned !== undefined) faults.set(planned, (faults.get(planned) ?? 0) + 1);
    const fault = networkFaultOf(planned, key !== undefined);
    const { copies = 1, answer = 'reply', delay } = fault;
    if (answer === 'refused') goDown();
    if (delay === 'slow')
      await Promise.race([new Promise<void>((overtaken) => held.push(overtaken)), wait(hold)]);
    // The caller gives up, and only then the request arrives.
    if (delay === 'late') await new Promise((resolve) => request.socket.once('close', resolve));
    const given = copies === 0 ? none : await execute(path, headers, body);
    if (copies === 2) await execute(path, headers, body);
    held.shift()?.();
    const reply = replyThrough(fault, given, { credential: headers.get('authorization') ?? '', body });
    if (answer === 'refused' || answer === 'reset') return void request.socket.resetAndDestroy();
    if (answer === 'silence') return;
    if (fault.isFollowed) return sendTwo(request, reply);
    sendHead(response, reply);
    if (answer === 'reply') return void response.end(reply.body);
    await new Promise<void>((resolve) => {
      response.write(reply.body.slice(0, reply.body.length / 2) || ' ', () => resolve());
    });
    if (answer === 'cut') request.socket.destroy();
  }

  const server = http.createServer((request, response) => {
    // A killed caller closes its connection.
    const work = serve(request, response).catch(() => void request.socket.destroy());
    running.add(work);
    void work.then(() => running.delete(work));
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  /** Refuses connections for a while; running requests continue. */
  function goDown(): void {
    if (!server.listening) return;
    server.close();
    setTimeout(() => {
      if (!isClosed) server.listen(port, '127.0.0.1');
    }, outage);
  }

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    notes,
    faults,
    arrivals,
    async close() {
      isClosed = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await Promise.all(running);
    },
  };
}
