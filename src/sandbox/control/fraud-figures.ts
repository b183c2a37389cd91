import { day } from '../../base/time.ts';
import { readAvs } from '../../fraud/avs.ts';
import { readCvv } from '../../fraud/cvv.ts';
import { type FraudMetricReport, fraudMetrics, reportMetric } from '../../fraud/metrics.ts';
import { FraudMonitor } from '../../fraud/monitor.ts';
import { readRisk } from '../../fraud/risk.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { State } from '../domain/state.ts';
import { capacity } from '../webhooks/publish.ts';

/** How far back the figures reach, in days. */
const days = 30;

/** The figures of one day. */
export interface FraudDay {
  /** When it begins, in milliseconds since 1970. */
  readonly start: number;
  /** The value of each figure by its name; null where nothing was counted. */
  readonly values: Readonly<Record<string, number | null>>;
}

/** What the fraud monitor says of a sandbox. */
export interface FraudFigures {
  /** The figures over the whole window. */
  readonly metrics: readonly FraudMetricReport[];
  /** The days on which something was counted, oldest first. */
  readonly days: readonly FraudDay[];
}

/** What is paid out, or only looked at, has no checks to count. */
function isPayment({ type }: Transaction): boolean {
  return type === 'sale' || type === 'auth';
}

function record({ objects }: State, monitor: FraudMonitor): void {
  const { transaction, authentication, event } = objects;
  for (const one of transaction.page({ limit: capacity }).filter(isPayment)) {
    const { approved, avs, cvv, riskScore, riskDecision } = one;
    const risk = readRisk(String(riskScore ?? ''), riskDecision ?? '');
    monitor.recordTransaction({ approved, avs: readAvs(avs), cvv: readCvv(cvv), risk }, one.createdAt);
  }
  for (const { status, createdAt } of authentication.page({ limit: capacity })) {
    const authenticated = status === 'authenticated' || status === 'frictionless';
    monitor.recordThreeDSecure({ authenticated, status }, createdAt);
  }
  for (const { type, created, data } of event.page({ limit: capacity })) {
    if (type !== 'chargeback.received') continue;
    const reason_code = String(Reflect.get(data.object, 'reason_code'));
    monitor.recordChargeback({ reason_code }, Date.parse(created));
  }
}

/** The figures that the interface says to watch, over the last 30 days of the sandbox's clock and for each of them. */
export function fraudFigures(state: State): FraudFigures {
  const monitor = new FraudMonitor({ windowMs: days * day, bucketMs: day, now: () => state.clock.now() });
  record(state, monitor);
  const { buckets } = monitor.state();
  return {
    metrics: monitor.report(),
    days: buckets.map(({ start, ...counts }) => ({
      start,
      values: Object.fromEntries(
        fraudMetrics.map((one) => [one.metric, reportMetric(one, counts).value ?? null]),
      ),
    })),
  };
}
