/** The notes of the callers, and the invariants over them. */

import { expect } from 'vitest';
import type { Entry, Failed } from './journal.ts';

/** The result of one operation, by all its callers. */
export interface OperationRecord {
  readonly answers: readonly unknown[];
  readonly failures: readonly Failed[];
}

/** Groups the entries by operation. */
export function recordsOf(entries: readonly Entry[]): ReadonlyMap<string, OperationRecord> {
  const stories = new Map<string, { answers: unknown[]; failures: Failed[] }>();
  for (const entry of entries) {
    const story = stories.get(entry.operation) ?? { answers: [], failures: [] };
    stories.set(entry.operation, story);
    if (entry.kind === 'answered') story.answers.push(entry.answer);
    if (entry.kind === 'failed') story.failures.push(entry);
  }
  return stories;
}

/** An operation that was called once: its reported outcome must be true. */
export function expectTruth(
  operation: string,
  { answers, failures }: OperationRecord,
  effects: readonly unknown[],
): void {
  expect(effects.length, `${operation} took effect more than once`).toBeLessThan(2);
  for (const { name, code, outcome } of failures) {
    const reportedOutcome = `${operation} failed with ${name} ${code}, ${outcome}`;
    if (outcome === 'not_executed') expect(effects, reportedOutcome).toHaveLength(0);
    if (outcome === 'executed') expect(effects, reportedOutcome).toHaveLength(1);
  }
  if (answers.length > 0) expect(effects, `${operation} has an answer`).toHaveLength(1);
}

/** Counts equal items. */
export function tally(items: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of [...items].sort()) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}

/** Counts failures by outcome and cause. */
export function tallyFailures(entries: readonly Entry[]): Record<string, number> {
  const failures = entries.filter((entry) => entry.kind === 'failed');
  return tally(failures.map(({ outcome, name, code }) => `${outcome}: ${name} ${code ?? ''}`.trim()));
}

/** Prints counts on one line. */
export function report(title: string, counts: Readonly<Record<string, number>>): void {
  const all = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`${title}: ${all.join(', ')}\n`);
}
