import type { ClaimStore, InboxStore } from '../../stores/store.ts';

/**
 * Records which events were handled, for all processes that share it. Every store of `payments-client/stores`
 * implements it.
 *
 * @typeParam Client A connection of the store's database with an open transaction; `never` if the store has no
 * transactions.
 */
export type WebhookStore<Client = never> = Pick<
  ClaimStore<Client>,
  'claim' | 'renew' | 'complete' | 'release'
> &
  Partial<InboxStore<Client>>;

/** Returns whether a store can keep deliveries. */
export function hasInbox<Client>(
  store: WebhookStore<Client>,
): store is WebhookStore<Client> & InboxStore<Client> {
  return store.keep !== undefined && store.take !== undefined && store.open !== undefined;
}
