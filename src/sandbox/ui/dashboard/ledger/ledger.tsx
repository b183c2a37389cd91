import type { LedgerSums, ShownLedger, ShownLine } from '../../../control/ledger-routes.ts';
import { Pager } from '../kit/filters.tsx';
import { heading, moneyText } from '../kit/format.ts';
import { Empty, Loaded, Page, Part } from '../kit/page.tsx';
import { hrefOf, listQuery } from '../kit/route.ts';
import type { SectionProps } from '../kit/section-props.ts';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Badge, Id, Time } from '../kit/values.tsx';

type Account = ShownLedger['accounts'][number];

/** A column of amounts. Zeros are left empty unless `showsZero`. */
function amounts<T extends { readonly currency: string }>(
  name: string,
  amountOf: (item: T) => number,
  showsZero = true,
): Column<T> {
  const cell = (item: T) => (showsZero || amountOf(item) !== 0) && moneyText(amountOf(item), item.currency);
  return { name, end: true, cell };
}

const sums = [
  amounts<LedgerSums>('Debits', ({ debits }) => debits),
  amounts<LedgerSums>('Credits', ({ credits }) => credits),
  amounts<LedgerSums>('Balance', ({ balance }) => balance),
];

const currencyColumns: readonly Column<LedgerSums>[] = [
  { name: 'Currency', main: true, cell: ({ currency }) => <b>{currency}</b> },
  ...sums,
  {
    name: 'Status',
    cell: ({ balance }) => (
      <Badge tone={balance === 0 ? 'good' : 'bad'}>{balance === 0 ? 'balanced' : 'not balanced'}</Badge>
    ),
  },
];

const accountColumns: readonly Column<Account>[] = [
  { name: 'Account', main: true, cell: ({ account }) => heading(account) },
  { name: 'Currency', cell: ({ currency }) => currency },
  ...sums,
];

function Source({ object: { kind, id } }: ShownLine) {
  return (
    <Id
      id={id}
      href={kind === 'event' ? hrefOf(['events', id]) : hrefOf(['objects', kind, id])}
      copy={false}
    />
  );
}

const lineColumns: readonly Column<ShownLine>[] = [
  { name: 'Time', cell: ({ at }) => <Time at={at} /> },
  { name: 'Description', main: true, cell: ({ text }) => text },
  { name: 'Object', cell: Source },
  { name: 'Account', cell: ({ account }) => heading(account) },
  amounts('Debit', ({ debit }) => debit, false),
  amounts('Credit', ({ credit }) => credit, false),
  { ...amounts<ShownLine>('Balance', ({ balance }) => balance), wide: true },
];

function LedgerTables({ currencies, accounts, lines, has_more: hasMore }: ShownLedger) {
  if (accounts.length === 0) {
    return (
      <Empty title="No money has moved yet.">
        <p>Each charge, refund and chargeback adds an entry with equal debits and credits.</p>
      </Empty>
    );
  }
  return (
    <>
      <Table
        name="Totals by currency"
        columns={currencyColumns}
        rows={currencies}
        keyOf={({ currency }) => currency}
      />
      <Part title="Accounts">
        <Table
          name="Accounts"
          columns={accountColumns}
          rows={accounts}
          keyOf={({ currency, account }) => `${currency} ${account}`}
        />
      </Part>
      <Part title="Lines">
        <Table
          name="Lines, newest first"
          columns={lineColumns}
          rows={lines}
          keyOf={({ entry, account }) => `${entry} ${account}`}
        />
        <Pager older={hasMore ? lines.at(-1)?.entry : undefined} />
      </Part>
    </>
  );
}

/** Shows the ledger: every movement of money in double entry. */
export function Ledger({ query }: SectionProps) {
  const load = useLoad<ShownLedger>(`ledger?${listQuery(query, ['before'], { limit: '25' }).text}`);
  return (
    <Page title="Ledger">
      <Loaded load={load}>{(ledger) => <LedgerTables {...ledger} />}</Loaded>
    </Page>
  );
}
