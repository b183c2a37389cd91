/** Takes the steps of one delivery, in this order: verify, read, handle, report. Each mode of handling has a file of its own. */

import { runWithin } from '../../base/functions.ts';
import { authenticate, type Delivery, type VerifiedBody } from '../authenticate.ts';
import type { WebhookEvent } from '../events/event.ts';
import { refuseForgotten } from '../events/forgotten.ts';
import { driftError, type EventReading, readVerified } from '../events/parse.ts';
import type { WebhookVerificationError } from '../verification-error.ts';
import { keyOf, type ReadDelivery } from './delivery.ts';
import { handlerFor } from './handlers.ts';
import { handleInline, keepUnhandled } from './inline.ts';
import { jobOf, type WebhookJob } from './job.ts';
import type { ActiveOptions } from './options.ts';
import {
  type DeliveryProgress,
  failed,
  type Handled,
  refusedDelivery,
  reportOf,
  turnedAway,
} from './reports/outcome.ts';
import { reportDelivery, reportDrift, reportUndated } from './reports/reports.ts';
import { handleInTransaction } from './transaction.ts';

/** What a receiver gets: a delivery to verify, a request whose body cannot be read, a body that was verified before it was queued, or one too many. */
export type Received =
  | { readonly delivery: Delivery }
  | { readonly error: WebhookVerificationError }
  | { readonly dispatched: VerifiedBody }
  | { readonly isLate: true };

/**
 * Takes all steps of a delivery within the receiver's instrument, and reports it. Never throws.
 *
 * @param progress What is known of the delivery. The steps add to it.
 */
export async function receive<Client>(
  options: ActiveOptions<Client>,
  received: Received,
  progress: DeliveryProgress,
): Promise<Handled> {
  const { consumer, instrument, onDelivery, logger } = options;
  // Nobody reads the report, and making it costs a delivery time.
  if (instrument === undefined && onDelivery === undefined && logger === undefined) {
    return takeSteps(options, received, progress);
  }
  const since = performance.now();
  const { handled, report } = await runWithin(
    (run) => instrument?.(async () => (await run()).report, consumer),
    async () => {
      const ended = await takeSteps(options, received, progress);
      return { handled: ended, report: reportOf(consumer, progress, ended, performance.now() - since) };
    },
  );
  reportDelivery(options, report);
  return handled;
}

/** Verifies a delivery, reads its event, and handles it or hands it to the queue. */
async function takeSteps<Client>(
  options: ActiveOptions<Client>,
  received: Received,
  progress: DeliveryProgress,
): Promise<Handled> {
  if ('isLate' in received) return turnedAway;
  let verified: VerifiedBody;
  try {
    verified = await verify(options, received);
  } catch (error) {
    return refusedDelivery(options, error);
  }
  progress.verified = verified;
  const { enqueue } = options;
  if (enqueue !== undefined && progress.source === 'request') {
    return enqueueDelivery(options, enqueue, verified);
  }
  const reading = remembered(options, verified, read(options, verified));
  progress.reading = reading;
  const headers = 'delivery' in received ? received.delivery.headers : {};
  return handle(options, { ...verified, source: progress.source, headers, reading });
}

/** @throws WebhookVerificationError for a delivery that fails verification. */
async function verify<Client>(
  options: ActiveOptions<Client>,
  received: Exclude<Received, { readonly isLate: true }>,
): Promise<VerifiedBody> {
  if ('dispatched' in received) return received.dispatched;
  if ('error' in received) throw received.error;
  return authenticate(options, received.delivery);
}

/** Hands a delivery to the queue, without card data. Only the worker reads its event, so that its version decides. Never throws. */
async function enqueueDelivery<Client>(
  options: ActiveOptions<Client>,
  enqueue: (job: WebhookJob) => unknown,
  verified: VerifiedBody,
): Promise<Handled> {
  try {
    await enqueue(jobOf(verified));
    return { outcome: 'enqueued' };
  } catch (error) {
    return failed(options, 'queue', error, undefined);
  }
}

/** A receiver must not lose an event because the service changed a field. */
function read<Client>(
  { validation, livemode }: ActiveOptions<Client>,
  { rawBody }: VerifiedBody,
): EventReading {
  return readVerified(rawBody, { validation: validation === 'off' ? 'off' : 'warn', livemode });
}

/** Returns the reading without an event that the store may have forgotten, if no signature says when it was sent. */
function remembered<Client>(
  options: ActiveOptions<Client>,
  { receivedAt }: VerifiedBody,
  reading: EventReading,
): EventReading {
  if (options.scheme.signsTime !== false || receivedAt === undefined) return reading;
  const checked = refuseForgotten(reading, receivedAt, options);
  if (!('undated' in checked)) return checked;
  reportUndated(options, reading.event, checked.undated);
  return reading;
}

/** Handles a delivery once. Never throws. */
async function handle<Client>(
  options: ActiveOptions<Client>,
  unkeyed: Omit<ReadDelivery, 'key'>,
): Promise<Handled> {
  const { event, issues } = unkeyed.reading;
  try {
    const delivery = { ...unkeyed, key: await keyOf(options.consumer, unkeyed, event) };
    if (event === undefined) return await handleInline(options, delivery, undefined);
    const handled = await handleEvent(options, delivery, event);
    if (handled.outcome === 'handled' && issues.length > 0) {
      reportDrift(options, { error: driftError(issues), outcome: 'handled', event });
    }
    return handled;
  } catch (error) {
    return failed(options, 'receiver', error, event);
  }
}

/** Handles an event in one of the two modes. */
async function handleEvent<Client>(
  options: ActiveOptions<Client>,
  delivery: ReadDelivery,
  event: WebhookEvent,
): Promise<Handled> {
  if (options.transaction === undefined) {
    const handler = handlerFor(options.on, options.onEvent, event);
    return handler ? handleInline(options, delivery, handler) : leaveUnhandled(options, delivery);
  }
  const handler = handlerFor(options.on, options.onEvent, event);
  return handler ? handleInTransaction(options, delivery, event, handler) : leaveUnhandled(options, delivery);
}

/** Without a handler, an event counts as handled, unless it is to be kept. */
async function leaveUnhandled<Client>(
  options: ActiveOptions<Client>,
  delivery: ReadDelivery,
): Promise<Handled> {
  return options.unhandled === 'keep' ? keepUnhandled(options, delivery) : { outcome: 'handled' };
}
