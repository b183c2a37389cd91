import { Hono } from 'hono';
import { day } from '../../base/time.ts';
import { respond } from '../api/reply/respond.ts';
import type { LedgerAccountName } from '../domain/records/ledger-records.ts';
import type { State } from '../domain/state.ts';
import type { ControlContext } from './control-context.ts';
import { type PaymentCounts, paymentCounts } from './payment-counts.ts';

/** The totals of one currency over all time. Amounts are in minor units. */
export interface CurrencyOverview extends PaymentCounts {
  readonly currency: string;
  /** Captured and not voided. */
  readonly gross: number;
  /** The refunded part, pending refunds included. */
  readonly refunded: number;
  /** The disputed part. */
  readonly disputed: number;
  /** Gross minus refunds and disputes. */
  readonly net: number;
}

/** The gross volume of one day. */
export interface OverviewDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly start: number;
  /** By currency, in minor units. */
  readonly gross: Readonly<Record<string, number>>;
}

/** The response of `GET /overview`. */
export interface Overview {
  readonly currencies: readonly CurrencyOverview[];
  /** The last 30 days of the sandbox's clock, oldest first. */
  readonly days: readonly OverviewDay[];
}

const shownDays = 30;

/** Returns the debits minus the credits of an account. */
function balanceOf({ objects }: State, currency: string, account: LedgerAccountName): number {
  const found = objects.ledger_account.get(`${currency} ${account}`);
  return found === undefined ? 0 : found.debits - found.credits;
}

function currencyOverview(state: State, currency: string, counts: PaymentCounts): CurrencyOverview {
  const gross = 0 - balanceOf(state, currency, 'sales');
  const refunded = balanceOf(state, currency, 'refunds');
  const disputed = balanceOf(state, currency, 'disputes');
  return { currency, gross, refunded, disputed, net: gross - refunded - disputed, ...counts };
}

function days({ objects, clock }: State): readonly OverviewDay[] {
  const today = Math.floor(clock.now() / day);
  const grossOf = Array.from({ length: shownDays }, (): Record<string, number> => ({}));
  for (const { at, currency, debit, credit, amount } of objects.ledger_entry.all()) {
    const gross = grossOf[shownDays - 1 - (today - Math.floor(at / day))];
    if (gross === undefined) continue;
    if (credit === 'sales') gross[currency] = (gross[currency] ?? 0) + amount;
    // A void.
    if (debit === 'sales') gross[currency] = (gross[currency] ?? 0) - amount;
  }
  return grossOf.map((gross, index) => ({ start: (today - shownDays + 1 + index) * day, gross }));
}

const noPayments: PaymentCounts = { payments: { succeeded: 0, declined: 0, open: 0 }, decline_reasons: [] };

function overview(state: State): Overview {
  const counts = paymentCounts(state);
  const used = new Set([
    ...counts.keys(),
    ...state.objects.ledger_account.all().map(({ currency }) => currency),
  ]);
  return {
    currencies: [...used].map((currency) =>
      currencyOverview(state, currency, counts.get(currency) ?? noPayments),
    ),
    days: days(state),
  };
}

/** `GET /overview`: charged, refunded and declined payments. */
export function overviewRoutes({ state }: ControlContext): Hono {
  return new Hono().get('/overview', () => respond(overview(state)));
}
