import type { VelocityEntry } from '../stores/velocity-store.ts';
import { parseDecimal } from './decimal.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { type CheckedRule, parseCurrency } from './velocity-rules.ts';
import { subjectOf, type VelocitySubjects } from './velocity-subject.ts';

/** A payment that is about to be made. */
export interface VelocityAttempt extends VelocitySubjects {
  /**
   * Your id of this one attempt. With an id that is still counted an attempt is not counted again, so that a repeated
   * request uses up nothing; so it must not be the id of an order that is tried with several cards or security codes.
   * Default: a random one.
   */
  readonly id?: string | undefined;
  /**
   * How much, a decimal string such as `12.00`; without it rules about amounts are skipped. It is compared with the limits as it
   * stands: where sales have `formAmounts: 'integer'`, give whole minor units here and in the limits.
   */
  readonly amount?: string | undefined;
  /** The currency of `amount`, three letters in either case. Default: none, which is a currency of its own. */
  readonly currency?: string | undefined;
}

/** A rule, and what it counts of an attempt. */
export interface AppliedRule {
  readonly rule: CheckedRule;
  readonly entry: VelocityEntry;
}

interface Counted {
  readonly rule: CheckedRule;
  /** What the rule groups by. */
  readonly subject: string;
  /** In ten-thousandths; 1 where the rule counts attempts. */
  readonly amount: bigint;
  /** In upper case; empty where there is none, and where the rule counts attempts. */
  readonly currency: string;
}

/**
 * The rules that an attempt can be judged by, and what each counts of it.
 *
 * @throws TypeError for an attempt with a value of the wrong kind.
 */
export function applyRules(
  rules: readonly CheckedRule[],
  attempt: VelocityAttempt,
  hash: KeyedHash,
): AppliedRule[] {
  return countedBy(rules, attempt).map(({ rule, subject, amount, currency }) => {
    const { name, per, limit, windowMs, action, shadow } = rule;
    const key = [name, hash(`${per} ${subject}`), currency].join(':');
    return { rule, entry: { key, amount, limit, windowMs, blocks: action === 'block' && !shadow } };
  });
}

function countedBy(rules: readonly CheckedRule[], attempt: VelocityAttempt): Counted[] {
  const amount = attempt.amount === undefined ? undefined : parseDecimal('attempt.amount', attempt.amount);
  const currency = attempt.currency === undefined ? '' : parseCurrency('attempt.currency', attempt.currency);
  return rules.flatMap((rule): Counted[] => {
    const subject = subjectOf(rule.per, attempt);
    if (subject === undefined) return [];
    if (rule.counts !== 'amount') return [{ rule, subject, amount: 1n, currency: '' }];
    if (amount === undefined || (rule.currency ?? currency) !== currency) return [];
    return [{ rule, subject, amount, currency }];
  });
}
