import type { Overview as Answer, CurrencyOverview } from '../../../control/overview-routes.ts';
import { moneyText, words } from '../kit/format.ts';
import { Empty, Loaded, Page } from '../kit/page.tsx';
import { hrefOf } from '../kit/route.ts';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Facts } from '../kit/values.tsx';
import { GrossChart } from './gross-chart.tsx';

type Reason = CurrencyOverview['decline_reasons'][number];

const reasonColumns: readonly Column<Reason>[] = [
  { name: 'Decline reason', main: true, cell: ({ code }) => words(code) },
  { name: 'Count', end: true, cell: ({ count }) => count },
];

function shareText({ succeeded, declined }: CurrencyOverview['payments']): string {
  const ended = succeeded + declined;
  return ended === 0 ? '' : ` (${Math.round((succeeded / ended) * 1_000) / 10} %)`;
}

interface CardProps {
  readonly overview: CurrencyOverview;
  readonly days: Answer['days'];
}

function CurrencyCard({ overview, days }: CardProps) {
  const { currency, gross, refunded, disputed, net, payments, decline_reasons: reasons } = overview;
  const money = (amount: number) => <span class="figure">{moneyText(amount, currency)}</span>;
  return (
    <section class="card stack" aria-label={currency}>
      <h3>{currency}</h3>
      <Facts
        facts={[
          ['Gross', money(gross)],
          ['Refunds', money(refunded)],
          ['Disputes', money(disputed)],
          ['Net', money(net)],
        ]}
      />
      <div class="columns">
        <GrossChart currency={currency} days={days} />
        <div class="stack">
          <Facts
            facts={[
              ['Succeeded', `${payments.succeeded}${shareText(payments)}`],
              [
                'Declined',
                <a key="" href={hrefOf(['objects', 'charge'], { state: 'failed' })}>
                  {payments.declined}
                </a>,
              ],
              ['Open', payments.open],
            ]}
          />
          {reasons.length > 0 && (
            <Table
              name={`Declines in ${currency}`}
              columns={reasonColumns}
              rows={reasons}
              keyOf={({ code }) => code}
            />
          )}
        </div>
      </div>
    </section>
  );
}

/** Shows charged, refunded and declined payments by currency. */
export function Overview() {
  const load = useLoad<Answer>('overview');
  return (
    <Page title="Overview">
      <Loaded load={load}>
        {({ currencies, days }) =>
          currencies.length === 0 ? (
            <Empty title="No payments yet." />
          ) : (
            <div class="stack">
              {currencies.map((overview) => (
                <CurrencyCard key={overview.currency} overview={overview} days={days} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
