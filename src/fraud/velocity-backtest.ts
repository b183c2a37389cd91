import { isRecord } from '../base/json.ts';
import { MemoryVelocity } from '../stores/memory-velocity.ts';
import { refuseType } from './refuse.ts';
import type { VelocityAttempt } from './velocity-attempt.ts';
import { checkAttempt, recordOutcome, type VelocityOutcome } from './velocity-check.ts';
import { checkRules, type VelocityRule } from './velocity-rules.ts';

/** An attempt of the past. */
export interface RecordedAttempt extends VelocityAttempt {
  /** Your id of this one attempt, by which the result names it. */
  readonly id: string;
  /** When it was made; a `Date` or milliseconds since 1970. */
  readonly at: Date | number;
  /** What became of it. */
  readonly outcome: VelocityOutcome;
}

/** What one rule would have done. */
export interface VelocityRuleBacktest {
  /** The rule's name. */
  readonly rule: string;
  /** What it would have done with the attempts: hold them for review, or block them. */
  readonly action: VelocityRule['action'];
  /** The ids of the attempts that exceed it, in the order in which they were made. */
  readonly ids: readonly string[];
  /** How many attempts it could not be applied to. */
  readonly skipped: number;
}

interface Tally extends VelocityRuleBacktest {
  readonly ids: string[];
  skipped: number;
}

/**
 * Runs velocity rules over recorded attempts, with the code that `VelocityGuard` judges by, and reports what each rule would have done.
 * It changes nothing and needs no store. 100,000 attempts take a few seconds in which nothing else runs, so do it in a program of its own.
 *
 * Rules work together as they do in a guard: what one of them blocks, the others do not count. Give a rule alone to see it by itself. The
 * outcome of an attempt counts at once.
 *
 * @param attempts In any order; they are judged in the order of their times.
 * @returns A result for each rule, in the order of the rules.
 * @throws TypeError for a rule or an attempt with a value of the wrong kind, or a name that is not known.
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

/** The time of an attempt, in ms since 1970. */
function timeOf(path: string, attempt: RecordedAttempt): number {
  if (!isRecord(attempt)) return refuseType(path, 'an object', attempt);
  const { id, at } = attempt;
  if (typeof id !== 'string' || id === '') return refuseType(`${path}.id`, 'a non-empty string', id);
  const time = at instanceof Date ? at.getTime() : at;
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  return refuseType(`${path}.at`, 'a Date or milliseconds since 1970', at);
}
