import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { onTestFinished } from 'vitest';

/** The two ways in which requests leave on Node: what merchants get, and a `fetch` that they may give. */
export const transports: readonly (readonly [name: string, options: PaymentsClientOptions])[] = [
  ['node:http', {}],
  ['fetch', { fetch: globalThis.fetch }],
];

/** A client that asks once and waits long: where a server answers at all, a slow machine changes nothing. */
export function clientOf(baseUrl: string, options: PaymentsClientOptions = {}): PaymentsClient {
  const keys = { secretKey: 'sk_v1_test_faults001', securityKey: 'security-key-faults' };
  return new PaymentsClient({ baseUrl, ...keys, maxRetries: 0, timeout: 30_000, ...options });
}

/** The port at which a server listens on this machine, until the test is over. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return address.port;
}

/** Waits until both ends of a connection are closed, in whatever way. */
export function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** A server that does with each connection what the test says, from its first moment on. */
export async function startSocketServer(
  onConnection: (socket: Socket, number: number) => void,
): Promise<{ port: number; url: string; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    onConnection(socket, connections);
  });
  const port = await listen(server);
  return { port, url: `http://127.0.0.1:${port}`, connections: () => connections };
}
