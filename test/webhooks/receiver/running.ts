import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { createShop, Seen, Shop, Told } from './shop.ts';

/** A server that runs, and the shop behind it. */
export interface Running {
  /** Where deliveries go. */
  readonly url: string;
  seen(): Promise<Seen>;
  /** What `onError` is told first; missing where a broken request ends everything that runs for it. */
  readonly firstFailure?: Promise<Told>;
}

/** What a server of Node is for these tests. */
interface Listening {
  address(): AddressInfo | string | null;
  close(done: () => void): unknown;
  closeAllConnections?(): void;
}

/** The address of a server on loopback, which is closed when the test is over. */
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

/** What can be told to listen. */
interface Startable extends Listening {
  listen(port: number, host: string, done: () => void): unknown;
}

/** Listens on a free port of loopback until the test is over. */
export async function listen(server: Startable): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return urlOf(server);
}

/** A shop behind a server that listens. */
export function running(url: string, { seen, firstFailure }: Shop): Running {
  return { url, seen: async () => seen, firstFailure };
}

/** Starts a server with a shop of its own. */
export type Start = (act?: Parameters<typeof createShop>[0]) => Promise<Running>;
