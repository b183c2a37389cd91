import { second } from '../../base/time.ts';
import { inTime } from '../../stores/in-time.ts';
import { readable } from '../headers.ts';
import { contextOf, type ReadDelivery } from './delivery.ts';
import { EventClaim, isLeaseLost } from './event-claim.ts';
import { keptText } from './failed.ts';
import type { EventHandler, ReceiverContext } from './handlers.ts';
import type { ActiveOptions } from './options.ts';
import { failed, type Handled, notClaimed } from './reports/outcome.ts';
import { reportLoneFailure, textOfError } from './reports/reports.ts';

/**
 * Releases the claim of work that failed, so that the next delivery need not wait for the lease. The store keeps the body of a
 * request; a queue keeps its jobs itself.
 */
async function release<Client>(
  options: ActiveOptions<Client>,
  delivery: ReadDelivery,
  claim: EventClaim<Client>,
  error: unknown,
): Promise<void> {
  const { event } = delivery.reading;
  const report = (storeError: unknown) =>
    reportLoneFailure(options, 'store', { error: storeError, outcome: 'failed', event });
  if (delivery.source === 'request' || claim.isKept) {
    try {
      return await claim.release(keptText(delivery, textOfError(error)));
    } catch (storeError) {
      // A full store, or one that refuses the size, may still release the claim.
      report(storeError);
    }
  }
  await claim.release().catch(report);
}

/** How long the store may take to keep a delivery, in ms. If the process dies meanwhile, its claim lasts no longer. */
const keepTime = 15 * second;

/**
 * Keeps a delivery whose transaction rolled back, so that it can be repeated as any other that failed. Returns how often the event was
 * claimed; `undefined` if another delivery has the event by now, or the store fails.
 */
export async function keepRolledBack<Client>(
  options: ActiveOptions<Client>,
  delivery: ReadDelivery,
  error: unknown,
): Promise<number | undefined> {
  const keep = async () => {
    const claim = await EventClaim.take({ ...options, lease: keepTime }, delivery);
    if (!(claim instanceof EventClaim)) return undefined;
    claim.end();
    await release(options, delivery, claim, error);
    return claim.attempt;
  };
  try {
    // A store of your own may have no time-out: the delivery needs its answer.
    return await inTime(keep(), keepTime);
  } catch (storeError) {
    const { event } = delivery.reading;
    reportLoneFailure(options, 'store', { error: storeError, outcome: 'failed', event });
    return undefined;
  }
}

/** Keeps an event without a handler, so that a version of the program that has one can handle it. Never throws. */
export async function keepUnhandled<Client>(
  options: ActiveOptions<Client>,
  delivery: ReadDelivery,
): Promise<Handled> {
  try {
    // Leaves a kept delivery unchanged: it may have the error of another version's handler.
    const { claims } = await options.store.open({ key: delivery.key });
    if (claims.length > 0) return { outcome: 'kept' };
    const claim = await EventClaim.take({ ...options, lease: keepTime }, delivery);
    if (!(claim instanceof EventClaim)) return notClaimed(claim);
    claim.end();
    await claim.release(keptText(delivery, 'unhandled'));
    return { outcome: 'kept' };
  } catch (error) {
    return failed(options, 'store', error, delivery.reading.event);
  }
}

/**
 * Calls the handler, or tells the merchant of a body that no handler can read. Such a body fails until a later version reads it, or it is
 * discarded.
 */
async function run<Client>(
  options: ActiveOptions<Client>,
  delivery: ReadDelivery,
  handler: EventHandler<ReceiverContext<Client>> | undefined,
  claim: EventClaim<Client>,
): Promise<void> {
  const { rawBody, masked = false, headers, scope, reading } = delivery;
  const { issues } = reading;
  if (reading.event === undefined) {
    await options.onUnreadable?.({ rawBody, masked, headers: readable(headers), scope, issues });
    throw reading.error;
  }
  await handler?.(reading.event, {
    ...contextOf(delivery),
    attempt: claim.attempt,
    signal: claim.signal,
    extend: (lease) => claim.extend(lease),
    completeIn: (client) => claim.complete(client),
  });
}

async function runUnder<Client>(
  options: ActiveOptions<Client>,
  delivery: ReadDelivery,
  handler: EventHandler<ReceiverContext<Client>> | undefined,
  claim: EventClaim<Client>,
): Promise<Handled> {
  const { attempt } = claim;
  const { event } = delivery.reading;
  try {
    await run(options, delivery, handler, claim);
  } catch (error) {
    await release(options, delivery, claim, error);
    return { ...failed(options, event === undefined ? 'receiver' : 'handler', error, event), attempt };
  } finally {
    claim.end();
  }
  try {
    await claim.complete();
    return { outcome: 'handled', attempt };
  } catch (error) {
    return { ...failed(options, isLeaseLost(error) ? 'handler' : 'store', error, event), attempt };
  }
}

/**
 * Claims a delivery, calls its handler, and completes or releases the claim. Never throws.
 *
 * @param handler `undefined` for a body that no handler can read.
 */
export async function handleInline<Client>(
  options: ActiveOptions<Client>,
  delivery: ReadDelivery,
  handler: EventHandler<ReceiverContext<Client>> | undefined,
): Promise<Handled> {
  try {
    const claim = await EventClaim.take(options, delivery);
    return claim instanceof EventClaim
      ? await runUnder(options, delivery, handler, claim)
      : notClaimed(claim);
  } catch (error) {
    return failed(options, 'store', error, delivery.reading.event);
  }
}
