import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** A running server. */
export interface RunningServer {
  /** The URL, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Stops it and closes its connections. */
  close(): void;
}

/** Serves on a free loopback port. */
export async function serve(listener: RequestListener): Promise<RunningServer> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
