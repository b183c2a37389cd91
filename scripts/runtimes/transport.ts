/** Detects how the SDK in another process sends requests, from the requests that reach a server of this process. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Transport } from './kind.ts';

const channel = 'http.server.request.start';

interface Message {
  readonly request: IncomingMessage;
}

const isMessage = (message: unknown): message is Message => Object(message).request !== undefined;

/** The SDK sends these encodings when it uses `node:http`. No runtime's `fetch` sends the same. */
const askedOverHttp = 'gzip, deflate, br';

function transportOf({ headers }: IncomingMessage): Transport {
  const isOverHttp = headers['accept-encoding'] === askedOverHttp && headers['accept-language'] === undefined;
  return isOverHttp ? 'node:http' : 'fetch';
}

/** Observes the SDK's calls to a server until the work is done. */
export async function watchTransport<T>(
  url: string,
  work: (transport: () => Transport) => Promise<T>,
): Promise<T> {
  const transports = new Set<Transport>();
  const note = (message: unknown) => {
    if (!isMessage(message)) return;
    const { headers } = message.request;
    const isCall = headers.host === new URL(url).host && headers['idempotency-key'] !== undefined;
    if (isCall) transports.add(transportOf(message.request));
  };
  const transport = () => {
    const [one, ...others] = transports;
    if (others.length > 0) throw new Error(`The calls went over ${[...transports].join(' and ')}.`);
    return one ?? 'none';
  };
  subscribe(channel, note);
  try {
    return await work(transport);
  } finally {
    unsubscribe(channel, note);
  }
}
