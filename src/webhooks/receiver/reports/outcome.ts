import { PaymentsError } from '../../../base/errors.ts';
import type { Inline } from '../../../base/runtime/runtime.ts';
import { second } from '../../../base/time.ts';
import { isStoreTimeout } from '../../../stores/in-time.ts';
import type { ClaimResult } from '../../../stores/store.ts';
import type { VerifiedBody } from '../../authenticate.ts';
import type { WebhookEvent } from '../../events/event.ts';
import { readTime } from '../../events/iso-8601.ts';
import type { EventReading } from '../../events/parse.ts';
import { WebhookVerificationError } from '../../verification-error.ts';
import type { ActiveOptions } from '../options.ts';
import type { DeliveryOutcome, DeliveryReport, DeliverySource, RefusalReason } from './report.ts';
import { type FailedPart, reportFailure } from './reports.ts';

/** How a delivery ended. */
export interface Handled {
  readonly outcome: DeliveryOutcome;
  readonly reason?: RefusalReason;
  /** When to deliver again, in seconds from now. */
  readonly retryAfter?: number;
  /** The number of claims of the event, if this delivery got the claim. */
  readonly attempt?: number;
  /** The error of a failed or refused delivery. */
  readonly error?: unknown;
}

/** The response to a delivery. */
export type DeliveryReply = Inline<{
  /** The outcome of the delivery. */
  readonly outcome: DeliveryOutcome;
  /** The HTTP status. */
  readonly status: number;
  /** The response's headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The response's body, JSON. */
  readonly body: string;
}>;

/** The outcome of a dispatched event that did not fail. The words mean the same as for a delivery. */
export type DispatchOutcome = Inline<'handled' | 'duplicate' | 'kept'>;

/** When to try again if the store did not answer in time, in seconds. */
const storeRetry = 3;

/** The statuses of the outcomes (*inferred*: the interface does not show which ones the service expects). */
const statuses: Readonly<Record<DeliveryOutcome, number>> = {
  handled: 200,
  enqueued: 200,
  kept: 200,
  duplicate: 200,
  in_progress: 409,
  draining: 503,
  failed: 500,
  refused: 400,
};

/** Returns the status of the response. A failure that may be over soon, or that is not the sender's, is a 503. */
function statusOf({ outcome, reason, retryAfter }: Handled): number {
  if (reason === 'clock' || (outcome === 'failed' && retryAfter !== undefined)) return 503;
  return statuses[outcome];
}

/** Returns the response to a delivery. */
export function replyTo(handled: Handled): DeliveryReply {
  const { outcome, reason, retryAfter } = handled;
  return {
    outcome,
    status: statusOf(handled),
    headers: {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    body: JSON.stringify({ outcome, reason }),
  };
}

/** What is known of a delivery so far. Each step adds what it finds out, and the report is made of it. */
export interface DeliveryProgress {
  readonly source: DeliverySource;
  /** Absent until the delivery is verified. */
  verified?: VerifiedBody;
  /** Absent until the body is read. */
  reading?: EventReading;
}

/** Returns the report of a delivery. */
export function reportOf(
  consumer: string,
  { source, verified, reading }: DeliveryProgress,
  handled: Handled,
  duration: number,
): DeliveryReport {
  const { outcome, reason, attempt, error } = handled;
  const { event, issues = [] } = reading ?? {};
  return {
    outcome,
    source,
    status: source === 'request' ? statusOf(handled) : undefined,
    duration,
    consumer,
    verified: verified !== undefined,
    reason,
    error,
    scope: verified?.scope,
    eventId: event?.id,
    type: event?.type,
    objectId: objectIdOf(event),
    created: readTime(event?.created),
    attempt,
    issues,
  };
}

/** Returns the id of an event's object. The data may differ from the interface. */
function objectIdOf(event: WebhookEvent | undefined): string | undefined {
  const { id }: Readonly<Record<string, unknown>> = Object(event?.data?.object);
  return typeof id === 'string' ? id : undefined;
}

/** Reports a failure and returns its outcome. */
export function failed<Client>(
  options: ActiveOptions<Client>,
  part: FailedPart,
  error: unknown,
  event: WebhookEvent | undefined,
): Handled {
  reportFailure(options, part, { error, outcome: 'failed', event });
  return { outcome: 'failed', error, ...(isStoreTimeout(error) && { retryAfter: storeRetry }) };
}

/** Reports a delivery that was not verified, and returns its outcome. */
export function refusedDelivery<Client>(options: ActiveOptions<Client>, error: unknown): Handled {
  // The lookup of secrets failed.
  if (!(error instanceof WebhookVerificationError)) return failed(options, 'receiver', error, undefined);
  reportFailure(options, 'verification', { error, outcome: 'refused', event: undefined });
  return { outcome: 'refused', error, reason: reasonOf(error) };
}

function reasonOf({ reason }: WebhookVerificationError): RefusalReason {
  return reason === 'too_old' || reason === 'too_new' ? 'clock' : reason;
}

/** Returns the outcome of a delivery that did not get the claim. */
export function notClaimed(answer: Exclude<ClaimResult, { readonly status: 'claimed' }>): Handled {
  if (answer.status === 'completed') return { outcome: 'duplicate' };
  // Whole seconds, so that nobody asks again too early.
  return { outcome: 'in_progress', retryAfter: Math.ceil(answer.retryAfter / second) };
}

/** The outcome of a delivery that came after the receiver was drained. */
export const turnedAway: Handled = { outcome: 'draining', retryAfter: 1 };

/** Returns the outcome of a dispatched event, or throws the error that makes a queue retry. */
export function settleDispatch(
  { outcome, error, retryAfter = 0 }: Handled,
  eventId: string | undefined,
): DispatchOutcome {
  if (outcome === 'handled' || outcome === 'duplicate' || outcome === 'kept') return outcome;
  if (outcome === 'draining') throw drained();
  throw outcome === 'in_progress' ? inProgress(eventId, retryAfter) : error;
}

/** Returns the error for an event that comes after the receiver was drained. */
function drained(): PaymentsError {
  const problem = 'expected an event before the receiver was drained, but it came later.';
  const message = `webhooks: ${problem} Dispatch it in a process that goes on.`;
  return new PaymentsError(message, { code: 'WEBHOOK_DRAINING', retryable: true });
}

/** Returns the error for an event that another process handles, for at most `retryAfter` seconds. */
function inProgress(eventId = 'an unreadable delivery', retryAfter: number): PaymentsError {
  const problem = `expected ${eventId} to be unclaimed, but another process is handling it.`;
  const message = `webhooks: ${problem} Dispatch it again in ${retryAfter} seconds.`;
  const code = 'WEBHOOK_IN_PROGRESS';
  return new PaymentsError(message, { code, retryable: true, retryAfter });
}
