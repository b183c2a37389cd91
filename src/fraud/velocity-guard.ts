import { isRecord } from '../base/json.ts';
import { having, optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { MemoryVelocity } from '../stores/memory-velocity.ts';
import type { VelocityStore } from '../stores/velocity-store.ts';
import { keyedHash } from './keyed-hash.ts';
import { checkShape, refuseType } from './refuse.ts';
import type { VelocityAttempt } from './velocity-attempt.ts';
import { checkAttempt, recordOutcome, type VelocityLimits, type VelocityOutcome } from './velocity-check.ts';
import { type ListMatcher, listMatcher, type VelocityList } from './velocity-lists.ts';
import { checkRules, typicalVelocityRules, type VelocityRule } from './velocity-rules.ts';
import type { VelocityTicket, VelocityVerdict } from './velocity-verdict.ts';

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
   * Counts the attempts, by its own clock: any store of `payments-client/stores`. Default: the memory of this guard,
   * for one process.
   */
  readonly store?: VelocityStore | undefined;
  /** Attempts to block without counting them. Takes precedence over `allow` and the rules. Default: none. */
  readonly deny?: VelocityList | undefined;
  /** Attempts that are exempt from the rules and not counted. Default: none. */
  readonly allow?: VelocityList | undefined;
}

const optionsSchema = optionsOf<VelocityGuardOptions>({
  // All but the store are checked where they are read.
  secret: unchecked(),
  rules: unchecked(),
  store: s.optional(
    having<VelocityStore>('a store with countAttempt and takeBackAttempt', 'countAttempt', 'takeBackAttempt'),
  ),
  deny: unchecked(),
  allow: unchecked(),
});

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
 * const guard = new VelocityGuard({ secret, rules: typicalVelocityRules({ dailyAmountPerCard: '500.00' }) });
 * const { decision, ticket } = await guard.check({ card: { token: fingerprint }, ip, amount: '12.00' });
 * if (decision === 'block') return refuse();
 * const result = await payments.transact.sale(sale);
 * await guard.record(ticket, result.approved ? 'approved' : 'declined');
 */
export class VelocityGuard {
  readonly #limits: VelocityLimits;
  readonly #deny: ListMatcher;
  readonly #allow: ListMatcher;

  /**
   * @throws TypeError for an option of the wrong kind or an unknown name.
   * @throws RangeError for a secret that is too short, or a number out of bounds.
   */
  constructor(options: VelocityGuardOptions) {
    checkShape('VelocityGuard', optionsSchema, options);
    const {
      secret,
      rules = typicalVelocityRules(),
      store = new MemoryVelocity(),
      deny = [],
      allow = [],
    } = options;
    const hash = keyedHash('VelocityGuard.secret', secret);
    this.#limits = { hash, rules: checkRules('VelocityGuard.rules', rules), store };
    this.#deny = listMatcher('VelocityGuard.deny', deny);
    this.#allow = listMatcher('VelocityGuard.allow', allow);
  }

  /**
   * Returns whether an attempt may proceed, and counts it if so. Rejects when the store or a list fails: you decide whether
   * to proceed without a limit.
   *
   * If the result of a call was lost, repeat the call with the same `id`.
   *
   * @throws TypeError for an attempt with a value of the wrong kind; nothing is counted then, and the value is not quoted.
   */
  async check(attempt: VelocityAttempt): Promise<VelocityVerdict> {
    if (!isRecord(attempt)) return refuseType('attempt', 'an object', attempt);
    if (await this.#deny(attempt)) return this.#listed('deny', 'block');
    if (await this.#allow(attempt)) return this.#listed('allow', 'allow');
    return checkAttempt(this.#limits, attempt);
  }

  /**
   * Records the outcome of an attempt. An approved attempt does not count as a failure. The amount of a declined attempt is
   * not counted. An attempt that was not sent is not counted at all. Idempotent. An attempt without a recorded outcome
   * counts as `unknown`.
   *
   * @throws TypeError for an unknown outcome or an invalid ticket.
   */
  async record(ticket: VelocityTicket, outcome: VelocityOutcome): Promise<void> {
    const isTicket = isRecord(ticket) && Array.isArray(ticket.entries);
    if (!isTicket) return refuseType('ticket', 'a ticket of check', ticket);
    await recordOutcome(this.#limits.store, ticket, outcome);
  }

  #listed(listed: 'allow' | 'deny', decision: 'allow' | 'block'): VelocityVerdict {
    const skipped = this.#limits.rules.map(({ name }) => name);
    const ticket = { id: '', entries: [] };
    return { decision, listed, reasons: [], shadow: [], retryAt: undefined, skipped, ticket };
  }
}
