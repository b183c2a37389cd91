import { refuse } from '../../base/errors.ts';
import type { Issue } from '../../base/issue.ts';
import { unknownName } from '../../base/schema/advice.ts';
import type { VelocityEntry } from '../../stores/store.ts';
import { parseDecimal } from '../decimal.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { type CheckedRule, parseCurrency } from './rules.ts';
import { cardText, subjectOf, type VelocityAttempt } from './subject.ts';

/** A rule, and what it counts of an attempt. */
export interface AppliedRule {
  readonly rule: CheckedRule;
  readonly entry: VelocityEntry;
}

interface Counted {
  readonly rule: CheckedRule;
  /** The value that the rule groups by. */
  readonly subject: string;
  /** In ten-thousandths; 1 if the rule counts attempts. */
  readonly amount: bigint;
  /** In upper case; empty if there is none, or if the rule counts attempts. */
  readonly currency: string;
}

const known = ['card', 'ip', 'subjects', 'id', 'amount', 'currency'];

/** Returns an issue for each field that no rule would read: a misspelt one would leave the rule out. */
function unreadFields(rules: readonly CheckedRule[], attempt: VelocityAttempt): Issue[] {
  const unread = Object.keys(attempt).filter((name) => !known.includes(name));
  return unread.map((name) => {
    const isSubject = rules.some(({ per }) => per === name);
    const words = isSubject
      ? { expected: `subjects: { ${name} }`, received: 'the subject beside it' }
      : unknownName(name, known);
    return { path: `attempt.${name}`, ...words };
  });
}

/**
 * Returns what tells an attempt from every other one, as text to hash. With another card or amount an id names another attempt: otherwise one
 * id would pass any number of cards, and any amount after a small one.
 *
 * @throws ConfigurationError for a wrong value.
 */
export function nameOf(attempt: VelocityAttempt): string {
  const { id = crypto.randomUUID(), card } = attempt;
  const { amount, currency } = moneyOf(attempt);
  const cardOf = card === undefined ? '' : cardText('attempt.card', card);
  return `id ${JSON.stringify([id, cardOf, String(amount ?? ''), currency])}`;
}

/** Returns the amount in ten-thousandths, and the currency in upper case. */
function moneyOf({ amount, currency }: VelocityAttempt) {
  return {
    amount: amount === undefined ? undefined : parseDecimal('attempt.amount', amount),
    currency: currency === undefined ? '' : parseCurrency('attempt.currency', currency),
  };
}

/**
 * Returns the rules that apply to an attempt, and what each counts of it.
 *
 * @throws ConfigurationError for an attempt with a wrong value, or an unknown field.
 */
export function applyRules(
  rules: readonly CheckedRule[],
  attempt: VelocityAttempt,
  hash: KeyedHash,
): AppliedRule[] {
  const issues = unreadFields(rules, attempt);
  if (issues.length > 0) refuse(issues, 'Nothing was counted.');
  const token = crypto.randomUUID();
  return countedBy(rules, attempt).map(({ rule, subject, amount, currency }) => {
    const { name, per, limit, windowMs, action } = rule;
    const key = [name, hash(`${per} ${subject}`), currency].join(':');
    return { rule, entry: { key, amount, limit, windowMs, token, blocks: action === 'block' } };
  });
}

function countedBy(rules: readonly CheckedRule[], attempt: VelocityAttempt): Counted[] {
  const { amount, currency } = moneyOf(attempt);
  return rules.flatMap((rule): Counted[] => {
    const subject = subjectOf(rule.per, attempt);
    if (subject === undefined) return [];
    if (rule.counts !== 'amount') return [{ rule, subject, amount: 1n, currency: '' }];
    if (amount === undefined || (rule.currency ?? currency) !== currency) return [];
    return [{ rule, subject, amount, currency }];
  });
}
