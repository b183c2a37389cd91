import type { ClaimStore } from '../../stores/store.ts';

/**
 * Remembers which events were handled, for all processes that share it. Every store of `payments-client/stores` is one.
 *
 * @typeParam Client A connection of the store's database with an open transaction; `never` where the store has no transactions.
 */
export type WebhookStore<Client = never> = Pick<
  ClaimStore<Client>,
  'claim' | 'renew' | 'complete' | 'release'
>;
