/** A merchant's webhook handling, for every kind of server. It also runs in a Worker, so it imports no Node module. */

import { WebhookVerificationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import {
  type DeliveryFailure,
  type Receiver,
  type ReceiverContext,
  Webhooks,
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
export interface RecordedFailure {
  readonly outcome: string;
  readonly reason: string | undefined;
  readonly message: string;
}

/** The calls of a shop, in order. */
export interface RecordedCalls {
  readonly handled: Handled[];
  readonly failures: RecordedFailure[];
}

/** A receiver that records its calls. */
export interface Shop {
  readonly receiver: Receiver;
  readonly calls: RecordedCalls;
  /** Resolves with the first failure that `onError` receives. */
  readonly firstFailure: Promise<RecordedFailure>;
}

/** In bytes. */
export const maxBodyBytes = 100_000;

export const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', maxBodyBytes });

const bytesOf = (body: string | Uint8Array) =>
  Array.from(typeof body === 'string' ? new TextEncoder().encode(body) : body, (byte) =>
    String.fromCharCode(byte),
  ).join('');

const recordOf = ({ outcome, error }: DeliveryFailure): RecordedFailure => ({
  outcome,
  reason: error instanceof WebhookVerificationError ? error.reason : undefined,
  message: String(error),
});

/** @param act What the handler does after it recorded its arguments. */
export function createShop(act: (context: ReceiverContext) => unknown = () => undefined): Shop {
  const calls: RecordedCalls = { handled: [], failures: [] };
  let resolveFirst = (_failure: RecordedFailure) => {};
  const firstFailure = new Promise<RecordedFailure>((resolve) => {
    resolveFirst = resolve;
  });
  const receiver = webhooks.receiver({
    store: memoryStore(),
    on: {
      'payment_intent.succeeded': ({ id, type, data }, context) => {
        const { amount, metadata } = data.object;
        const { attempt, rawBody } = context;
        calls.handled.push({ id, type, amount, note: metadata['note'], attempt, bytes: bytesOf(rawBody) });
        if (metadata['note'] === 'fail at first' && attempt === 1) throw new Error('no database');
        return act(context);
      },
    },
    onError: (failure) => {
      const recorded = recordOf(failure);
      calls.failures.push(recorded);
      resolveFirst(recorded);
    },
  });
  return { receiver, calls, firstFailure };
}
