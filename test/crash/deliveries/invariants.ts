/**
 * The invariants over the records of the processes, the service and the merchant's table. Each names the events that
 * violate it.
 */

import { expect } from 'vitest';
import type { MerchantData } from './merchant.ts';
import type { Note, Reported } from './notes.ts';
import { isReadable, isUnreadable, type PlannedEvent } from './plan.ts';
import type { Lifetime } from './process-pool.ts';
import type { DeliveryResponse } from './service.ts';

/** The log of one lifetime of a process. */
interface ProcessLog {
  readonly lifetime: Lifetime;
  readonly notes: readonly Note[];
}

/** All records at the end of the test. */
export interface FinalRecords {
  readonly events: readonly PlannedEvent[];
  readonly responses: readonly DeliveryResponse[];
  readonly logs: readonly ProcessLog[];
  readonly data: MerchantData;
  readonly lease: number;
}

const isReport = (note: Note): note is Reported => note.what === 'reported';
/**
 * Whether a report belongs to a handler run: it has the claim and an event. In a transaction there is no claim before
 * the handler.
 */
const isOfRun = ({ name, attempt }: Reported) => name !== undefined && attempt !== undefined;

function countsOf<T>(items: Iterable<T>): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Expects an empty list, and names its first entries. */
function expectNone(what: string, failing: readonly string[]): void {
  expect(failing, `${what}: ${failing.slice(0, 10).join('; ')}`).toEqual([]);
}

/** Expects a condition for each item, and names the failing ones. */
function expectAll<T>(
  items: Iterable<T>,
  what: string,
  holds: (item: T) => boolean,
  textOf: (item: T) => string,
): void {
  expectNone(what, [...items].filter((item) => !holds(item)).map(textOf));
}

const named = ({ name }: PlannedEvent) => name;

/** Each authentic event took effect, exactly once in a transaction; no other delivery had an effect. */
export function expectEffects({ events, data }: FinalRecords): void {
  const effects = countsOf(data.effects);
  const readable = events.filter(isReadable);
  const names = new Set(readable.map(named));
  expectAll(readable, 'lost', ({ name }) => effects.has(name), named);
  const transactional = readable.filter(({ mode }) => mode !== 'leased');
  expectAll(transactional, 'not exactly once', ({ name }) => effects.get(name) === 1, named);
  expectAll(effects.keys(), 'has an unexpected effect', (name) => names.has(name), String);
}

/** Each authentic delivery without an event for a handler is kept, and no forged delivery is. */
export function expectKept({ events, data }: FinalRecords): void {
  const kept = new Set(data.unreadable);
  const unreadable = events.filter(isUnreadable);
  const textOf = ({ mode, body }: PlannedEvent) => `${mode} ${body}`;
  expectAll(unreadable, 'unreadable, and not kept', (event) => kept.has(textOf(event)), named);
  const expected = new Set(unreadable.map(textOf));
  expectAll(kept, 'kept unexpectedly', (text) => expected.has(text), String);
}

/** The responses to each kind of event are among the allowed ones. */
export function expectResponses({ responses }: FinalRecords): void {
  const possible = {
    good: /^(200 (handled|duplicate)|409 in_progress|50[03] failed)$/,
    drifted: /^(200 (handled|duplicate)|409 in_progress|50[03] failed)$/,
    ignored: /^200 handled$/,
    noEvent: /^(409 in_progress|50[03] failed)$/,
    otherMode: /^(409 in_progress|50[03] failed)$/,
    forged: /^400 refused$/,
  };
  const outcomes = responses.filter(({ what }) => what !== undefined);
  const isPossible = ({ event, what = '' }: DeliveryResponse) => possible[event.kind].test(what);
  expectAll(outcomes, 'a wrong response', isPossible, ({ event, what }) => `${event.name} ${what}`);
}

/**
 * The metrics of each process match the responses that the service got, unless the process was killed or the service
 * timed out.
 */
export function expectCounted({ responses, logs }: FinalRecords): void {
  const byLifetime = Map.groupBy(responses, ({ lifetime }) => lifetime);
  for (const { lifetime, notes } of logs) {
    const reports = notes.filter(isReport);
    const received = byLifetime.get(lifetime) ?? [];
    const outcomes = received.flatMap(({ what }) => what ?? []);
    const counted = countsOf(reports.map(({ status, outcome }) => `${status} ${outcome}`));
    const uncounted = [...countsOf(outcomes)].filter(([what, times]) => (counted.get(what) ?? 0) < times);
    expectNone(
      'received more often than counted',
      uncounted.map(([what]) => what),
    );
    const broken = received.length - outcomes.length;
    expect(reports.length - outcomes.length, 'counted, but not received').toBeLessThanOrEqual(broken);
  }
}

/** Each report is correct: whether the delivery was verified, and whether its event differs from the interface. */
export function expectCorrectReports({ events, logs }: FinalRecords): void {
  const kinds = new Map(events.map(({ name, kind }) => [name, kind]));
  const reports = logs.flatMap(({ notes }) => notes.filter(isReport));
  const holds = ({ name, outcome, verified, issues }: Reported) => {
    if (name === undefined) return verified ? issues > 0 : outcome === 'refused' || outcome === 'failed';
    return verified && issues > 0 === (kinds.get(name) === 'drifted');
  };
  expectAll(reports, 'an incorrect report', holds, (report) => JSON.stringify(report));
}

