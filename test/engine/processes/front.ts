import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** The address of the service, which stays the same when the service restarts or gets a proxy. */
export interface Front {
  readonly url: string;
  /** Sends new connections to another address, but not those that wait already: they are of processes that were killed. */
  aimAt(url: string): Promise<void>;
  close(): void;
}

/** Passes bytes and ends on, and resets a connection whose other side broke. */
function join(one: Socket, other: Socket): void {
  one.pipe(other);
  one.on('error', () => other.resetAndDestroy());
  one.on('close', () => other.destroy());
}

/** Waits until a server has accepted every connection that waits: they are accepted in order. */
async function untilAccepted(server: Server, port: number): Promise<void> {
  const accepted = new Set<number | undefined>();
  const onConnection = ({ remotePort }: Socket) => accepted.add(remotePort);
  server.on('connection', onConnection);
  const last = connect({ port, host: '127.0.0.1' });
  await once(last, 'connect');
  while (!accepted.has(last.localPort)) await once(server, 'connection');
  server.off('connection', onConnection);
  last.destroy();
}

/** A journal takes an operation at another address for that of another account, so the days of a test share one. */
export async function startFront(): Promise<Front> {
  let port = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    join(client, upstream);
    join(upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    aimAt: async (url) => {
      if (port !== 0) await untilAccepted(server, address.port);
      port = Number(new URL(url).port);
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
