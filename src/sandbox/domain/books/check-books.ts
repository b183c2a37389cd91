import type { LedgerAccount } from '../records/ledger-records.ts';
import type { Change, State } from '../state.ts';

type Sums = Pick<LedgerAccount, 'debits' | 'credits'>;

/** What the accounts of a currency come to. */
export interface CurrencySums extends Sums {
  readonly currency: string;
}

/** The sums of each currency, in the order in which they were first used. */
export function sumsByCurrency({ objects }: State): readonly CurrencySums[] {
  const sums = new Map<string, CurrencySums>();
  for (const { currency, debits, credits } of objects.ledger_account.all()) {
    const sum = sums.get(currency) ?? { currency, debits: 0, credits: 0 };
    sums.set(currency, { currency, debits: sum.debits + debits, credits: sum.credits + credits });
  }
  return [...sums.values()];
}

/** Which currency's debits are not its credits; `null` where the books are balanced. */
export function booksProblem(state: State): string | null {
  const wrong = sumsByCurrency(state).find(({ debits, credits }) => debits !== credits);
  if (wrong === undefined) return null;
  const { currency, debits, credits } = wrong;
  return `The debits in ${currency} are ${debits} and the credits ${credits}, in minor units.`;
}

function balanceOf(sums: Sums | undefined): number {
  return sums === undefined ? 0 : sums.debits - sums.credits;
}

/** What is wrong with the postings of a unit of work: each entry comes to zero, and so do the accounts of a currency together. */
export function* checkPostings(changes: readonly Change[]): Generator<string> {
  const differences = new Map<string, number>();
  for (const change of changes) {
    if (change.kind === 'ledger_entry') {
      const sum = (change.after?.lines ?? []).reduce((total, { amount }) => total + amount, 0);
      if (sum !== 0) yield `the lines of the entry '${change.id}' come to ${sum}.`;
    }
    if (change.kind === 'ledger_account') {
      const currency = (change.after ?? change.before)?.currency ?? '';
      const by = balanceOf(change.after) - balanceOf(change.before);
      differences.set(currency, (differences.get(currency) ?? 0) + by);
    }
  }
  for (const [currency, difference] of differences) {
    if (difference !== 0) yield `the debits in ${currency} differ from the credits by ${difference}.`;
  }
}
