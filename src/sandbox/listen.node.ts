import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ConnectionDropped } from './connection-dropped.ts';

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

/** Answers requests over HTTP. A dropped connection really is: the socket ends without a response. */
function toListener(handle: Handle): ReturnType<typeof getRequestListener> {
  return getRequestListener(
    async (request, { outgoing }) => {
      try {
        return await handle(request);
      } catch (error) {
        if (!(error instanceof ConnectionDropped)) throw error;
        outgoing.destroy();
        return RESPONSE_ALREADY_SENT;
      }
    },
    { overrideGlobalObjects: false },
  );
}

/** Starts a server, and waits until it listens. */
export async function startServer(handle: Handle, { port, host }: Address): Promise<Listener> {
  const server = createServer(toListener(handle));
  server.listen({ port, host });
  await once(server, 'listening');
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
