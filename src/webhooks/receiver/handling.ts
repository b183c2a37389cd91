import { StoreTimeoutError } from '../../stores/in-time.ts';
import type { Completed, InProgress } from '../../stores/store.ts';
import type { KnownWebhookEvent, WebhookEvent, WebhookEventMap, WebhookEventType } from '../events/event.ts';
import { isKnownEvent } from '../events/known.ts';
import type { EventReading } from '../events/parse.ts';
import { type DeliveryHeaders, readable } from '../headers.ts';
import type { RawBody } from '../signatures/scheme.ts';
import { bodyKey, eventKey } from './delivery-key.ts';
import { EventClaim } from './event-claim.ts';
import type { FailedPart } from './failure-notice.ts';
import { keptBody } from './kept-body.ts';
import { WebhookLeaseLostError } from './lease-lost.ts';
import type { ActiveOptions, DeliveryOutcome, ReceiverContext, ReceiverOptions } from './options.ts';
import { type ReplyDetails, statusOf } from './reply.ts';
import { reportFailure, reportLoneFailure } from './reports.ts';

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
  /** What was thrown, where something was. */
  readonly error?: unknown;
}

/** What is done with a delivery while its claim is held. */
interface Task<Client> {
  /** The key of its claim. */
  readonly key: string;
  /** The event; `undefined` for a delivery from which none could be read. */
  readonly event: WebhookEvent | undefined;
  run(claim: EventClaim<Client>): unknown;
  /** What became of the delivery when this ran to its end. */
  readonly outcome: 'handled' | 'unreadable';
  /** Whether the store then records it as done. */
  readonly isDone: boolean;
}

type Call<Client> = (context: ReceiverContext<Client>) => unknown;

/** Calls the handler of an event's type with the event; generic, so that the two are known to belong together. */
function callOf<Type extends WebhookEventType, Client>(
  { on }: ReceiverOptions<Client>,
  event: WebhookEventMap[Type] & { readonly type: Type },
): Call<Client> | undefined {
  const handler = on[event.type];
  return handler && ((context) => handler(event, context));
}

function callFor<Client>(options: ReceiverOptions<Client>, event: WebhookEvent): Call<Client> | undefined {
  if (isKnownEvent(event)) return callOf<KnownWebhookEvent['type'], Client>(options, event);
  const { onUnknown } = options;
  return onUnknown && ((context) => onUnknown(event, context));
}

function contextOf<Client>(
  { rawBody, scope, reading: { issues } }: VerifiedDelivery,
  operationId: string,
  claim: EventClaim<Client>,
): ReceiverContext<Client> {
  return {
    rawBody,
    attempt: claim.attempt,
    operationId,
    scope,
    issues,
    signal: claim.signal,
    extend: (lease) => claim.extend(lease),
    completeIn: (client) => claim.complete(client),
  };
}

async function eventTask<Client>(
  { consumer }: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
  event: WebhookEvent,
  call: Call<Client>,
): Promise<Task<Client>> {
  const key = await eventKey(consumer, delivery.scope, event);
  const run = (claim: EventClaim<Client>) => call(contextOf(delivery, key, claim));
  return { key, event, run, outcome: 'handled', isDone: true };
}

async function unreadableTask<Client>(
  { consumer, onUnreadable, statuses }: ActiveOptions<Client>,
  { rawBody, headers, scope, reading: { issues } }: VerifiedDelivery,
): Promise<Task<Client>> {
  const key = await bodyKey(consumer, scope, rawBody);
  const run = () => onUnreadable?.({ rawBody, headers: readable(headers), scope, issues });
  // The service repeats it, unless the merchant says that it need not.
  const isDone = onUnreadable !== undefined && statusOf('unreadable', statuses) < 300;
  return { key, event: undefined, run, outcome: 'unreadable', isDone };
}

/** Reports a failure, and says what to answer. */
function failed<Client>(
  options: ActiveOptions<Client>,
  part: FailedPart,
  error: unknown,
  event: WebhookEvent | undefined,
): Handled {
  reportFailure(options, part, { error, outcome: 'failed', event });
  if (!(error instanceof StoreTimeoutError)) return { outcome: 'failed', error };
  return { outcome: 'failed', error, details: { status: 503, retryAfter: options.storeTimeout } };
}

function notClaimed(claim: InProgress | Completed): Handled {
  if (claim.status === 'completed') return { outcome: 'duplicate' };
  return { outcome: 'in_progress', details: { retryAfter: claim.retryAfter } };
}

/** Gives a claim back at once, so that the next delivery need not wait for the lease. */
async function release<Client>(
  options: ActiveOptions<Client>,
  claim: EventClaim<Client>,
  event: WebhookEvent | undefined,
): Promise<void> {
  await claim.release().catch((error: unknown) => {
    reportLoneFailure(options, 'store', { error, outcome: 'failed', event });
  });
}

/** Runs a task under its claim. A task that throws gives the claim back. */
async function runUnder<Client>(
  claim: EventClaim<Client>,
  options: ActiveOptions<Client>,
  { event, run, outcome, isDone }: Task<Client>,
): Promise<Handled> {
  const { attempt } = claim;
  try {
    await run(claim);
  } catch (error) {
    await release(options, claim, event);
    return { ...failed(options, 'handler', error, event), attempt };
  } finally {
    claim.end();
  }
  try {
    if (isDone) await claim.complete();
    else await claim.release();
    return { outcome, attempt };
  } catch (error) {
    const part = error instanceof WebhookLeaseLostError ? 'handler' : 'store';
    return { ...failed(options, part, error, event), attempt };
  }
}

async function claimAndRun<Client>(
  options: ActiveOptions<Client>,
  task: Task<Client>,
  rawBody: RawBody,
): Promise<Handled> {
  const { key, event } = task;
  const data = options.keepBodies === true ? keptBody(rawBody) : undefined;
  const name = event?.id ?? 'an unreadable delivery';
  try {
    const claim = await EventClaim.take(options, { key, name, data });
    return claim instanceof EventClaim ? await runUnder(claim, options, task) : notClaimed(claim);
  } catch (error) {
    return failed(options, 'store', error, event);
  }
}

async function handleEvent<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
  event: WebhookEvent,
): Promise<Handled> {
  const call = callFor(options, event);
  if (call === undefined) return { outcome: 'ignored' };
  const task = await eventTask(options, delivery, event, call);
  const handled = await claimAndRun(options, task, delivery.rawBody);
  const { error } = delivery.reading;
  if (error !== undefined && handled.outcome === 'handled') {
    reportFailure(options, 'schema', { error, outcome: 'handled', event });
  }
  return handled;
}

async function handleUnreadable<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
): Promise<Handled> {
  const { error } = delivery.reading;
  reportFailure(options, 'receiver', { error, outcome: 'unreadable', event: undefined });
  if (options.onUnreadable === undefined && options.keepBodies !== true) return { outcome: 'unreadable' };
  return claimAndRun(options, await unreadableTask(options, delivery), delivery.rawBody);
}

/** Acts on a verified delivery, once. It never throws. */
export async function handleVerified<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
): Promise<Handled> {
  const { event } = delivery.reading;
  try {
    return event === undefined
      ? await handleUnreadable(options, delivery)
      : await handleEvent(options, delivery, event);
  } catch (error) {
    return failed(options, 'receiver', error, event);
  }
}
