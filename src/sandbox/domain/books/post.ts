import type { LedgerAccountName, LedgerEntry, LedgerLine } from '../records/ledger-records.ts';
import type { State } from '../state.ts';
import type { Transfer } from './transfer.ts';

/** What an entry is about. */
export type Posting = Pick<LedgerEntry, 'object' | 'text'> & {
  /** Names the entry. Default: its number. */
  readonly id?: string;
};

type Amounts = ReadonlyMap<LedgerAccountName, number>;

/** What each account gains between two transfers of one object; debits are positive. */
function difference(before: Transfer | undefined, after: Transfer | undefined): Amounts {
  const amounts = new Map<LedgerAccountName, number>();
  const add = ({ debit, credit, amount }: Transfer, sign: number): void => {
    amounts.set(debit, (amounts.get(debit) ?? 0) + sign * amount);
    amounts.set(credit, (amounts.get(credit) ?? 0) - sign * amount);
  };
  if (before !== undefined) add(before, -1);
  if (after !== undefined) add(after, 1);
  return amounts;
}

function addLine(
  { objects }: State,
  currency: string,
  account: LedgerAccountName,
  amount: number,
): LedgerLine {
  const id = `${currency} ${account}`;
  const { debits, credits } = objects.ledger_account.get(id) ?? { debits: 0, credits: 0 };
  const total = { debits: debits + Math.max(0, amount), credits: credits + Math.max(0, -amount) };
  objects.ledger_account.replace({ id, currency, account, ...total });
  return { account, amount, balance: total.debits - total.credits };
}

function postAmounts(state: State, currency: string, amounts: Amounts, { id, object, text }: Posting): void {
  const { ledger_entry: entries } = state.objects;
  const moved = [...amounts].filter(([, amount]) => amount !== 0);
  if (moved.length === 0) return;
  // Debits come first, as books have them.
  const ordered = moved.sort(([, one], [, other]) => other - one);
  const lines = ordered.map(([account, amount]) => addLine(state, currency, account, amount));
  entries.add({ id: id ?? String(entries.size + 1), at: state.clock.now(), currency, object, text, lines });
}

/** Posts what an object has moved since it was last posted. */
export function post(
  state: State,
  before: Transfer | undefined,
  after: Transfer | undefined,
  posting: Posting,
): void {
  const isSameCurrency = before === undefined || after === undefined || before.currency === after.currency;
  for (const [from, to] of isSameCurrency
    ? [[before, after]]
    : [
        [before, undefined],
        [undefined, after],
      ]) {
    const currency = (to ?? from)?.currency;
    if (currency !== undefined) postAmounts(state, currency, difference(from, to), posting);
  }
}
