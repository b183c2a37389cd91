import type { WebhookBody } from '../events/payload.ts';
import type { DeliveryHeaders } from '../headers.ts';

/** A delivery as a framework passes it. */
export type Delivery = {
  /** The body as received, byte for byte. */
  readonly body: WebhookBody;
  /** The request's headers. */
  readonly headers: DeliveryHeaders;
  /** The path and query of the request, such as `/webhooks/acct_1`, for `secrets` that is a function. */
  readonly url?: string | undefined;
};
