/** Detects how the SDK in another process sends requests, from the requests that reach a server of this process. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Transport } from './platform.ts';

const channel = 'http.server.request.start';

interface Message {
  readonly request: IncomingMessage;
}

const isMessage = (message: unknown): message is Message => Object(message).request !== undefined;

/** The `accept-encoding` of the SDK over `node:http`. No runtime's `fetch` sends the same. */
const nodeHttpEncodings = 'br, gzip';

function transportOf({ headers }: IncomingMessage): Transport {
  const isNodeHttp =
    headers['accept-encoding'] === nodeHttpEncodings && headers['accept-language'] === undefined;
  return isNodeHttp ? 'node:http' : 'fetch';
}

/** Observes the SDK's calls to a server until the work is done. */
export async function observeTransport<T>(
  url: string,
  work: (transport: () => Transport) => Promise<T>,
): Promise<T> {
  const transports = new Set<Transport>();
  const record = (message: unknown) => {
    if (!isMessage(message)) return;
    const { headers } = message.request;
    const isCall = headers.host === new URL(url).host && headers['idempotency-key'] !== undefined;
    if (isCall) transports.add(transportOf(message.request));
  };
  const transport = () => {
    const [one, ...others] = transports;
    if (others.length > 0)
      throw new Error(`Expected one transport for all calls, got ${[...transports].join(' and ')}.`);
    return one ?? 'none';
  };
  subscribe(channel, record);
  try {
    return await work(transport);
  } finally {
    unsubscribe(channel, record);
  }
}
