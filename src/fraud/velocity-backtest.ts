import { isRecord } from '../base/json.ts';
import { MemoryVelocity } from '../stores/memory-velocity.ts';
import { refuseType } from './refuse.ts';
import type { VelocityAttempt } from './velocity-attempt.ts';
import { checkAttempt, recordOutcome, type VelocityOutcome } from './velocity-check.ts';
import { checkRules, type VelocityRule } from './velocity-rules.ts';

/** A past attempt. */
export interface RecordedAttempt extends VelocityAttempt {
  /** Your id of this single attempt; the result refers to it. */
  readonly id: string;
  /** When it was made; a `Date` or milliseconds since 1970. */
  readonly at: Date | number;
  /** Its outcome. */
  readonly outcome: VelocityOutcome;
}

/** The backtest of one rule. */
export interface VelocityRuleBacktest {
  /** The rule's name. */
  readonly rule: string;
  /** The rule's action for these attempts: hold them for review, or block them. */
  readonly action: VelocityRule['action'];
  /** The ids of the attempts that exceed it, in chronological order. */
  readonly ids: readonly string[];
  /** How many attempts it did not apply to. */
  readonly skipped: number;
}

interface Tally extends VelocityRuleBacktest {
  readonly ids: string[];
  skipped: number;
}

/**
 * Runs velocity rules over recorded attempts, with the code of `VelocityGuard`, and reports what each rule would have
 * done. Changes nothing and needs no store. 100,000 attempts block the event loop for a few seconds, so run it in a
 * separate program.
 *
 * Rules interact as in a guard: the other rules do not count an attempt that one rule blocks. Pass a single rule to see
 * it alone. An attempt's outcome takes effect immediately.
 *
 * @param attempts In any order; they are evaluated chronologically.
 * @returns A result for each rule, in the order of the rules.
 * @throws TypeError for a value of the wrong kind, or a rule with an unknown name.
 * @throws RangeError for a number out of bounds.
 *
 * @example
 * const [result] = await backtestVelocityRules([rule], lastMonth);
 * console.log(result?.ids.length);
 */
export async function backtestVelocityRules(
  rules: readonly VelocityRule[],
  attempts: readonly RecordedAttempt[],
): Promise<VelocityRuleBacktest[]> {
  const checked = checkRules('rules', rules);
  const results = checked.map(({ name, action }): Tally => ({ rule: name, action, ids: [], skipped: 0 }));
  let now = 0;
  const store = new MemoryVelocity(Number.POSITIVE_INFINITY, () => now);
  const limits = { rules: checked, hash: (text: string) => text, store };
  for (const { attempt, at } of inOrder(attempts)) {
    now = at;
    const { reasons, shadow, skipped, ticket } = await checkAttempt(limits, attempt);
    await recordOutcome(store, ticket, attempt.outcome);
    const exceeded = new Set([...reasons, ...shadow].map(({ rule }) => rule));
    for (const result of results) {
      if (exceeded.has(result.rule)) result.ids.push(attempt.id);
      if (skipped.includes(result.rule)) result.skipped += 1;
    }
  }
  return results;
}

interface TimedAttempt {
  readonly attempt: RecordedAttempt;
  readonly at: number;
}

function inOrder(attempts: readonly RecordedAttempt[]): TimedAttempt[] {
  if (!Array.isArray(attempts)) return refuseType('attempts', 'an array of attempts', attempts);
  const timed = attempts.map((attempt, index) => ({ attempt, at: timeOf(`attempts[${index}]`, attempt) }));
  return timed.sort((one, other) => one.at - other.at);
}

/** Returns the time of an attempt, in ms since 1970. */
function timeOf(path: string, attempt: RecordedAttempt): number {
  if (!isRecord(attempt)) return refuseType(path, 'an object', attempt);
  const { id, at } = attempt;
  if (typeof id !== 'string' || id === '') return refuseType(`${path}.id`, 'a non-empty string', id);
  const time = at instanceof Date ? at.getTime() : at;
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  return refuseType(`${path}.at`, 'a Date or milliseconds since 1970', at);
}
