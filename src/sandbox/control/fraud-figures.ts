import { day } from '../../base/time.ts';
import { countFraud, type FraudRecord } from '../../fraud/counts.ts';
import { fraudFigures } from '../../fraud/figures.ts';
import type { FraudMetricReport } from '../../fraud/metrics.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { State } from '../domain/state.ts';
import { capacity } from '../webhooks/publish.ts';

/** The length of the window, in days. */
const days = 30;

/** The fraud metrics of one day. */
export interface FraudDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly start: number;
  /** The value of each metric by name; null without data. */
  readonly values: Readonly<Record<string, number | null>>;
}

/** The fraud metrics of a sandbox. */
export interface FraudFigures {
  /** The metrics over the whole window. */
  readonly metrics: readonly FraudMetricReport[];
  /** The days with data, oldest first. */
  readonly days: readonly FraudDay[];
}

/** A record with its time, in milliseconds since 1970. */
interface TimedRecord {
  readonly at: number;
  readonly record: FraudRecord;
}

/** Whether a transaction counts as a payment. Payouts and card checks do not. */
function isPayment({ type }: Transaction): boolean {
  return type === 'sale' || type === 'auth';
}

function transactionsOf({ objects }: State): TimedRecord[] {
  return objects.transaction
    .page({ limit: capacity })
    .filter(isPayment)
    .map(({ approved, avs, cvv, riskScore, createdAt }) => ({
      at: createdAt,
      record: { approved, avsresponse: avs, cvvresponse: cvv, risk_score: riskScore },
    }));
}

function authenticationsOf({ objects }: State): TimedRecord[] {
  return objects.authentication
    .page({ limit: capacity })
    .filter(({ status }) => status !== 'challenge_required')
    .map(({ status, createdAt }) => ({
      at: createdAt,
      record: { authenticated: status === 'authenticated' || status === 'frictionless' },
    }));
}

function chargebacksOf({ objects }: State): TimedRecord[] {
  return objects.event
    .page({ limit: capacity })
    .filter(({ type }) => type === 'chargeback.received')
    .map(({ created, data }) => ({
      at: Date.parse(created),
      record: { chargeback_reason: String(Reflect.get(data.object, 'reason_code')) },
    }));
}

function valuesOf(records: readonly FraudRecord[]): FraudDay['values'] {
  const figures = fraudFigures(countFraud(records));
  return Object.fromEntries(figures.map(({ metric, value }) => [metric, value ?? null]));
}

/**
 * Returns the metrics that the interface says to watch, over the last 30 days of the sandbox's clock and for each
 * day.
 */
export function sandboxFigures(state: State): FraudFigures {
  const today = Math.floor(state.clock.now() / day);
  const byDay = new Map<number, FraudRecord[]>();
  for (const { at, record } of [transactionsOf, authenticationsOf, chargebacksOf].flatMap((of) =>
    of(state),
  )) {
    const date = Math.floor(at / day);
    if (date <= today - days) continue;
    const records = byDay.get(date) ?? [];
    records.push(record);
    byDay.set(date, records);
  }
  return {
    metrics: fraudFigures(countFraud([...byDay.values()].flat())),
    days: [...byDay]
      .sort(([a], [b]) => a - b)
      .map(([date, records]) => ({ start: date * day, values: valuesOf(records) })),
  };
}
