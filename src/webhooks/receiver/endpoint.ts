import { WebhookVerificationError } from '../verification-error.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryReply } from './reply.ts';

/** What an adapter needs of a receiver. */
export interface Endpoint {
  /** The largest body that is accepted, in bytes. */
  readonly maxBodyBytes: number;
  /** What to answer to a delivery. */
  handle(delivery: Delivery): Promise<DeliveryReply>;
  /** What to answer to a request whose body could not be read. */
  refuse(error: WebhookVerificationError): Promise<DeliveryReply>;
}

/** What an adapter sends. */
export type Answer = Pick<DeliveryReply, 'status' | 'headers' | 'body'>;

/** The answer to everything but a POST. */
export const methodNotAllowed: Answer = { status: 405, headers: { allow: 'POST' }, body: '' };

/** The error for a body that something else has read before. */
export function bodyIsGone(advice: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'invalid_payload',
    `expected the raw body, got a request whose body was read before, by a body parser perhaps. ${advice}`,
  );
}

/** The error for a body that does not come to its end. */
export function bodyBroke(cause: unknown): WebhookVerificationError {
  return new WebhookVerificationError(
    'invalid_payload',
    'expected a whole body, got a connection that broke before its end. Nothing was handled: the service should deliver it again.',
    cause,
  );
}
