import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
// Not the global one, which tests replace to stop the time.
import { setImmediate } from 'node:timers';
import { type BodyText, emptyBody, readStream } from '../../base/bytes.ts';
import { isLoopbackHost } from '../../base/runtime/runtime.ts';
import { Interrupted } from '../../base/time.ts';
import { TransportError } from '../failure/network-failure.ts';
import { ConnectionLimit, createPool, type Pool } from './pool.node.ts';
import type {
  Exchange,
  ReceivedResponse,
  ResponseHead,
  ResponseHeaders,
  Transport,
  WireRequest,
} from './transport.ts';

/** Bound on connecting, in ms. Until then the request has provably not left. */
const connectTimeout = 10_000;

interface Target {
  readonly client: typeof http | typeof https;
  readonly hostname: string;
  /** Empty where it is that of the scheme. */
  readonly port: string;
  readonly pool: Pool;
  /** A new connection for each request that must leave once: a kept one may break when the request has just left. */
  readonly newConnections: Pool;
  /** Of both pools together. */
  readonly limit: ConnectionLimit;
}

/** Connections to one host at once: enough for 5,000 requests/s of 50 ms, and a quarter of the file descriptors that a process usually has. */
const maxConnections = 256;

const targets = /* @__PURE__ */ new Map<string, Target>();
/** Most programs use one origin or two. The bound keeps a program with ever new origins from filling the memory. */
const maxTargets = 100;

function targetOf(origin: string): Target {
  const known = targets.get(origin);
  if (known !== undefined) return known;
  const { protocol, hostname: host, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const hostname = host.replace(/^\[(.*)\]$/, '$1');
  const isLoopback = isLoopbackHost(host);
  const target = {
    client: isSecure ? https : http,
    hostname,
    port,
    pool: createPool(isSecure, isLoopback, true),
    newConnections: createPool(isSecure, isLoopback, false),
    limit: new ConnectionLimit(maxConnections),
  };
  if (targets.size >= maxTargets) targets.clear();
  targets.set(origin, target);
  return target;
}

/** Holds the headers alone, since a caller may keep a response, and the whole connection would be kept with it. */
class NodeHeaders implements ResponseHeaders {
  readonly #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name];
    return value === undefined ? null : String(value);
  }

  get web(): Headers {
    const lines = Object.entries(this.#headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, value]),
    );
    return new Headers(lines);
  }
}

function headOf({ statusCode: status = 0, headers }: IncomingMessage): ResponseHead {
  return { status, ok: status >= 200 && status < 300, headers: new NodeHeaders(headers) };
}

function readBody(
  message: IncomingMessage,
  onRead: (body: BodyText) => void,
  onError: (error: Error) => void,
): void {
  const encoding = message.headers['content-encoding'];
  if (encoding === undefined) readStream(message, onRead, onError);
  else readPacked(message, encoding).then(onRead, onError);
}

/** Calls back when a new connection is ready, and destroys one that takes too long. */
function watchConnecting(
  outgoing: ClientRequest,
  socket: Socket,
  isSecure: boolean,
  onReady: () => void,
): void {
  const timer = setTimeout(() => {
    const message = `no connection within ${connectTimeout / 1000} s`;
    outgoing.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  }, connectTimeout);
  socket.once(isSecure ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer);
    onReady();
  });
  socket.once('close', () => clearTimeout(timer));
}

/** Tracks how far a request came, the only proof of whether anything of it left. */
class Progress {
  readonly #outgoing: ClientRequest;
  readonly #pool: Pool;
  /** Whether the request began a connection of the pool. */
  readonly #isConnecting: boolean;
  #socket: Socket | undefined;
  #isReady = false;
  #isSent = false;
  #bytesBefore = 0;

