import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Cut } from '../faults/cut-body.ts';

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

export interface Address {
  /** The port; 0 chooses a free one. */
  readonly port: number;
  readonly host: string;
}

/** What a request gets: a response, which may be cut, or the end of its connection. */
export type Answer = { readonly response: Response; readonly cut: Cut | undefined } | 'dropped';

type Handle = (request: Request) => Promise<Answer>;

/** Sends the first half of a body, then the second half later, or ends the connection. */
async function sendCut(response: Response, { first, rest, resumed }: Cut, to: ServerResponse): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (resumed === undefined) {
    // Not a reset, which could overtake the first half.
    to.write(first, () => to.socket?.destroySoon());
    return;
  }
  to.write(first);
  await resumed;
  if (!to.destroyed) to.end(rest);
}

/** Answers requests over HTTP. For a dropped connection it resets the socket without a response. */
function toListener(handle: Handle): ReturnType<typeof getRequestListener> {
  return getRequestListener(
    async (request, { outgoing }) => {
      const answer = await handle(request);
      if (answer === 'dropped') {
        outgoing.socket?.resetAndDestroy();
        return RESPONSE_ALREADY_SENT;
      }
      const { response, cut } = answer;
      if (cut === undefined || !(outgoing instanceof ServerResponse)) return response;
      void sendCut(response, cut, outgoing);
      return RESPONSE_ALREADY_SENT;
    },
    { overrideGlobalObjects: false },
  );
}

/** Returns the host for the URL: a server that listens at every address is reached at a loopback address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

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
      // A turn ends with the closed sockets, from which the requests learn that their callers are gone.
      await setImmediate();
      await setImmediate();
    },
  };
}
