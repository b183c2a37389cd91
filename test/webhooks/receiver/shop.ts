/** A merchant's webhook handling, for every kind of server. It also runs in a Worker, so it imports no Node module. */

import { WebhookVerificationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { type Receiver, type ReceiverContext, Webhooks } from 'payments-client/webhooks';

/** The arguments of a handler call. */
interface Handled {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly note: string | undefined;
  readonly attempt: number;
  readonly scope: string | undefined;
  /** The raw body, one character per byte. */
  readonly bytes: string;
}

/** A failure that `onError` received. */
export interface RecordedFailure {
  readonly outcome: string;
  readonly reason: string | undefined;
  readonly message: string;
}

/** The calls of a shop, in order. */
export interface RecordedCalls {
  readonly handled: Handled[];
  readonly failures: RecordedFailure[];
  /** What `onDelivery` received: status, outcome and event id. */
  readonly reports: string[];
  /** What the lookup of secrets received: the path and query, and the header `x-shop`. */
  readonly lookups: string[];
}

/** A receiver that records its calls. */
export interface Shop {
  readonly receiver: Receiver;
  readonly calls: RecordedCalls;
  /** Resolves with the next failure that `onError` receives. */
  nextFailure(): Promise<RecordedFailure>;
}

/** In bytes. */
export const maxBodyBytes = 100_000;

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Signs the deliveries. */
export const webhooks = new Webhooks({ secret });

const bytesOf = (body: string | Uint8Array) =>
  Array.from(typeof body === 'string' ? new TextEncoder().encode(body) : body, (byte) =>
    String.fromCharCode(byte),
  ).join('');

/** @param act What the handler does after it recorded its arguments. */
export function createShop(act: (context: ReceiverContext) => unknown = () => undefined): Shop {
  const calls: RecordedCalls = { handled: [], failures: [], reports: [], lookups: [] };
  const waiting: ((failure: RecordedFailure) => void)[] = [];
  const receiver = new Webhooks({
    secrets: async (headers, url) => {
      calls.lookups.push(`${url} ${headers.get('X-Shop')}`);
      return { shop: secret };
    },
    maxBodyBytes,
  }).receiver({
    store: memoryStore(),
    on: {
      'payment_intent.succeeded': ({ id, type, data }, context) => {
        const { amount, metadata } = data.object;
        const { attempt, scope, rawBody } = context;
        const { note } = metadata;
        calls.handled.push({ id, type, amount, note, attempt, scope, bytes: bytesOf(rawBody) });
        if (note === 'fail at first' && attempt === 1) throw new Error('no database');
        return act(context);
      },
    },
    onError: ({ outcome, error }) => {
      const reason = error instanceof WebhookVerificationError ? error.reason : undefined;
      const recorded = { outcome, reason, message: String(error) };
      calls.failures.push(recorded);
      for (const resolve of waiting.splice(0)) resolve(recorded);
    },
    onDelivery: ({ status, outcome, eventId }) => calls.reports.push(`${status} ${outcome} ${eventId}`),
  });
  return { receiver, calls, nextFailure: () => new Promise((resolve) => waiting.push(resolve)) };
}
