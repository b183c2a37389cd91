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
   * The key of the hashes that cards and addresses are stored as: at least 16 bytes, random, and the same in every
   * process that shares the store. With another one counting starts anew.
   */
  readonly secret: string | Uint8Array;
  /** The limits. Default: `typicalVelocityRules()`. */
  readonly rules?: readonly VelocityRule[] | undefined;
  /** Counts the attempts, by its own clock: any store of `payments-client/stores`. Default: the memory of this guard, for one process. */
  readonly store?: VelocityStore | undefined;
  /** Attempts that are blocked without being counted. It wins over `allow` and the rules. Default: none. */
  readonly deny?: VelocityList | undefined;
  /** Attempts that no rule is applied to, and that are not counted. Default: none. */
  readonly allow?: VelocityList | undefined;
}

const optionsSchema = optionsOf<VelocityGuardOptions>({
  // These are checked where they are read, but the store.
  secret: unchecked(),
  rules: unchecked(),
  store: s.optional(
    having<VelocityStore>('a store with countAttempt and takeBackAttempt', 'countAttempt', 'takeBackAttempt'),
  ),
  deny: unchecked(),
  allow: unchecked(),
});

/**
 * Limits how often and how much is paid per card, per IP address, or per anything, before a payment is sent. It mirrors
 * the velocity rules of the merchant control panel (*shown*) on your side, where a blocked attempt costs nothing.
 *
 * `check` judges the attempt by all rules and counts it in one step of the store, so that of many at once none slips through; `record` then
 * says what became of it. A blocked attempt is counted by no rule: trying again does not prolong a block, and does not use up the limits of
 * others at the same address.
 *
 * @example
 * const guard = new VelocityGuard({ secret, rules: typicalVelocityRules({ dailyAmountPerCard: '500.00' }) });
 * const { decision, ticket } = await guard.check({ card: { token: fingerprint }, ip, amount: '12.00' });
 * if (decision === 'block') return refuse();
 * const result = await payments.transact.sale(params);
 * await guard.record(ticket, result.approved ? 'approved' : 'declined');
 */
export class VelocityGuard {
  readonly #limits: VelocityLimits;
  readonly #deny: ListMatcher;
  readonly #allow: ListMatcher;

  /**
   * @throws TypeError for an option of the wrong kind or a name that is not known.
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
   * Says whether an attempt may go on, and counts it if so. When the store or a list fails, so does this call: you decide whether to go on
   * without a limit.
   *
   * A call whose answer was lost can be repeated with the same `id`.
   *
   * @throws TypeError for an attempt with a value of the wrong kind; nothing is counted then, and the value is not
   *   repeated.
   */
  async check(attempt: VelocityAttempt): Promise<VelocityVerdict> {
    if (!isRecord(attempt)) return refuseType('attempt', 'an object', attempt);
    if (await this.#deny(attempt)) return this.#listed('deny', 'block');
    if (await this.#allow(attempt)) return this.#listed('allow', 'allow');
    return checkAttempt(this.#limits, attempt);
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
    await recordOutcome(this.#limits.store, ticket, outcome);
  }

  #listed(listed: 'allow' | 'deny', decision: 'allow' | 'block'): VelocityVerdict {
    const skipped = this.#limits.rules.map(({ name }) => name);
    const ticket = { id: '', entries: [] };
    return { decision, listed, reasons: [], shadow: [], retryAt: undefined, skipped, ticket };
  }
}
