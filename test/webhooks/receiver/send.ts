/** Sends requests over raw sockets, with full control of body and headers. */

import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** The response of a server. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** From the body of the receiver's response. */
  readonly outcome: string | undefined;
  readonly reason: string | undefined;
  /** Whether the connection was reused. */
  readonly reused: boolean;
}

export interface ToSend {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sends chunks of this size with chunked transfer encoding; otherwise the whole body with its length. */
  readonly chunkBytes?: number;
  readonly agent?: Agent;
}

function outcomeIn(body: string): { outcome?: string; reason?: string } {
  return body.startsWith('{') ? JSON.parse(body) : {};
}

async function receive(sent: ClientRequest): Promise<Received> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  const body = await text(response);
  const { outcome, reason } = outcomeIn(body);
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body, outcome, reason, reused: sent.reusedSocket };
}

function writeChunks(sent: ClientRequest, body: Buffer, size: number): void {
  for (let start = 0; start < body.length; start += size) sent.write(body.subarray(start, start + size));
  sent.end();
}

/** Sends a POST, or another method. Adds only the headers that HTTP requires. */
export function send(url: string, { method = 'POST', headers = {}, body, chunkBytes, agent }: ToSend) {
  const bytes = Buffer.from(body ?? '');
  const length = body === undefined || chunkBytes !== undefined ? {} : { 'content-length': bytes.length };
  const sent = request(url, { method, headers: { ...headers, ...length }, ...(agent && { agent }) });
  const received = receive(sent);
  if (chunkBytes === undefined) sent.end(bytes);
  else writeChunks(sent, bytes, chunkBytes);
  return received;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Sends a few bytes of a body in each TCP write, so that most characters of several bytes are torn. */
export async function sendInPieces(url: string, headers: Readonly<Record<string, string>>, body: string) {
  const bytes = Buffer.from(body);
  const length = String(bytes.length);
  const sent = request(url, { method: 'POST', headers: { ...headers, 'content-length': length } });
  sent.setNoDelay();
  const received = receive(sent);
  for (let start = 0; start < bytes.length; start += 7) {
    await new Promise((resolve) => sent.write(bytes.subarray(start, start + 7), resolve));
    await nextTurn();
  }
  sent.end();
  return received;
}

/** Sends the head, and the body only after `100 Continue`. */
export function sendWhenAsked(url: string, headers: Readonly<Record<string, string>>, body: string) {
  const length = String(Buffer.byteLength(body));
  const expecting = { ...headers, expect: '100-continue', 'content-length': length };
  const sent = request(url, { method: 'POST', headers: expecting });
  const received = receive(sent);
  sent.once('continue', () => sent.end(body));
  sent.flushHeaders();
  return received;
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  // A server may close while this side writes; only the response matters.
  socket.on('error', () => {});
  return socket;
}

function headOf(url: string, headers: Readonly<Record<string, string>>): string {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

const written = (socket: Socket, part: string | Uint8Array) =>
  new Promise<void>((resolve) => socket.write(part, () => resolve()));

/** Sends half of the announced body, and disconnects. */
export async function disconnectHalfway(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) {
  const socket = await open(url);
  const half = body.slice(0, body.length / 2);
  await written(
    socket,
    headOf(url, { ...headers, 'content-length': String(Buffer.byteLength(body)) }) + half,
  );
  socket.destroy();
}

/**
 * Sends an endless body.
 *
 * @param until When it stops: after the server responds or closes, or only after it closes.
 */
export async function flood(
  url: string,
  headers: Readonly<Record<string, string>>,
  until: 'answered' | 'closed' = 'answered',
): Promise<void> {
  const socket = await open(url);
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const sendMore = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  const over = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    if (until === 'answered') socket.once('data', () => resolve());
  });
  socket.on('drain', sendMore).resume();
  socket.write(headOf(url, { ...headers, 'transfer-encoding': 'chunked' }));
  sendMore();
  await over;
  socket.destroy();
}

/** Summarizes a response: its status, and the receiver's outcome. */
export function summary({ status, outcome, reason }: Received): string {
  return [status, outcome, reason].filter((part) => part !== undefined).join(' ');
}
