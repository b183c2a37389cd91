import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { createShop, RecordedCalls, RecordedFailure, Shop } from './shop.ts';

/** A running server and its shop. */
export interface Running {
  /** The URL for deliveries. */
  readonly url: string;
  calls(): Promise<RecordedCalls>;
  /** The first failure that `onError` receives; absent if a broken request leaves no trace on this server. */
  readonly firstFailure?: Promise<RecordedFailure>;
}

/** The part of a Node server that these tests use. */
interface Listening {
  address(): AddressInfo | string | null;
  close(done: () => void): unknown;
  closeAllConnections?(): void;
}

/** Returns the loopback URL of a server, which closes after the test. */
export function urlOf(server: Listening): string {
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections?.();
      }),
  );
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** A server that can listen. */
interface Startable extends Listening {
  listen(port: number, host: string, done: () => void): unknown;
}

/** Listens on a free loopback port until the test ends. */
export async function listen(server: Startable): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return urlOf(server);
}

/** A shop behind a listening server. */
export function running(url: string, { calls, firstFailure }: Shop): Running {
  return { url, calls: async () => calls, firstFailure };
}

/** Starts a server with its own shop. */
export type Start = (act?: Parameters<typeof createShop>[0]) => Promise<Running>;
