import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ConnectionDropped } from '../faults/connection-dropped.ts';
import { type Cut, cutOf } from '../faults/cut-body.ts';

/** A server that listens. */
export interface Listener {
  /** Where it listens, for example `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Stops it and ends its connections. */
  close(): Promise<void>;
}

/** Where to listen. */
export interface Address {
  /** The port; 0 takes a free one. */
  readonly port: number;
  /** The host name or address. */
  readonly host: string;
}

type Handle = (request: Request) => Promise<Response>;

/** Sends one half of a body, and the other one when its time comes, or ends the connection. */
async function sendCut(response: Response, { first, rest, resumed }: Cut, to: ServerResponse): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (resumed === undefined) {
    // Not a reset, which could overtake the half that was sent.
    to.write(first, () => to.socket?.destroySoon());
    return;
  }
  to.write(first);
  await resumed;
  if (!to.destroyed) to.end(rest);
}

/** Answers requests over HTTP. A dropped connection really is: the socket is reset without a response. */
function toListener(handle: Handle): ReturnType<typeof getRequestListener> {
  return getRequestListener(
    async (request, { outgoing }) => {
      try {
        const response = await handle(request);
        const cut = cutOf(response);
        if (cut === undefined || !(outgoing instanceof ServerResponse)) return response;
        void sendCut(response, cut, outgoing);
      } catch (error) {
        if (!(error instanceof ConnectionDropped)) throw error;
        outgoing.socket?.resetAndDestroy();
      }
      return RESPONSE_ALREADY_SENT;
    },
    { overrideGlobalObjects: false },
  );
}

/** Where this machine reaches a server: one that listens at every address has none of its own to write into a URL. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** Starts a server, and waits until it listens. */
export async function startServer(handle: Handle, { port, host }: Address): Promise<Listener> {
  const listener = toListener(handle);
  const server = createServer((request, response) => void listener(request, response));
  server.listen({ port, host });
  await once(server, 'listening');
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  const name = reachable(host);
  return {
    url: `http://${name.includes(':') ? `[${name}]` : name}:${actualPort}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
