/** A merchant's webhook handling, for every kind of server. It also runs in a Worker, so it imports no Node module. */

import { memoryStore } from 'payments-client/stores';
import {
  type DeliveryFailure,
  type Receiver,
  type ReceiverContext,
  Webhooks,
  WebhookVerificationError,
} from 'payments-client/webhooks';

/** The arguments of a handler call. */
interface Handled {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly note: string | undefined;
  readonly attempt: number;
  /** The raw body, one character per byte. */
  readonly bytes: string;
}

/** A failure that `onError` received. */
export interface Told {
  readonly outcome: string;
  readonly reason: string | undefined;
  readonly message: string;
}

/** The calls of a shop, in order. */
export interface Seen {
  readonly handled: Handled[];
  readonly failures: Told[];
}

/** A receiver that records its calls. */
export interface Shop {
  readonly receiver: Receiver;
  readonly seen: Seen;
  /** Resolves with the first failure that `onError` receives. */
  readonly firstFailure: Promise<Told>;
}

/** In bytes. */
export const maxBodyBytes = 100_000;

export const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', maxBodyBytes });

const bytesOf = (body: string | Uint8Array) =>
  Array.from(typeof body === 'string' ? new TextEncoder().encode(body) : body, (byte) =>
    String.fromCharCode(byte),
  ).join('');

const toldOf = ({ outcome, error }: DeliveryFailure): Told => ({
  outcome,
  reason: error instanceof WebhookVerificationError ? error.reason : undefined,
  message: String(error),
});

/** @param act What the handler does after it recorded its arguments. */
export function createShop(act: (context: ReceiverContext) => unknown = () => undefined): Shop {
  const seen: Seen = { handled: [], failures: [] };
  let tellFirst = (_told: Told) => {};
  const firstFailure = new Promise<Told>((resolve) => {
    tellFirst = resolve;
  });
  const receiver = webhooks.receiver({
    store: memoryStore(),
    on: {
      'payment_intent.succeeded': ({ id, type, data }, context) => {
        const { amount, metadata } = data.object;
        const { attempt, rawBody } = context;
        seen.handled.push({ id, type, amount, note: metadata['note'], attempt, bytes: bytesOf(rawBody) });
        if (metadata['note'] === 'fail at first' && attempt === 1) throw new Error('no database');
        return act(context);
      },
    },
    onError: (failure) => {
      const told = toldOf(failure);
      seen.failures.push(told);
      tellFirst(told);
    },
  });
  return { receiver, seen, firstFailure };
}
