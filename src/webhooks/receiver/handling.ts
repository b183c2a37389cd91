import { inTime } from '../../stores/in-time.ts';
import type { InboxStore } from '../../stores/store.ts';
import type { WebhookEvent } from '../events/event.ts';
import { readable } from '../headers.ts';
import type { EventContext, ReceiverContext } from './context.ts';
import { bodyKey, eventKey } from './delivery-key.ts';
import type { EventClaim } from './event-claim.ts';
import { failed, type Handled, type VerifiedDelivery } from './handled.ts';
import { callFor } from './handlers.ts';
import { retryAtOnce, retryLater } from './inbox-retry.ts';
import { encodeKept } from './kept-delivery.ts';
import { claimAndRun, giveBack, type Task } from './leased.ts';
import type { ActiveOptions } from './options.ts';
import { statusOf } from './reply.ts';
import { reportFailure } from './reports.ts';
import { hasInbox } from './store.ts';
import { handleInTransaction, runInTransaction } from './transaction.ts';

/** The work of handling one event. */
interface Work<Client> {
  underLease(claim: EventClaim<Client>): unknown;
  /** Runs in a transaction without a lease; absent if the receiver has no transactions. */
  inTransaction?(): Promise<Handled>;
}

function underLease<Client>(context: EventContext, claim: EventClaim<Client>): ReceiverContext<Client> {
  return {
    ...context,
    attempt: claim.attempt,
    signal: claim.signal,
    extend: (lease) => claim.extend(lease),
    completeIn: (client) => claim.complete(client),
  };
}

function contextOf({ rawBody, scope, reading: { issues } }: VerifiedDelivery, key: string): EventContext {
  return { rawBody, operationId: key, scope, issues };
}

function workOn<Client>(
  options: ActiveOptions<Client>,
  event: WebhookEvent,
  context: EventContext,
): Work<Client> | undefined {
  if (options.transaction === undefined) {
    const call = callFor(options, event);
    return call && { underLease: (claim) => call(underLease(context, claim)) };
  }
  const call = callFor(options, event);
  if (call === undefined) return undefined;
  const task = { event, context, call };
  return {
    underLease: (claim) => runInTransaction(options, task, claim),
    inTransaction: () => handleInTransaction(options, task),
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

/** Stores a delivery for a worker. */
async function accept<Client>(
  store: InboxStore<Client>,
  storeTimeout: number,
  key: string,
  delivery: VerifiedDelivery,
): Promise<Handled> {
  const data = encodeKept(delivery);
  if (data === undefined)
    throw new RangeError('webhooks: expected a body of less than 1 MiB for the inbox, got more.');
  const isNew = await inTime(store.keep(key, data), storeTimeout);
  return { outcome: isNew ? 'accepted' : 'duplicate' };
}

async function handleEvent<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
  event: WebhookEvent,
  isRequest: boolean,
): Promise<Handled> {
  const key = await eventKey(options.consumer, delivery.scope, event);
  const work = workOn(options, event, contextOf(delivery, key));
  if (work === undefined) return { outcome: 'ignored' };
  const { inbox, store, storeTimeout } = options;
  if (isRequest && inbox === 'defer' && hasInbox(store)) {
    const accepted = accept(store, storeTimeout, key, delivery);
    return accepted.catch((error: unknown) => failed(options, 'store', error, event));
  }
  if (work.inTransaction !== undefined && inbox !== 'keep') return work.inTransaction();
  const isKept = isRequest && inbox === 'keep';
  const data = isKept ? encodeKept(delivery) : undefined;
  const run = work.underLease;
  const giveUp: Task<Client>['giveUp'] = isKept
    ? (claim, error) => retryAtOnce(delivery, claim, error)
    : giveBack;
  return claimAndRun(options, { key, event, data, run, giveUp, outcome: 'handled', isDone: true });
}

async function handleUnreadable<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
): Promise<Handled> {
  const { consumer, onUnreadable, inbox, statuses } = options;
  const { rawBody, headers, scope, reading } = delivery;
  const { error, issues } = reading;
  reportFailure(options, 'receiver', { error, outcome: 'unreadable', event: undefined });
  if (onUnreadable === undefined && inbox === undefined) return { outcome: 'unreadable' };
  const task: Task<Client> = {
    key: await bodyKey(consumer, scope, rawBody),
    event: undefined,
    data: inbox && encodeKept(delivery),
    run: () => onUnreadable?.({ rawBody, headers: readable(headers), scope, issues }),
    giveUp: giveBack,
    outcome: 'unreadable',
    // The service redelivers it unless the merchant configured a final status.
    isDone: onUnreadable !== undefined && statusOf('unreadable', statuses) < 300,
  };
  return claimAndRun(options, task);
}

/**
 * Handles a verified delivery once. Never throws.
 *
 * @param isRequest Whether the service waits for a reply, so the delivery may be queued for a worker.
 */
export async function handleDelivery<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
  isRequest: boolean,
): Promise<Handled> {
  const { event } = delivery.reading;
  try {
    if (event === undefined) return await handleUnreadable(options, delivery);
    const handled = await handleEvent(options, delivery, event, isRequest);
    reportDrift(options, delivery, handled);
    return handled;
  } catch (error) {
    return failed(options, 'receiver', error, event);
  }
}

function noHandler(): TypeError {
  return new TypeError('webhooks: expected a handler for the type of the event, but this process has none.');
}

/** Builds the task that handles an inbox delivery. */
export function keptTask<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
  key: string,
): Task<Client> {
  const { event, error } = delivery.reading;
  return {
    ...{ key, event, data: undefined, outcome: 'handled', isDone: true },
    run(claim) {
      const work = event && workOn(options, event, contextOf(delivery, key));
      if (work === undefined) throw error ?? noHandler();
      return work.underLease(claim);
    },
    giveUp: (claim, cause) => retryLater(delivery, options.maxAttempts, claim, cause),
  };
}

/**
 * Handles an inbox delivery. Never throws.
 *
 * @param claimed The claim of the delivery that a worker took.
 */
export async function handleKept<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
  task: Task<Client>,
  claimed?: Promise<EventClaim<Client>>,
): Promise<Handled> {
  const handled = await claimAndRun(options, task, claimed);
  reportDrift(options, delivery, handled);
  return handled;
}
