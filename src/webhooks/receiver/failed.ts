import { configurationError } from '../../base/errors.ts';
import { issueAt } from '../../base/issue.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { VerifiedBody } from '../authenticate.ts';
import { deliverySpace } from './delivery.ts';
import { claimIn } from './event-claim.ts';
import { isJob, jobOf, type WebhookJob } from './job.ts';
import type { ActiveOptions } from './options.ts';
import { notClaimed, settleDispatch } from './reports/outcome.ts';

/** A failed delivery, or one without a handler, that the store keeps. Pass it to `dispatch` to handle it again, or its `id` to `discard`. */
export interface FailedDelivery extends WebhookJob {
  /** Its key in the store. */
  readonly id: string;
  /** The class and code of the last error, without its message, which may quote the body; `unhandled` for an event without a handler. */
  readonly error: string;
  /** How often it was claimed. */
  readonly attempt: number;
  /** The time since it was first claimed, in ms. */
  readonly age: number;
}

/** How many are read per page. */
const pageSize = 100;

/** Returns what the store keeps of a delivery, without card data. */
export function keptText(body: VerifiedBody, error: string): string {
  return JSON.stringify({ ...jobOf(body), error });
}

/** Reads what `keptText` wrote; `undefined` for data of something else. */
function readKept(data: string): (WebhookJob & { readonly error: string }) | undefined {
  const kept = parseJson(data);
  if (!isJob(kept) || !isRecord(kept) || typeof kept['error'] !== 'string') return undefined;
  return { ...kept, error: kept['error'] };
}

/** Lists the failed deliveries that no process is handling, oldest first. */
export async function* listFailed<Client>({
  store,
  consumer,
}: ActiveOptions<Client>): AsyncGenerator<FailedDelivery, void, undefined> {
  const space = deliverySpace(consumer);
  for (let after: { readonly since: number; readonly key: string } | undefined; ; ) {
    const { claims } = await store.open({ space, after, limit: pageSize });
    for (const { key, data, attempt, age, leased } of claims) {
      const kept = leased === 0 ? readKept(data) : undefined;
      if (kept !== undefined) yield { ...kept, id: key, attempt, age };
    }
    after = claims.at(-1);
    if (claims.length < pageSize) return;
  }
}

/** Whether an id is that of a delivery which this consumer keeps. */
export function isOwn<Client>({ consumer }: ActiveOptions<Client>, id: unknown): id is string {
  return typeof id === 'string' && id.startsWith(`${deliverySpace(consumer)}/`);
}

/**
 * Ends a failed delivery, so that it counts as handled. Does nothing if it is not kept.
 *
 * @throws ConfigurationError for anything but the id of one.
 * @throws PaymentsError `WEBHOOK_IN_PROGRESS` while a process is handling it.
 */
export async function discardFailed<Client>(options: ActiveOptions<Client>, id: unknown): Promise<void> {
  if (!isOwn(options, id)) {
    const expected = "the id of a delivery that this consumer's failed() lists";
    throw configurationError([issueAt('receiver.discard.id', expected, id)], 'Nothing was discarded.');
  }
  const { store, lease, memory } = options;
  const { claims } = await store.open({ key: id });
  if (claims.length === 0) return;
  const claim = await claimIn(store, id, lease);
  if (claim.status !== 'claimed') settleDispatch(notClaimed(claim), id);
  // The text replaces the body.
  else await store.complete(id, claim.token, memory, { data: '' });
}
