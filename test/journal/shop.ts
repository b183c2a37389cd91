import type { PaymentsClient, PaymentsClientOptions } from 'payments-client';
import type { JournalOptions, OpenOperation } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import type { Sandbox } from 'payments-client-sandbox';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import type { ClaimStore } from '../support/stores.ts';

export const params = { amount: 1200, currency: 'usd' };
export const options = { operationId: 'order-1042' };

/** Returns a result as a repeated call has it that does not retrieve its object. */
export const recorded = (result: unknown) => ({ ...Object(result), $recorded: true });

/** A program with a journal, and its service. */
export interface Shop {
  readonly sandbox: Sandbox;
  readonly payments: PaymentsClient;
  /** Restarts the program. */
  readonly restart: (journal?: Partial<JournalOptions>) => PaymentsClient;
}

/** Starts the service and a program that takes payments. */
export async function startShop(
  journal: Partial<JournalOptions> = {},
  client: Partial<PaymentsClientOptions> = {},
): Promise<Shop> {
  const sandbox = await startSandbox();
  const store = memoryStore();
  const restart = (more: Partial<JournalOptions> = {}) =>
    clientOf(sandbox, { ...client, maxRetries: 0, journal: createJournal({ store, ...journal, ...more }) });
  return { sandbox, payments: restart(), restart };
}

/** Returns the open operations. */
export async function listOpen(payments: PaymentsClient): Promise<OpenOperation[]> {
  const all: OpenOperation[] = [];
  for await (const operation of payments.journal.open()) all.push(operation);
  return all;
}

/** Calls that a store is asked, each of which may be replaced. */
export function replacing(store: ClaimStore, replaced: Partial<ClaimStore>): ClaimStore {
  return {
    claim: (...args) => store.claim(...args),
    renew: (...args) => store.renew(...args),
    complete: (...args) => store.complete(...args),
    release: (...args) => store.release(...args),
    find: (...args) => store.find(...args),
    open: (query) => store.open(query),
    ...replaced,
  };
}

/** A promise that the test fulfils. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
