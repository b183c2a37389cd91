import type { KnownWebhookEvent, WebhookEvent, WebhookEventMap, WebhookEventType } from '../events/event.ts';
import { isKnownEvent } from '../events/known.ts';
import { readable } from '../headers.ts';
import type { EventContext, ReceiverContext, WebhookHandlers } from './context.ts';
import { bodyKey, eventKey } from './delivery-key.ts';
import type { EventClaim } from './event-claim.ts';
import { handleInline, type VerifiedDelivery } from './inline.ts';
import { jobOf, type Received, type WebhookJob } from './job.ts';
import type { ActiveOptions, CommonReceiverOptions } from './options.ts';
import { failed, type Handled } from './outcome.ts';
import { reportDrift } from './reports/reports.ts';
import { type HandlerCall, handleInTransaction } from './transaction.ts';

/** Generic, so that the compiler matches the handler and the event. */
function callOfType<Type extends WebhookEventType, Context>(
  on: WebhookHandlers<Context> | undefined,
  event: WebhookEventMap[Type] & { readonly type: Type },
): HandlerCall<Context> | undefined {
  const handler = on?.[event.type];
  return handler && ((context) => handler(event, context));
}

/** Returns the handler call for an event; `undefined` if there is no handler. */
function callFor<Context>(
  { on, onEvent }: Pick<CommonReceiverOptions<never, Context>, 'on' | 'onEvent'>,
  event: WebhookEvent,
): HandlerCall<Context> | undefined {
  const call = isKnownEvent(event) ? callOfType<KnownWebhookEvent['type'], Context>(on, event) : undefined;
  return call ?? (onEvent && ((context) => onEvent(event, context)));
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

/** Handles an event in one of the two modes; `undefined` if it has no handler. */
async function handleEvent<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
  event: WebhookEvent,
): Promise<Handled | undefined> {
  const { rawBody, scope, reading } = delivery;
  const key = await eventKey(options.consumer, scope, event);
  const context: EventContext = { rawBody, operationId: key, scope, issues: reading.issues };
  if (options.transaction !== undefined) {
    const call = callFor(options, event);
    return call && handleInTransaction(options, { delivery, event, context, call });
  }
  const call = callFor(options, event);
  const run = (claim: EventClaim<Client>) => call?.(underLease(context, claim));
  return call && handleInline(options, { key, delivery, event, run });
}

/** Tells the merchant of a body that no handler can read. It fails until a later version reads it, or it is discarded. */
async function handleUnreadable<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
): Promise<Handled> {
  const { rawBody, headers, scope, reading } = delivery;
  const run = async () => {
    await options.onUnreadable?.({ rawBody, headers: readable(headers), scope, issues: reading.issues });
    throw reading.error;
  };
  const key = await bodyKey(options.consumer, scope, rawBody);
  return handleInline(options, { key, delivery, event: undefined, run });
}

/** Hands a delivery to the queue. Reads nothing in it: only the worker does, so that its version decides. Never throws. */
export async function enqueueDelivery<Client>(
  options: ActiveOptions<Client>,
  enqueue: (job: WebhookJob) => unknown,
  received: Received,
): Promise<Handled> {
  try {
    await enqueue(jobOf(received));
    return { outcome: 'enqueued' };
  } catch (error) {
    return failed(options, 'queue', error, undefined);
  }
}

/** Handles a verified delivery once. Never throws. */
export async function handleDelivery<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
): Promise<Handled> {
  const { event, error: drift } = delivery.reading;
  try {
    if (event === undefined) return await handleUnreadable(options, delivery);
    const handled = await handleEvent(options, delivery, event);
    if (handled?.outcome === 'handled' && drift !== undefined) {
      reportDrift(options, { error: drift, outcome: 'handled', event });
    }
    return handled ?? { outcome: 'handled' };
  } catch (error) {
    return failed(options, 'receiver', error, event);
  }
}
