import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { RecordedCalls, RecordedFailure, Shop } from './shop.ts';

/** A running server and its shop. */
export interface Running {
  /** The URL for deliveries. */
  readonly url: string;
  calls(): Promise<RecordedCalls>;
  /** The next failure that `onError` receives; absent if a broken request leaves no trace on this server. */
  nextFailure?(): Promise<RecordedFailure>;
  stop?(): Promise<void>;
}

/** The part of a Node server that these tests use. */
interface Listening {
  address(): AddressInfo | string | null;
  close(done: () => void): unknown;
  closeAllConnections?(): void;
}

/** The loopback origin of a server, and how to end it. */
export function originOf(server: Listening) {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections?.();
    });
  return { url: `http://127.0.0.1:${address.port}`, stop };
}

/** A server that can listen. */
interface Startable extends Listening {
  listen(port: number, host: string, done: () => void): unknown;
}

/** Listens on a free loopback port. */
export async function serve(server: Startable) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return originOf(server);
}

/** Returns the loopback URL of a server, which closes after the test. */
export function urlOf(server: Listening): string {
  const { url, stop } = originOf(server);
  onTestFinished(stop);
  return url;
}

/** Listens on a free loopback port until the test ends. */
export async function listen(server: Startable): Promise<string> {
  const { url, stop } = await serve(server);
  onTestFinished(stop);
  return url;
}

/** A shop behind a listening server. */
export function running(url: string, { calls, nextFailure }: Omit<Shop, 'receiver'>): Running {
  return { url, calls: async () => calls, nextFailure };
}
