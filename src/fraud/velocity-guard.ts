import { isRecord } from '../base/json.ts';
import { functionOf, having, optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { MemoryVelocity } from '../stores/memory-velocity.ts';
import type { VelocityStore, VelocityTotals } from '../stores/velocity-store.ts';
import { clockOf } from './clock.ts';
import { type KeyedHash, keyedHash } from './keyed-hash.ts';
import { checkShape, refuseType } from './refuse.ts';
import { type AppliedRule, applyRules, type VelocityAttempt } from './velocity-attempt.ts';
import { type CheckedRule, checkRules, typicalVelocityRules, type VelocityRule } from './velocity-rules.ts';
import { reasonOf, type VelocityTicket, type VelocityVerdict, verdictOf } from './velocity-verdict.ts';

/** Options of a velocity guard. */
export interface VelocityGuardOptions {
  /**
   * The key of the hashes that cards and addresses are stored as: at least 16 bytes, random, and the same in every
   * process that shares the store. With another one counting starts anew.
   */
  readonly secret: string | Uint8Array;
  /** The limits. Default: `typicalVelocityRules()`. */
  readonly rules?: readonly VelocityRule[] | undefined;
  /** Counts the attempts: any store of `payments-client/stores`. Default: the memory of this guard, for one process. */
  readonly store?: VelocityStore | undefined;
  /** The present time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const optionsSchema = optionsOf<VelocityGuardOptions>({
  // Both are checked where they are read.
  secret: unchecked(),
  rules: unchecked(),
  store: s.optional(
    having<VelocityStore>('a store with countAttempts and removeAttempts', 'countAttempts', 'removeAttempts'),
  ),
  now: s.optional(functionOf<() => number>()),
});

/**
 * What became of an attempt. `not_sent`: it was not made after all. `unknown`: nobody knows, as after a time-out; it
 * keeps counting as a transaction, as a failure, and with its amount.
 */
export type VelocityOutcome = 'approved' | 'declined' | 'not_sent' | 'unknown';

/**
 * Limits how often and how much is paid per card, per IP address, or per anything, before a payment is sent. It mirrors
 * the velocity rules of the merchant control panel (*shown*) on your side, where a blocked attempt costs nothing.
 *
 * `check` counts the attempt and judges it in one step, so that of many at once none slips through; `record` then says
 * what became of it. Blocked attempts are not counted, so that trying again does not prolong a block.
 *
 * @example
 * const guard = new VelocityGuard({ secret, rules: typicalVelocityRules({ dailyAmountPerCard: '500.00' }) });
 * const { decision, ticket } = await guard.check({ card: { token: fingerprint }, ip, amount: '12.00' });
 * if (decision === 'block') return refuse();
 * const result = await payments.transact.sale(params);
 * await guard.record(ticket, result.approved ? 'approved' : 'declined');
 */
export class VelocityGuard {
  readonly #hash: KeyedHash;
  readonly #rules: readonly CheckedRule[];
  readonly #store: VelocityStore;
  readonly #now: () => number;

  /**
   * @throws TypeError for an option of the wrong kind or a name that is not known.
   * @throws RangeError for a secret that is too short, or a number out of bounds.
   */
  constructor(options: VelocityGuardOptions) {
    checkShape('VelocityGuard', optionsSchema, options);
    const { secret, rules = typicalVelocityRules(), store = new MemoryVelocity(), now } = options;
    this.#hash = keyedHash('VelocityGuard.secret', secret);
    this.#rules = checkRules('VelocityGuard.rules', rules);
    this.#store = store;
    this.#now = clockOf('VelocityGuard.now', now);
  }

  /**
   * Counts an attempt and says whether it may go on. When the store fails, so does this call: you decide whether to go
   * on without a limit.
   *
   * @throws TypeError for an attempt with a value of the wrong kind; nothing is counted then, and the value is not
   *   repeated.
   */
  async check(attempt: VelocityAttempt): Promise<VelocityVerdict> {
    if (!isRecord(attempt)) return refuseType('attempt', 'an object', attempt);
    const applied = await applyRules(this.#rules, attempt, this.#now(), this.#hash);
    const totals = await this.#store.countAttempts(applied.map(({ entry }) => entry));
    const judged = applied.map((each, index) => ({ ...each, total: totalAt(totals, index) }));
    const reasons = judged.flatMap(({ rule, entry, total }) => reasonOf(rule, total, entry.amount) ?? []);
    const verdict = verdictOf(reasons);
    const isBlocked = verdict.decision === 'block';
    if (isBlocked) await this.#takeBack(judged);
    const used = new Set(applied.map(({ rule }) => rule));
    return {
      ...verdict,
      skipped: this.#rules.filter((rule) => !used.has(rule)).map(({ name }) => name),
      ticket: ticketOf(isBlocked ? [] : applied),
    };
  }

  /**
   * Says what became of an attempt: an approved one is no failure, the amount of a declined one is not counted, and one
   * that was not sent counts nowhere. Doing it twice does no harm. An attempt whose outcome never comes stays as one of
   * `unknown` outcome.
   *
   * @throws TypeError for an outcome that is not known, or a ticket that is none.
   */
  async record(ticket: VelocityTicket, outcome: VelocityOutcome): Promise<void> {
    const isTicket = isRecord(ticket) && Array.isArray(ticket.entries);
    if (!isTicket) return refuseType('ticket', 'a ticket of check', ticket);
    const undone = Object.hasOwn(undoneBy, outcome) ? undoneBy[outcome] : undefined;
    if (undone === undefined) {
      return refuseType('outcome', "'approved', 'declined', 'not_sent' or 'unknown'", outcome);
    }
    const references = ticket.entries
      .filter(({ counts }) => undone.includes(counts))
      .map(({ key }) => ({ key, id: ticket.id }));
    if (references.length > 0) await this.#store.removeAttempts(references);
  }

  /** What this check added, and no other one of the same id. */
  async #takeBack(judged: readonly (AppliedRule & { total: VelocityTotals })[]): Promise<void> {
    const added = judged.filter(({ total }) => total.added);
    await this.#store.removeAttempts(added.map(({ entry: { key, id } }) => ({ key, id })));
  }
}

/** What each outcome takes back of what `check` counted. */
const undoneBy: Readonly<Record<VelocityOutcome, readonly VelocityRule['counts'][]>> = {
  approved: ['failures'],
  declined: ['amount'],
  not_sent: ['attempts', 'failures', 'amount'],
  unknown: [],
};

function totalAt(totals: readonly VelocityTotals[], index: number): VelocityTotals {
  return totals[index] ?? refuseType('store.countAttempts()', 'totals for each entry', totals);
}

function ticketOf(applied: readonly AppliedRule[]): VelocityTicket {
  return {
    id: applied[0]?.entry.id ?? '',
    entries: applied.map(({ rule, entry }) => ({ key: entry.key, counts: rule.counts })),
  };
}
