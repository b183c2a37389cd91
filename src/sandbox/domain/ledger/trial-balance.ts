import type { LedgerAccount } from '../records/ledger-records.ts';
import type { Change, State } from '../state.ts';

type Sums = Pick<LedgerAccount, 'debits' | 'credits'>;

/** The totals of a currency's accounts. */
interface CurrencySums extends Sums {
  readonly currency: string;
}

/** Returns the totals of each currency, in order of first use. */
function sumsByCurrency({ objects }: State): readonly CurrencySums[] {
  const sums = new Map<string, CurrencySums>();
  for (const { currency, debits, credits } of objects.ledger_account.all()) {
    const sum = sums.get(currency) ?? { currency, debits: 0, credits: 0 };
    sums.set(currency, { currency, debits: sum.debits + debits, credits: sum.credits + credits });
  }
  return [...sums.values()];
}

/** Returns a text that names the currency whose debits and credits differ; `null` if all balance. */
export function findImbalance(state: State): string | null {
  const wrong = sumsByCurrency(state).find(({ debits, credits }) => debits !== credits);
  if (wrong === undefined) return null;
  const { currency, debits, credits } = wrong;
  return `The debits in ${currency} are ${debits} and the credits ${credits}, in minor units.`;
}

/** The amounts that a unit of work posted in one currency. */
interface Added {
  entries: number;
  debits: number;
  credits: number;
}

function addedBy(changes: readonly Change[]): ReadonlyMap<string, Added> {
  const all = new Map<string, Added>();
  const of = (currency: string): Added => {
    const added = all.get(currency) ?? { entries: 0, debits: 0, credits: 0 };
    all.set(currency, added);
    return added;
  };
  for (const change of changes) {
    if (change.kind === 'ledger_entry') {
      const { before, after } = change;
      of((after ?? before)?.currency ?? '').entries += (after?.amount ?? 0) - (before?.amount ?? 0);
    }
    if (change.kind === 'ledger_account') {
      const { before, after } = change;
      const added = of((after ?? before)?.currency ?? '');
      added.debits += (after?.debits ?? 0) - (before?.debits ?? 0);
      added.credits += (after?.credits ?? 0) - (before?.credits ?? 0);
    }
  }
  return all;
}

/** Checks that a unit of work changed the accounts by the amounts of its entries. Yields each error. */
export function* checkPostings(changes: readonly Change[]): Generator<string> {
  for (const [currency, { entries, debits, credits }] of addedBy(changes)) {
    if (debits === entries && credits === entries) continue;
    yield `entries over ${entries} ${currency} changed the debits by ${debits} and the credits by ${credits}.`;
  }
}
