import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Interruption } from '../bounded.ts';
import { TransportFailure } from '../network-failure.ts';
import type { ResponseHead, ResponseHeaders, Transport, WireRequest } from '../transport.ts';
import { acceptedEncodings, readBody } from './body.node.ts';
import { type Pool, poolFor } from './pool.node.ts';

/** How long it may take to come to a connection, in ms: up to here a request can still be said not to have left. */
const connectTimeout = 10_000;

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Where requests to one origin go. */
interface Target {
  readonly client: typeof http | typeof https;
  readonly hostname: string;
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
  const pool = poolFor(isSecure, loopbackHost.test(hostname));
  const target = { client: isSecure ? https : http, hostname, port: port || (isSecure ? '443' : '80'), pool };
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
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
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
    readBody: () => readBody(message),
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
    const message = `no connection within ${connectTimeout} ms`;
    outgoing.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  }, connectTimeout);
  socket.once(isSecure ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer);
    onReady();
  });
  socket.once('close', () => clearTimeout(timer));
}

/** A connection of the pool broke before any answer: most likely the server had closed it before the request came. */
class StaleConnection extends TransportFailure {}

function exchange(request: WireRequest, target: Target, interruption: Interruption): Promise<ResponseHead> {
  const { client, hostname, port, pool } = target;
  const { method, path, body } = request;
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': acceptedEncodings, ...request.headers };
    const outgoing = client.request({ agent: pool.agent, hostname, port, method, path, headers });
    let hasConnection = false;
    let isOver = false;
    outgoing.on('socket', (socket) => {
      hasConnection = outgoing.reusedSocket;
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
    outgoing.on('error', (error) => {
      if (!isOver && outgoing.reusedSocket) reject(new StaleConnection(error, false));
      else reject(new TransportFailure(error, !hasConnection && 'code' in error));
    });
    interruption.onInterrupt(() => {
      isOver = true;
      outgoing.destroy();
    });
    outgoing.end(body);
  });
}

/**
 * Carries requests over kept-alive connections of `node:http` and `node:https`, at a fraction of what the runtime's `fetch`
 * costs. Both are called as they are at that moment, so that tools which replace them still see every request.
 */
export const nodeTransport: Transport = async (request, interruption) => {
  const target = targetOf(request.origin);
  target.pool.touch();
  try {
    return await exchange(request, target, interruption);
  } catch (error) {
    if (!(error instanceof StaleConnection && request.isRepeatable)) throw error;
    // Where one was closed, the others were.
    target.pool.closeIdle();
    return exchange(request, target, interruption);
  }
};
