import type { StorePlace } from './store-places.ts';

/** One library that is measured: what it can do, against a server of which it knows the URL, or with a store. */
export interface Contender {
  /** Makes one payment, with an idempotency key of its own; or checks one attempt. */
  readonly create: () => Promise<unknown>;
  /** Every record of a long list, in requests of 100. */
  readonly list?: () => AsyncIterable<unknown>;
}

/** Makes a contender whose requests go to this server. One with a journal or a guard keeps what it needs in the store. */
export type Connect = (url: string, store: StorePlace | undefined) => Contender | Promise<Contender>;

/** The libraries, ours first, and below them the bare clients as the limit. */
export const contenderNames = [
  'payments-client',
  'stripe',
  'openai',
  'square',
  'undici',
  'node:http',
] as const;

/** Ours with a journal, and ours without one between two bare statements of its store, as the limit. */
type JournalName = 'journal' | 'statements';

/** A velocity guard, and the bare counters of its store, as the limit. */
type VelocityName = 'velocity' | 'counters';

export type ContenderName = (typeof contenderNames)[number] | JournalName | VelocityName;
