import type { WebhookEvent } from '../events/event.ts';
import { readable } from '../headers.ts';
import type { EventContext, ReceiverContext } from './context.ts';
import { bodyKey, eventKey } from './delivery-key.ts';
import type { EventClaim } from './event-claim.ts';
import { failed, type Handled, type VerifiedDelivery } from './handled.ts';
import { callFor } from './handlers.ts';
import { claimAndRun } from './leased.ts';
import type { ActiveOptions } from './options.ts';
import { statusOf } from './reply.ts';
import { reportFailure } from './reports.ts';
import { handleInTransaction } from './transaction.ts';

function underLease<Client>(context: EventContext, claim: EventClaim<Client>): ReceiverContext<Client> {
  return {
    ...context,
    attempt: claim.attempt,
    signal: claim.signal,
    extend: (lease) => claim.extend(lease),
    completeIn: (client) => claim.complete(client),
  };
}

/** Reports an event that was handled although its form differs from the interface. */
function reportDrift<Client>(
  options: ActiveOptions<Client>,
  { reading: { event, error } }: VerifiedDelivery,
  { outcome }: Handled,
): void {
  if (error === undefined || outcome !== 'handled') return;
  reportFailure(options, 'schema', { error, outcome, event });
}

async function handleEvent<Client>(
  options: ActiveOptions<Client>,
  { rawBody, scope, reading: { issues } }: VerifiedDelivery,
  event: WebhookEvent,
): Promise<Handled> {
  const key = await eventKey(options.consumer, scope, event);
  const context: EventContext = { rawBody, operationId: key, scope, issues };
  if (options.transaction !== undefined) {
    const call = callFor(options, event);
    return call ? handleInTransaction(options, { event, context, call }) : { outcome: 'ignored' };
  }
  const call = callFor(options, event);
  if (call === undefined) return { outcome: 'ignored' };
  const run = (claim: EventClaim<Client>) => call(underLease(context, claim));
  return claimAndRun(options, { key, event, run, outcome: 'handled', isDone: true });
}

async function handleUnreadable<Client>(
  options: ActiveOptions<Client>,
  { rawBody, headers, scope, reading: { error, issues } }: VerifiedDelivery,
): Promise<Handled> {
  const { consumer, onUnreadable, statuses } = options;
  reportFailure(options, 'receiver', { error, outcome: 'unreadable', event: undefined });
  if (onUnreadable === undefined) return { outcome: 'unreadable' };
  return claimAndRun(options, {
    key: await bodyKey(consumer, scope, rawBody),
    event: undefined,
    run: () => onUnreadable({ rawBody, headers: readable(headers), scope, issues }),
    outcome: 'unreadable',
    // The service redelivers it unless the merchant configured a final status.
    isDone: statusOf('unreadable', statuses) < 300,
  });
}

/** Handles a verified delivery once. Never throws. */
export async function handleDelivery<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
): Promise<Handled> {
  const { event } = delivery.reading;
  try {
    if (event === undefined) return await handleUnreadable(options, delivery);
    const handled = await handleEvent(options, delivery, event);
    reportDrift(options, delivery, handled);
    return handled;
  } catch (error) {
    return failed(options, 'receiver', error, event);
  }
}
