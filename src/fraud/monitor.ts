import type { AvsResult } from './avs.ts';
import { readChargebackReason } from './chargeback-reasons.ts';
import type { CvvResult } from './cvv.ts';
import { type FraudCounts, type FraudMetric, type FraudMetricReport, reportMetric } from './metrics.ts';
import { checkMonitorOptions, type FraudMonitorOptions } from './monitor-options.ts';
import {
  addCounts,
  checkState,
  type FraudMonitorState,
  noCounts,
  refuseOtherTimes,
  toBuckets,
} from './monitor-state.ts';
import { refuseType } from './refuse.ts';
import type { RiskResult } from './risk.ts';
import { readThreeDSecure, type ThreeDSecureOutcome } from './three-d-secure.ts';

/** What a monitor counts of a transaction. */
export interface MonitoredTransaction {
  /** Whether it was approved; rates of fraud and chargebacks are shares of those that were. */
  readonly approved: boolean;
  /** The address check; `undefined` where there was none. */
  readonly avs?: AvsResult | undefined;
  /** The security-code check; `undefined` where there was none. */
  readonly cvv?: CvvResult | undefined;
  /** The fraud scoring; `undefined` where there was none. */
  readonly risk?: RiskResult | undefined;
}

/** What a monitor counts of a chargeback. */
export interface MonitoredChargeback {
  /** Why, such as `10.4`; a code of fraud makes the chargeback count as fraud too. Default: not known. */
  readonly reason_code?: string | undefined;
  /** Whether to count it as fraud. Default: by `reason_code`. Say false where the fraud was recorded already. */
  readonly countsAsFraud?: boolean | undefined;
}

/**
 * Watches the figures for which the interface gives targets, over a rolling window. Its memory is bounded: it keeps
 * counts per bucket of time and no events. It does not know an event that comes twice, so record each once.
 *
 * Every event counts at its own time, a chargeback too: a rate is what came in within the window over what was paid
 * within it. An event from before the window is not counted, and one from the future, where clocks differ, counts as
 * of now.
 *
 * @example
 * const monitor = new FraudMonitor();
 * monitor.recordTransaction(result);
 * for (const { name, status, action } of monitor.report()) if (status === 'action') alert(`${name}: ${action}`);
 */
export class FraudMonitor {
  readonly #windowMs: number;
  readonly #bucketMs: number;
  readonly #metrics: readonly FraudMetric[];
  readonly #now: () => number;
  readonly #buckets = new Map<number, FraudCounts>();

  /**
   * @throws TypeError for an option of the wrong kind or a name that is not known.
   * @throws RangeError for times out of bounds, and for a threshold on the wrong side of its target.
   */
  constructor(options: FraudMonitorOptions = {}) {
    const { windowMs, bucketMs, metrics, now } = checkMonitorOptions(options);
    this.#windowMs = windowMs;
    this.#bucketMs = bucketMs;
    this.#metrics = metrics;
    this.#now = now;
  }

  /**
   * Counts a transaction. An address or security-code check counts where it compared something, whether or not the
   * transaction was approved; an address matches where all that was compared does.
   *
   * @param at When; a `Date` or milliseconds since 1970. Default: now.
   */
  recordTransaction({ approved, avs, cvv, risk }: MonitoredTransaction, at?: Date | number): void {
    const compared = [avs?.street, avs?.zip].filter((part) => part !== undefined);
    const isScored = risk?.score !== undefined;
    this.#add(at, {
      transactions: approved ? 1 : 0,
      avsChecked: compared.length > 0 ? 1 : 0,
      avsMatched: compared.length > 0 && compared.every(Boolean) ? 1 : 0,
      cvvChecked: cvv?.matched === undefined ? 0 : 1,
      cvvMatched: cvv?.matched === true ? 1 : 0,
      scored: isScored ? 1 : 0,
      scoreSum: isScored ? risk.score : 0,
    });
  }

  /**
   * Counts an authentication. One whose challenge is not finished is not counted yet; one that was not available is no
   * success.
   *
   * @param at When; a `Date` or milliseconds since 1970. Default: now.
   */
  recordThreeDSecure(outcome: ThreeDSecureOutcome, at?: Date | number): void {
    const finding = readThreeDSecure(outcome);
    if (finding === 'unfinished') return;
    this.#add(at, { authentications: 1, authenticated: finding === 'authenticated' ? 1 : 0 });
  }

  /**
   * Counts a chargeback, and as fraud too where its reason is one.
   *
   * @param at When it came in; a `Date` or milliseconds since 1970. Default: now.
   */
  recordChargeback({ reason_code = '', countsAsFraud }: MonitoredChargeback = {}, at?: Date | number): void {
    const isFraud = countsAsFraud ?? readChargebackReason(reason_code).category === 'fraud';
    this.#add(at, { chargebacks: 1, frauds: isFraud ? 1 : 0 });
  }

  /**
   * Counts a transaction that was found to be fraud by other means than a chargeback.
   *
   * @param at When it was reported; a `Date` or milliseconds since 1970. Default: now.
   */
  recordFraud(at?: Date | number): void {
    this.#add(at, { frauds: 1 });
  }

  /** The figures over the window, in the order of the interface. */
  report(): FraudMetricReport[] {
    this.#prune();
    const counts = [...this.#buckets.values()].reduce(addCounts, noCounts);
    return this.#metrics.map((metric) => reportMetric(metric, counts));
  }

  /** What was counted within the window, as plain JSON for a store or another process. */
  state(): FraudMonitorState {
    this.#prune();
    const [windowMs, bucketMs] = [this.#windowMs, this.#bucketMs];
    return { version: 1, windowMs, bucketMs, buckets: toBuckets(this.#buckets) };
  }

  /**
   * Adds what another monitor has counted. In whichever order monitors are merged, the report is the same. A state that
   * is merged twice counts twice: to watch several processes, merge the latest state of each into a new monitor.
   *
   * @throws TypeError for a value that is no state. Nothing is added then.
   * @throws RangeError for a state of another window or other buckets. Nothing is added then.
   */
  merge(state: FraudMonitorState): void {
    const checked = checkState('state', state);
    refuseOtherTimes('state', checked, { windowMs: this.#windowMs, bucketMs: this.#bucketMs });
    for (const { start, ...counts } of checked.buckets) this.#add(start, counts);
  }

  #add(at: unknown, counts: Partial<FraudCounts>): void {
    const now = this.#now();
    const start = this.#startOf(Math.min(readTime(at, now), now));
    if (start < this.#firstStart(now)) return;
    if (!this.#buckets.has(start)) this.#prune();
    this.#buckets.set(start, addCounts(this.#buckets.get(start) ?? noCounts, counts));
  }

  #startOf(time: number): number {
    return Math.floor(time / this.#bucketMs) * this.#bucketMs;
  }

  /** Where the oldest bucket begins that still counts. */
  #firstStart(now: number): number {
    return this.#startOf(now) - this.#windowMs + this.#bucketMs;
  }

  #prune(): void {
    const first = this.#firstStart(this.#now());
    for (const start of this.#buckets.keys()) if (start < first) this.#buckets.delete(start);
  }
}

function readTime(at: unknown, now: number): number {
  if (at === undefined) return now;
  const time = at instanceof Date ? at.getTime() : at;
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  return refuseType('at', 'a date or milliseconds since 1970', at);
}
