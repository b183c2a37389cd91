import { refuseValue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { checkOptions, having, optionsOf, unchecked } from '../../base/schema/options.ts';
import type { Store } from '../../stores/store.ts';
import { applyRules, nameOf } from './attempt.ts';
import { type KeyedHash, keyedHash } from './keyed-hash.ts';
import { type CheckedRule, checkRules, typicalVelocityRules, type VelocityRule } from './rules.ts';
import type { VelocityAttempt } from './subject.ts';
import { reasonOf, type VelocityVerdict, verdictOf } from './verdict.ts';

/** Options of a velocity guard. */
export interface VelocityGuardOptions {
  /**
   * The key for hashing cards and addresses: at least 16 bytes, random, and the same in every process that shares the
   * store. Another key restarts the counts.
   */
  readonly secret: string | Uint8Array;
  /** The limits. Default: `typicalVelocityRules()`. */
  readonly rules?: readonly VelocityRule[] | undefined;
  /**
   * Counts the attempts, by its own clock: any store of `payments-client/stores`. Processes that do not share it have a limit
   * each, so `memoryStore()` is for one process.
   */
  readonly store: Pick<Store, 'check'>;
}

const optionsSchema = /* @__PURE__ */ optionsOf<VelocityGuardOptions>(() => ({
  // All but the store are checked where they are read.
  secret: unchecked(),
  rules: unchecked(),
  store: having<Pick<Store, 'check'>>(
    'a store that all processes share, or memoryStore() for one process',
    'check',
  ),
}));

/**
 * The outcome of a payment attempt. `not_sent`: the payment was not sent. `unknown`: the result is not known, for example
 * after a timeout; the attempt still counts as a transaction, as a failure, and with its amount.
 */
export type VelocityOutcome = 'approved' | 'declined' | 'not_sent' | 'unknown';

const storeAdvice = 'Correct the store: a blocked attempt would pass without its totals.';
const ticketAdvice = 'Pass the ticket of the verdict: nothing was recorded.';

/** The counts that each outcome takes back. */
const undoneBy: Readonly<Record<VelocityOutcome, readonly VelocityRule['counts'][]>> = {
  approved: ['failures'],
  declined: ['amount'],
  not_sent: ['attempts', 'failures', 'amount'],
  unknown: [],
};

/**
 * Limits payments by number and amount per card, per IP address, or per any other subject, before a payment is sent. It
 * works like the velocity rules of the merchant control panel (*shown*), but in your program, where a blocked attempt costs
 * nothing.
 *
 * `check` evaluates all rules and counts the attempt atomically, so concurrent attempts cannot bypass a limit. `record` then
 * reports the outcome. No rule counts a blocked attempt: trying again does not prolong a block, and does not use up the
 * limits of other buyers at the same address.
 *
 * @example
 * const guard = new VelocityGuard({ secret, store, rules: typicalVelocityRules({ dailyAmountPerCard: '500.00' }) });
 * const { decision, ticket } = await guard.check({ card: { token: fingerprint }, ip, amount: '12.00' });
 * if (decision === 'block') return refuse();
 * const result = await payments.transact.sale(sale);
 * await guard.record(ticket, result.approved ? 'approved' : 'declined');
 */
export class VelocityGuard {
  readonly #rules: readonly CheckedRule[];
  readonly #hash: KeyedHash;
  readonly #store: Pick<Store, 'check'>;

  /** @throws ConfigurationError for a wrong or an unknown option. */
  constructor(options: VelocityGuardOptions) {
    checkOptions('VelocityGuard', optionsSchema, options);
    const { secret, rules = typicalVelocityRules(), store } = options;
    this.#hash = keyedHash('VelocityGuard.secret', secret);
    this.#rules = checkRules('VelocityGuard.rules', rules);
    this.#store = store;
  }

  /**
   * Returns whether an attempt may proceed, and counts it if so. Rejects when the store fails: you decide whether to proceed
   * without a limit.
   *
   * If the result of a call was lost, repeat the call with the same `id`: it counts once until its outcome is recorded.
   *
   * @throws ConfigurationError for an attempt with a wrong value; nothing is counted then, and the value is not quoted.
   */
  async check(attempt: VelocityAttempt): Promise<VelocityVerdict> {
    if (!isRecord(attempt)) return refuseValue('attempt', 'an object', attempt, 'Nothing was counted.');
    const applied = applyRules(this.#rules, attempt, this.#hash);
    const id = this.#hash(nameOf(attempt));
    const entries = applied.map(({ entry }) => entry);
    const totals = entries.length === 0 ? [] : await this.#store.check(id, entries);
    const judged = applied.map((each, index) => {
      const total =
        totals[index] ?? refuseValue('store.check()', 'a total for each entry', totals, storeAdvice);
      return { ...each, total };
    });
    const reasons = judged.flatMap((each) => (each.total.exceeded ? [reasonOf(each, each.total)] : []));
    const verdict = verdictOf(reasons);
    const used = new Set(applied.map(({ rule }) => rule));
    const counted = verdict.decision === 'block' ? [] : judged;
    return {
      ...verdict,
      skipped: this.#rules.filter((rule) => !used.has(rule)).map(({ name }) => name),
      ticket: {
        id: counted.length === 0 ? '' : id,
        entries: counted.map(({ rule, entry: { key, windowMs }, total: { token } }) => ({
          key,
          windowMs,
          counts: rule.counts,
          token,
        })),
      },
    };
  }

  /**
   * Records the outcome of an attempt. An approved attempt does not count as a failure. The amount of a declined attempt is
   * not counted. An attempt that was not sent is not counted at all. The first outcome but `unknown` ends the attempt: later
   * ones change nothing, and a check with its `id` is a new attempt. An attempt without a recorded outcome counts as `unknown`.
   *
   * @throws ConfigurationError for an unknown outcome or an invalid ticket.
   */
  async record(ticket: VelocityVerdict['ticket'], outcome: VelocityOutcome): Promise<void> {
    const isTicket = isRecord(ticket) && Array.isArray(ticket.entries);
    if (!isTicket) return refuseValue('ticket', 'a ticket of check', ticket, ticketAdvice);
    const undone = Object.hasOwn(undoneBy, outcome) ? undoneBy[outcome] : undefined;
    if (undone === undefined) {
      const expected = "'approved', 'declined', 'not_sent' or 'unknown'";
      return refuseValue('outcome', expected, outcome, 'The attempt counts as unknown.');
    }
    // A repeat may find its result.
    if (outcome === 'unknown' || ticket.entries.length === 0) return;
    const entries = ticket.entries.map(({ key, windowMs, counts, token }) => {
      return { key, windowMs, token, amount: 0n, limit: 0n, blocks: false, keeps: !undone.includes(counts) };
    });
    await this.#store.check(ticket.id, entries);
  }
}
