import { Hono } from 'hono';
import { respond } from '../api/reply/respond.ts';
import { sumsByCurrency } from '../domain/ledger/trial-balance.ts';
import type { LedgerAccount, LedgerAccountName, LedgerEntry } from '../domain/records/ledger-records.ts';
import type { State } from '../domain/state.ts';
import type { ControlContext } from './control-context.ts';
import { matchingPage } from './matching-page.ts';
import { readQuery } from './read-input.ts';

/** Sums in minor units. The balance is debits minus credits. */
export interface LedgerSums {
  readonly currency: string;
  readonly debits: number;
  readonly credits: number;
  readonly balance: number;
}

/** A ledger line. Each entry has two: a debit and a credit. */
export interface ShownLine {
  /** The id of its entry, the cursor for `before`. */
  readonly entry: string;
  /** The time, in milliseconds since 1970. */
  readonly at: number;
  readonly currency: string;
  readonly account: LedgerAccountName;
  /** In minor units; 0 for a credit. */
  readonly debit: number;
  /** In minor units; 0 for a debit. */
  readonly credit: number;
  /** The account's debits minus its credits after this line. */
  readonly balance: number;
  /** The object whose change posted the entry. */
  readonly object: { readonly kind: string; readonly id: string };
  /** The description. */
  readonly text: string;
}

/** The response of `GET /ledger`. */
export interface ShownLedger {
  /** The sums of each currency. Each balance is 0. */
  readonly currencies: readonly LedgerSums[];
  readonly accounts: readonly (LedgerSums & { readonly account: LedgerAccountName })[];
  /** The lines of the newest entries first. */
  readonly lines: readonly ShownLine[];
  readonly has_more: boolean;
}

/** The page size, in entries. */
const size = 50;

/** Returns the debit and the credit line of an entry. */
function linesOf(entry: LedgerEntry): readonly ShownLine[] {
  const { id, at, currency, amount, text, object_kind: kind } = entry;
  const common = { entry: id, at, currency, object: { kind, id: entry.object_id }, text };
  return [
    { ...common, account: entry.debit, debit: amount, credit: 0, balance: entry.debit_balance },
    { ...common, account: entry.credit, debit: 0, credit: amount, balance: entry.credit_balance },
  ];
}

function withBalance<Sums extends { debits: number; credits: number }>(
  sums: Sums,
): Sums & { balance: number } {
  return { ...sums, balance: sums.debits - sums.credits };
}

function accountOf({ id: _, ...account }: LedgerAccount): ShownLedger['accounts'][number] {
  return withBalance(account);
}

function showLedger(state: State, query: URLSearchParams): ShownLedger {
  const { ledger_entry: entries, ledger_account: accounts } = state.objects;
  const { items, hasMore } = matchingPage(entries, { query, cursor: 'before', size }, () => true);
  return {
    currencies: sumsByCurrency(state).map(withBalance),
    accounts: accounts.all().map(accountOf),
    lines: items.flatMap(linesOf),
    has_more: hasMore,
  };
}

/** `GET /ledger`: every movement of money in double entry. */
export function ledgerRoutes({ state }: ControlContext): Hono {
  return new Hono().get('/ledger', ({ req }) =>
    respond(showLedger(state, readQuery(req.url, ['limit', 'before']))),
  );
}
