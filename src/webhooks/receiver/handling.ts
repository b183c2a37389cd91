import type { KnownWebhookEvent, WebhookEvent, WebhookEventMap, WebhookEventType } from '../events/event.ts';
import { isKnownEvent } from '../events/known.ts';
import type { RawBody } from '../signatures/scheme.ts';
import { WebhookVerificationError } from '../verification-error.ts';
import { type FailedPart, noticeOnce } from './failure-notice.ts';
import { WebhookLeaseLostError } from './lease-lost.ts';
import type { DeliveryFailure, DeliveryOutcome, ReceiverContext, ReceiverOptions } from './options.ts';
import type { ReplyDetails } from './reply.ts';

/** A delivery whose signature is right. */
export interface VerifiedDelivery {
  readonly event: WebhookEvent;
  /** The scope of the endpoint whose secret signed it. */
  readonly scope: string | undefined;
  readonly rawBody: RawBody;
}

/** What became of a delivery, and what to say about it. */
export interface Handled {
  readonly outcome: DeliveryOutcome;
  readonly details?: ReplyDetails;
}

type Call<Client> = (context: ReceiverContext<Client>) => unknown;
type ActiveOptions<Client> = ReceiverOptions<Client> & { readonly lease: number; readonly retention: number };

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

/**
 * Reports a failure to `onError`, or to the console without one. A refused delivery never reaches the console, since anyone can send it.
 */
export function report<Client>(
  { onError }: ReceiverOptions<Client>,
  part: FailedPart,
  failure: DeliveryFailure,
): void {
  try {
    if (onError === undefined) {
      if (failure.outcome === 'failed') noticeOnce(part, failure);
      return;
    }
    const told: unknown = onError(failure);
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // A log that fails must not make the service deliver the event again.
  }
}

/** A claim on an event, and what it takes to act on it. */
interface Claimed<Client> {
  readonly options: ActiveOptions<Client>;
  readonly delivery: VerifiedDelivery;
  readonly token: string;
  readonly attempt: number;
}

function contextOf<Client>(
  { options, delivery: { event, scope, rawBody }, token, attempt }: Claimed<Client>,
  signal: AbortSignal,
): ReceiverContext<Client> {
  return {
    rawBody,
    attempt,
    scope,
    signal,
    operationId: `webhook:${event.id}`,
    async completeIn(client) {
      const mine = await options.store.complete(event.id, token, options.retention, { client });
      if (!mine) throw new WebhookLeaseLostError(event.id, options.lease);
    },
  };
}

/**
 * Runs the handler. When it throws, releases the claim at once, so that the next delivery need not wait for the lease.
 *
 * @returns Whether the handler ran to its end.
 */
async function run<Client>(claimed: Claimed<Client>, call: Call<Client>): Promise<boolean> {
  const { options, delivery, token } = claimed;
  const { event } = delivery;
  const lapse = new AbortController();
  const timer = setTimeout(
    () => lapse.abort(new WebhookLeaseLostError(event.id, options.lease)),
    options.lease,
  );
  try {
    await call(contextOf(claimed, lapse.signal));
    return true;
  } catch (error) {
    await options.store.release(event.id, token).catch((failure: unknown) => {
      report(options, 'store', { error: failure, outcome: 'failed', event });
    });
    report(options, 'handler', { error, outcome: 'failed', event });
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function claimAndRun<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
  call: Call<Client>,
): Promise<Handled> {
  const { event } = delivery;
  const claim = await options.store.claim(event.id, options.lease);
  if (claim.status === 'completed') return { outcome: 'duplicate' };
  if (claim.status === 'in_progress') {
    return { outcome: 'in_progress', details: { retryAfter: claim.retryAfter } };
  }
  const { token, attempt } = claim;
  if (!(await run({ options, delivery, token, attempt }, call))) return { outcome: 'failed' };
  const mine = await options.store.complete(event.id, token, options.retention);
  if (!mine) throw new WebhookLeaseLostError(event.id, options.lease);
  return { outcome: 'handled' };
}

/** Acts on a verified delivery, once. */
export async function handleVerified<Client>(
  options: ActiveOptions<Client>,
  delivery: VerifiedDelivery,
): Promise<Handled> {
  const { event } = delivery;
  const call = callFor(options, event);
  if (call === undefined) return { outcome: 'ignored' };
  try {
    return await claimAndRun(options, delivery, call);
  } catch (error) {
    const part = error instanceof WebhookLeaseLostError ? 'handler' : 'store';
    report(options, part, { error, outcome: 'failed', event });
    return { outcome: 'failed' };
  }
}

/** What to say of a delivery that could not be verified or read. */
export function refused<Client>(options: ReceiverOptions<Client>, error: unknown): Handled {
  const isRefusal = error instanceof WebhookVerificationError;
  const outcome = isRefusal ? 'refused' : 'failed';
  report(options, 'receiver', { error, outcome, event: undefined });
  return isRefusal ? { outcome, details: { reason: error.reason } } : { outcome };
}