/** Each handler run has one report. A killed process may not have reported its last runs. */
export function expectRunsCounted({ logs }: FinalRecords): void {
  for (const { lifetime, notes } of logs) {
    const reports = notes.filter(isReport);
    const began = countsOf(notes.filter(({ what }) => what === 'began').map(({ name }) => name));
    const ended = countsOf(reports.filter(isOfRun).map(({ name }) => name));
    // A failed transaction has no attempt, so it is unknown whether its handler ran.
    const unsure = countsOf(
      reports.filter((note) => note.outcome === 'failed' && !isOfRun(note)).map(({ name }) => name),
    );
    const isCounted = (name: string | undefined) => {
      const [runs, reported] = [began.get(name) ?? 0, ended.get(name) ?? 0];
      if (lifetime.isKilled) return reported <= runs;
      const more = name?.startsWith('transaction/') === true ? (unsure.get(name) ?? 0) : 0;
      return reported <= runs && runs <= reported + more;
    };
    expectAll(new Set([...began.keys(), ...ended.keys()]), 'runs are not counted', isCounted, String);
  }
}

/** One handler run. */
interface Run {
  readonly began: number;
  /** Infinite if its process was killed. */
  readonly ended: number;
}

function runsOf({ notes }: ProcessLog): Map<string, Run[]> {
  const runs = new Map<string, Run[]>();
  for (const [name, own] of Map.groupBy(notes, (note) => note.name ?? '')) {
    const times = (what: string) => own.filter((note) => note.what === what).map(({ at }) => at);
    const ends = times('ended');
    runs.set(
      name,
      times('began').map((began, index) => ({ began, ended: ends[index] ?? Number.POSITIVE_INFINITY })),
    );
  }
  return runs;
}

/** The notes of all lifetimes about an event, in order of time. */
function timelineOf(name: string, logs: readonly ProcessLog[]): string {
  const notes = logs.flatMap((log, lifetime) =>
    log.notes.flatMap((note) => (note.name === name ? { ...note, lifetime } : [])),
  );
  const [first] = notes.sort((one, other) => one.at - other.at);
  return notes
    .map(
      (note) =>
        `${note.at - (first?.at ?? 0)} ${note.lifetime} ${isReport(note) ? `${note.outcome} ${note.attempt}` : note.what}`,
    )
    .join(', ');
}

/**
 * The metrics show an event as handled once: no run starts after one that was reported as handled, and none starts
 * within the lease of a run that has not ended. Half of a lease may have passed when its handler starts, so a quarter
 * of a lease counts. A transaction with `completeIn` may start after the lease expired, because it then rolls back.
 */
export function expectOneAtATime({ events, logs, lease }: FinalRecords): void {
  const all = logs.map(runsOf);
  const reports = Map.groupBy(
    logs.flatMap(({ notes }) => notes.filter(isReport)),
    ({ name }) => name,
  );
  const overlapping: { readonly name: string; readonly text: string }[] = [];
  const report = (name: string, text: string) => overlapping.push({ name, text: `${name} ${text}` });
  for (const { name, mode } of events.filter(isReadable)) {
    const handled = (reports.get(name) ?? []).filter(({ outcome }) => outcome === 'handled');
    if (handled.length > 1) report(name, `was handled ${handled.length} times`);
    const runs = all
      .flatMap((ofLifetime) => ofLifetime.get(name) ?? [])
      .sort((one, other) => one.began - other.began);
    if (mode === 'completeIn') continue;
    const last = runs.at(-1);
    if (last && handled.some(({ at }) => at < last.began)) report(name, 'was handled before a run');
    for (const [index, { began }] of runs.entries()) {
      const before = runs[index - 1];
      if (before === undefined || before.ended <= began) continue;
      // If its process was killed, the database ended its transaction.
      const isFree =
        mode === 'transaction'
          ? before.ended === Number.POSITIVE_INFINITY
          : began - before.began >= lease / 4;
      if (!isFree) report(name, `ran ${began - before.began} ms after another run`);
    }
  }
  const timelines = overlapping.map(({ name, text }) => `${text}: ${timelineOf(name, logs)}`);
  expectNone('not one at a time', timelines);
}

/** An event without a report of `handled` had a delivery that was cut off or failed. */
export function expectExplained({ events, logs }: FinalRecords): void {
  const reports = Map.groupBy(
    logs.flatMap(({ notes }) => notes.filter(isReport)),
    ({ name }) => name,
  );
  const cutOff = new Set(
    logs.filter(({ lifetime }) => lifetime.isKilled).flatMap(({ notes }) => notes.map(({ name }) => name)),
  );
  const isExplained = ({ name }: PlannedEvent) => {
    const outcomes = new Set((reports.get(name) ?? []).map(({ outcome }) => outcome));
    return outcomes.has('handled') || outcomes.has('failed') || cutOff.has(name);
  };
  expectAll(events.filter(isReadable), 'without a report', isExplained, named);
}
