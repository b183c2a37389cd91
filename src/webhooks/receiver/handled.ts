import { StoreTimeoutError } from '../../stores/in-time.ts';
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

/** A delivery whose signature is right. */
export interface VerifiedDelivery {
  readonly rawBody: RawBody;
  readonly headers: DeliveryHeaders;
  /** The scope of the endpoint whose secret signed it. */
  readonly scope: string | undefined;
  readonly reading: EventReading;
}

/** What became of a delivery, and what to say about it. */
export interface Handled {
  readonly outcome: DeliveryOutcome;
  readonly details?: ReplyDetails;
  /** How many times the event was claimed, where this delivery got the claim. */
  readonly attempt?: number;
  /** What went wrong. */
  readonly error?: unknown;
}

/** Reports a failure, and says what to answer. */
export function failed<Client>(
  options: ActiveOptions<Client>,
  part: FailedPart,
  error: unknown,
  event: WebhookEvent | undefined,
  outcome: 'failed' | 'dead' = 'failed',
): Handled {
  reportFailure(options, part, { error, outcome, event });
  if (!(error instanceof StoreTimeoutError)) return { outcome, error };
  return { outcome, error, details: { status: 503, retryAfter: options.storeTimeout } };
}

/** What a delivery comes to that did not get the claim. */
export function notClaimed(claim: InProgress | Completed): Handled {
  if (claim.status === 'completed') return { outcome: 'duplicate' };
  return { outcome: 'in_progress', details: { retryAfter: claim.retryAfter } };
}
