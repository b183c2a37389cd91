import { isStoreTimeout } from '../../stores/in-time.ts';
import type { Completed, InProgress } from '../../stores/store.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { EventReading } from '../events/parse.ts';
import type { DeliveryHeaders } from '../headers.ts';
import type { RawBody } from '../signatures/scheme.ts';
import type { FailedPart } from './failure-notice.ts';
import type { ActiveOptions } from './options.ts';
import type { ReplyDetails } from './reply.ts';
import type { DeliveryOutcome } from './report.ts';
import { reportFailure } from './reports.ts';

/** A body with a valid signature. */
export interface VerifiedBody {
  readonly rawBody: RawBody;
  readonly headers: DeliveryHeaders;
  /** The scope of the endpoint whose secret signed it. */
  readonly scope: string | undefined;
}

/** A verified body, and what was read in it. */
export interface VerifiedDelivery extends VerifiedBody {
  readonly reading: EventReading;
}

/** The outcome of a delivery. */
export interface Handled {
  readonly outcome: DeliveryOutcome;
  readonly details?: ReplyDetails;
  /** The number of claims of the event, if this delivery got the claim. */
  readonly attempt?: number;
  /** The error of a failed delivery. */
  readonly error?: unknown;
}

/** Reports a failure and returns its outcome. */
export function failed<Client>(
  options: ActiveOptions<Client>,
  part: FailedPart,
  error: unknown,
  event: WebhookEvent | undefined,
): Handled {
  reportFailure(options, part, { error, outcome: 'failed', event });
  if (!isStoreTimeout(error)) return { outcome: 'failed', error };
  return { outcome: 'failed', error, details: { status: 503, retryAfter: toSeconds(options.storeTimeout) } };
}

/** Whole seconds, so that nobody asks again too early. */
function toSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}

/** Returns the outcome of a delivery that did not get the claim. */
export function notClaimed(claim: InProgress | Completed): Handled {
  if (claim.status === 'completed') return { outcome: 'duplicate' };
  return { outcome: 'in_progress', details: { retryAfter: toSeconds(claim.retryAfter) } };
}
