import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Listens on loopback until the test ends, and returns the port. */
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

/** Waits until both ends of a connection are closed. */
export function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Starts a server that passes each connection to the test immediately. */
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

/** A received request, and the means to respond. */
export interface WireConnection {
  /** The head and the body of the request, as text. */
  readonly request: string;
  /** Sends raw bytes. */
  write(text: string | Uint8Array): void;
  /** Ends the connection cleanly. */
  end(): void;
  /** Breaks the connection with a reset. */
  reset(): void;
}

type Handler = (connection: WireConnection, number: number) => void;

function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0);
  return Buffer.byteLength(request.slice(end + 4)) >= length;
}

function serve(socket: Socket, handle: (connection: WireConnection) => void): void {
  let request = '';
  socket.on('data', (chunk) => {
    request += chunk.toString('utf8');
    if (!isWhole(request)) return;
    const whole = request;
    request = '';
    handle({
      request: whole,
      write: (text) => void socket.write(text),
      end: () => void socket.end(),
      reset: () => void socket.resetAndDestroy(),
    });
  });
}

/** Starts a loopback server that sends raw bytes, for responses that no HTTP library would send. */
export async function startWireServer(
  handler: Handler,
): Promise<{ url: string; requests: readonly string[] }> {
  const requests: string[] = [];
  const { url } = await startSocketServer((socket) =>
    serve(socket, (connection) => {
      requests.push(connection.request);
      handler(connection, requests.length);
    }),
  );
  return { url, requests };
}

/** Returns a complete response with the correct length. */
export function response(status: string, body: string, headers = ''): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}

/** A loopback URL where nothing listens: systems hand out no port below 1024. */
export const closedUrl = 'http://127.0.0.1:4';

/** Returns a loopback port that is free, for a server that cannot choose one. Another process may take it first. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('The server had no port.');
  return address.port;
}
