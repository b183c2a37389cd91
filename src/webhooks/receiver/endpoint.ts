import { unverified, type WebhookVerificationError } from '../verification-error.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryReply } from './reply.ts';

/** The part of a receiver that adapters use. */
export interface Endpoint {
  /** The largest accepted body, in bytes. */
  readonly maxBodyBytes: number;
  /** Returns the reply to a delivery. */
  handle(delivery: Delivery): Promise<DeliveryReply>;
  /** Returns the reply to a request whose body could not be read. */
  refuse(error: WebhookVerificationError): Promise<DeliveryReply>;
}

/** The response that an adapter sends. */
export type Answer = Pick<DeliveryReply, 'status' | 'headers' | 'body'>;

/** The response to any method but POST. */
export const methodNotAllowed: Answer = { status: 405, headers: { allow: 'POST' }, body: '' };

/** Creates the error for a body that was already read. */
export function bodyIsGone(advice: string): WebhookVerificationError {
  return unverified(
    'invalid_payload',
    `expected the raw body, got a request whose body was already read, for example by a body parser. ${advice}`,
  );
}

/** Creates the error for a body that ends early. */
export function bodyBroke(cause: unknown): WebhookVerificationError {
  return unverified(
    'invalid_payload',
    'expected a whole body, but the connection closed early. Nothing was handled: the service should deliver it again.',
    cause,
  );
}
