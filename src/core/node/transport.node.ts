import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
// Not the global one, which tests replace to stop the time.
import { setImmediate } from 'node:timers';
import type { Interruption } from '../bounded.ts';
import { TransportFailure } from '../network-failure.ts';
import type { ResponseHead, ResponseHeaders, Transport, WireRequest } from '../transport.ts';
import { acceptedEncodings, readBody } from './body.node.ts';
import { createPool, type Pool } from './pool.node.ts';

/** How long it may take to come to a connection, in ms: up to here a request can still be said not to have left. */
const connectTimeout = 10_000;

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Where requests to one origin go. */
interface Target {
  readonly client: typeof http | typeof https;
  readonly hostname: string;
  /** Empty where it is that of the scheme. */
  readonly port: string;
  readonly pool: Pool;
}

const targets = new Map<string, Target>();
/** Programs talk to one origin or two; one that makes up new ones for ever must not fill the memory. */
const maxTargets = 100;

function targetOf(origin: string): Target {
  const known = targets.get(origin);
  if (known !== undefined) return known;
  const { protocol, hostname: host, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const hostname = host.replace(/^\[(.*)\]$/, '$1');
  const pool = createPool(isSecure, loopbackHost.test(hostname));
  const target = { client: isSecure ? https : http, hostname, port, pool };
  if (targets.size >= maxTargets) targets.clear();
  targets.set(origin, target);
  return target;
}

class NodeHeaders implements ResponseHeaders {
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
  }

  get(name: string): string | null {
    const value = this.#message.headers[name];
    return value === undefined ? null : String(value);
  }

  get web(): Headers {
    const headers = new Headers();
    for (const [name, values] of Object.entries(this.#message.headersDistinct)) {
      for (const value of values ?? []) headers.append(name, value);
    }
    return headers;
  }
}

function headOf(message: IncomingMessage): ResponseHead {
  return {
    status: message.statusCode ?? 0,
    headers: new NodeHeaders(message),
    readBody: () =>
      readBody(message).catch((error: Error) => {
        throw new TransportFailure(error, false);
      }),
  };
}

/** Calls back when a new connection is ready to carry the request, and gives up on one that takes too long. */
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

function exchange(request: WireRequest, target: Target, interruption: Interruption): Promise<ResponseHead> {
  const { client, hostname, port, pool } = target;
  const { method, path, body } = request;
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': acceptedEncodings, ...request.headers };
    const outgoing = client.request({ agent: pool.agent, hostname, port, method, path, headers });
    let hasConnection = false;
    let isOver = false;
    // Tools that stand in for the network take a request before they say that there is a connection.
    const neverLeft = () => !hasConnection && !outgoing.writableFinished;
    outgoing.on('socket', (socket) => {
      // One through a proxy's tunnel is ready when it is handed over; any other new one only begins to connect.
      hasConnection = outgoing.reusedSocket || !socket.connecting;
      if (hasConnection) return;
      watchConnecting(outgoing, socket, client === https, () => {
        hasConnection = true;
      });
    });
    outgoing.on('response', (message) => {
      isOver = true;
      pool.touch();
      resolve(headOf(message));
    });
    // Unheard, Node closes the connection and says nothing to anybody.
    outgoing.on('upgrade', (_message, socket) => {
      socket.destroy();
      reject(new TransportFailure(new Error('another protocol'), false));
    });
    outgoing.on('error', (error) => {
      // The server closes what is idle for too long. Where it closed one connection it closed the others, and the next
      // attempt must not meet one of them.
      if (!isOver && outgoing.reusedSocket) pool.closeIdle();
      reject(new TransportFailure(error, neverLeft()));
    });
    interruption.onInterrupt(() => {
      isOver = true;
      const mayHaveLeft = !neverLeft();
      outgoing.destroy();
      return mayHaveLeft;
    });
    outgoing.end(body);
  });
}

/** Rounds of the event loop until it has heard of a close that reached this machine: the present round, and two in full. */
const roundsToHear = 3;

/**
 * Lets the news of the network be heard, above all that a server closed an idle connection: sent over that one, a request would
 * have an unknown outcome.
 */
async function hearTheNetwork(): Promise<void> {
  for (let round = 0; round < roundsToHear; round += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/**
 * Carries requests over kept-alive connections of `node:http` and `node:https`, at a fraction of what the runtime's `fetch`
 * costs. Both are called as they are at that moment, so that tools which replace them still see every request.
 */
export const nodeTransport: Transport = async (request, interruption) => {
  const target = targetOf(request.origin);
  target.pool.touch();
  if (target.pool.isResting) {
    interruption.onInterrupt(() => false);
    await hearTheNetwork();
    if (interruption.isOver)
      throw new TransportFailure(new Error('it was given up before it was sent'), true);
  }
  return exchange(request, target, interruption);
};
