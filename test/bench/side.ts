import type { StorePlace } from './store-place.ts';

/** One thing that a library does, prepared once: makes a function that does it a single time. */
export type Job = (settings: JobSettings) => Once | Promise<Once>;

export type Once = () => unknown;

export interface JobSettings {
  /** The server that the library calls. */
  readonly url: string;
  /** How long the reader of a list works on each page, in ms. */
  readonly workPerPage: number;
  /** Where a journal is, if there is one. */
  readonly store?: StorePlace | undefined;
}

/** A file of `sides/`, and the export of it that is measured. */
export interface Side {
  readonly library: 'payments-client' | 'journal' | 'stripe' | 'standardwebhooks' | 'sender';
  readonly job: 'create' | 'list' | 'webhook' | 'standardWebhook' | 'deliver';
}

let count = 0;

/** An idempotency key or operation id that no call had before. */
export function newKey(): string {
  count += 1;
  return `order-${process.pid}-${count}`;
}

/** Reads a whole list, and works on each page. */
export async function readAll(list: AsyncIterable<unknown>, workPerPage: number): Promise<void> {
  let count = 0;
  for await (const _ of list) {
    count += 1;
    if (workPerPage > 0 && count % 100 === 0) await new Promise((done) => setTimeout(done, workPerPage));
  }
}