  constructor(outgoing: ClientRequest, pool: Pool, isConnecting: boolean, isSecure: boolean) {
    this.#outgoing = outgoing;
    this.#pool = pool;
    this.#isConnecting = isConnecting;
    outgoing.on('socket', (socket) => {
      this.#socket = socket;
      this.#bytesBefore = socket.bytesRead;
      // One through a proxy's tunnel is ready when it is handed over; any other new one only begins to connect.
      this.#isReady = outgoing.reusedSocket || !socket.connecting;
      if (this.#isReady) return;
      watchConnecting(outgoing, socket, isSecure, () => {
        this.#isReady = true;
      });
    });
  }

  /**
   * Whether nothing of the request can have left: the connection was made here, is not ready, and has not taken all of it. Tools that
   * replace the network give requests a connection of their own, or take what is written before it is ready.
   */
  get neverLeft(): boolean {
    if (!this.#isSent) return true;
    const socket = this.#socket;
    if (socket === undefined) return this.#isConnecting;
    return !this.#isReady && this.#pool.isOwn(socket) && !this.#outgoing.writableFinished;
  }

  /** Whether the request has a kept connection, and nothing was sent over it so far. */
  get isUnsentOnKept(): boolean {
    return !this.#isSent && this.#outgoing.reusedSocket;
  }

  /** Whether the connection received data before the request was sent. */
  get hasHeard(): boolean {
    return this.#socket?.bytesRead !== this.#bytesBefore;
  }

  send(body: WireRequest['body']): void {
    this.#isSent = true;
    this.#outgoing.end(body);
  }
}

/** Rounds of the event loop until it has processed everything that reached this machine: the present round, and two in full. */
const networkRounds = 3;

/**
 * Calls back when the event loop has processed pending network events: a server may have closed a kept connection, or sent an unrequested
 * response. Over such a connection a request would have an unknown outcome, or get the response to another one.
 */
function afterNetworkEvents(onProcessed: () => void, rounds = networkRounds): void {
  setImmediate(() => {
    if (rounds === 1) onProcessed();
    else afterNetworkEvents(onProcessed, rounds - 1);
  });
}

/** How a request ends. */
interface Ending {
  readonly resolve: (response: ReceivedResponse) => void;
  readonly reject: (error: Error) => void;
}

/** Sends a request over one connection, and over another one if that was kept, and dead before anything was sent. */
function sendOver(target: Target, exchange: Exchange, signal: AbortSignal, ending: Ending): void {
  const { signal: callers } = exchange;
  if (signal.aborted || callers?.aborted) {
    exchange.neverLeft = true;
    ending.reject(new Interrupted('aborted'));
    return;
  }
  const { method, path, body, headers: given, leavesOnce } = exchange.request;
  const { client, hostname, port } = target;
  const pool = leavesOnce ? target.newConnections : target.pool;
  const headers = { 'accept-encoding': acceptedEncodings, ...given };
  const connectionsBefore = pool.count;
  const outgoing = client.request({ agent: pool.agent, hostname, port, method, path, headers });
  const isConnecting = pool.count > connectionsBefore;
  const progress = new Progress(outgoing, pool, isConnecting, client === https);
  let isOver = false;
  const fail = (error: Error) => {
    // A later failure concerns the response, or a connection that was left.
    if (!isOver) exchange.neverLeft = progress.neverLeft;
    isOver = true;
    stopListening();
    ending.reject(error);
  };
  // A signal lives until a full collection, and all that its listeners hold with it.
  const stopListening = () => {
    signal.removeEventListener('abort', onAbort);
    callers?.removeEventListener('abort', onAbort);
  };
  const onAbort = () => {
    fail(new Interrupted('aborted'));
    outgoing.destroy();
  };
  const leaveConnection = () => {
    isOver = true;
    stopListening();
    // A server that closed one kept connection probably closed the others, so the next attempt must not use them.
    pool.closeIdle();
    outgoing.destroy();
    sendOver(target, exchange, signal, ending);
  };
  outgoing.on('response', (message) => {
    if (progress.isUnsentOnKept) {
      leaveConnection();
      return;
    }
    isOver = true;
    pool.touch();
    const head = headOf(message);
    exchange.head = head;
    readBody(
      message,
      (read) => {
        stopListening();
        ending.resolve({ ...head, ...read });
      },
      (error) => fail(new TransportError(error)),
    );
  });
  // Without a listener Node closes the connection, and no event says so.
  outgoing.on('upgrade', (_message, socket) => {
    socket.destroy();
    fail(new TransportError(new Error('another protocol')));
  });
  outgoing.on('error', (error) => {
    // The body's reader reports a failure after the response began.
    if (isOver) return;
    if (progress.isUnsentOnKept) {
      leaveConnection();
      return;
    }
    if (outgoing.reusedSocket) pool.closeIdle();
    fail(new TransportError(error));
  });
  signal.addEventListener('abort', onAbort);
  callers?.addEventListener('abort', onAbort);
  if (!outgoing.reusedSocket) {
    progress.send(body);
    return;
  }
  afterNetworkEvents(() => {
    if (isOver || outgoing.destroyed) return;
    if (progress.hasHeard) leaveConnection();
    else progress.send(body);
  });
}

/** Sends over kept-alive connections of `node:http` and `node:https`, at a fraction of what the runtime's `fetch` costs. */
async function sendOverHttp(exchange: Exchange, signal: AbortSignal): Promise<ReceivedResponse> {
  const target = targetOf(exchange.request.origin);
  const { limit, pool } = target;
  if (!limit.tryEnter()) {
    // Whatever ends the wait.
    exchange.neverLeft = true;
    await limit.waitInLine(signal, exchange.signal);
    exchange.neverLeft = false;
  }
  try {
    pool.touch();
    // A new connection is one more than the idle ones.
    if (exchange.request.leavesOnce && limit.inUse + pool.idle > limit.max) pool.closeIdle();
    return await new Promise((resolve, reject) => sendOver(target, exchange, signal, { resolve, reject }));
  } finally {
    limit.leave();
  }
}

/**
 * Sends over connections of our own. Looks up `http.request` and `https.request` at each call, so that tools which replace them see every
 * request.
 */
export const nodeTransport: Transport = {
  obeysSignal: true,
  // All of it is in the exchange.
  contentOf: () => ({}),
  send: ({ signal }, exchange) => sendOverHttp(exchange, signal),
};

/** The value of `Accept-Encoding`. Without `deflate`, which some servers send without the header that zlib needs. */
const acceptedEncodings = 'br, gzip';

async function decoderOf(encoding: string) {
  const zlib = await import('node:zlib');
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip();
  if (encoding === 'deflate') return zlib.createInflate();
  if (encoding === 'br') return zlib.createBrotliDecompress();
  return undefined;
}

/** Reads a compressed body. The bound counts decompressed bytes. */
async function readPacked(message: IncomingMessage, encoding: string): Promise<BodyText> {
  const decoder = await decoderOf(encoding.toLowerCase());
  const read = (stream: Readable) =>
    new Promise<BodyText>((resolve, reject) => readStream(stream, resolve, reject));
  if (decoder === undefined) return read(message);
  let isEmpty = true;
  message.once('data', () => {
    isEmpty = false;
  });
  // If one of the two ends early, the other does too, and reading fails.
  pipeline(message, decoder, () => {});
  return read(decoder).catch((error: unknown) => {
    // A response without a body may name an encoding all the same.
    if (message.complete && isEmpty) return emptyBody;
    throw error;
  });
}
