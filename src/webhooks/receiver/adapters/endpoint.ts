import type { Inline } from '../../../base/runtime/runtime.ts';
import type { WebhookBody } from '../../events/payload.ts';
import type { DeliveryHeaders } from '../../headers.ts';
import { unverified, type WebhookVerificationError } from '../../verification-error.ts';
import type { DeliveryReply } from '../outcome.ts';

/** A delivery as a framework passes it. */
export type Delivery = Inline<{
  /** The body as received, byte for byte. */
  readonly body: WebhookBody;
  /** The request's headers. */
  readonly headers: DeliveryHeaders;
  /** The path and query of the request, such as `/webhooks/acct_1`, for `secrets` that is a function. */
  readonly url?: string | undefined;
}>;

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
export type AdapterReply = Pick<DeliveryReply, 'status' | 'headers' | 'body'>;

/** The response to any method but POST. */
export const methodNotAllowed: AdapterReply = { status: 405, headers: { allow: 'POST' }, body: '' };

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
