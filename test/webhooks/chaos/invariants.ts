/** What must be true of all that the processes, the service and the merchant's table say. Each invariant names the events that break it. */

import { expect } from 'vitest';
import { groupBy } from '../../support/group.ts';
import type { Life } from './crew.ts';
import type { Facts } from './merchant.ts';
import type { Note, Reported } from './notes.ts';
import { inboxOf, isReadable, isUnreadable, modes, type PlannedEvent } from './plan.ts';
import type { Answer } from './service.ts';

/** What one life of a process wrote down. */
interface Diary {
  /** `undefined` for the test's own process, which is neither killed nor asked by the service. */
  readonly life: Life | undefined;
  readonly notes: readonly Note[];
}

/** Everything that is known in the end. */
export interface Aftermath {
  readonly events: readonly PlannedEvent[];
  readonly answers: readonly Answer[];
  readonly diaries: readonly Diary[];
  readonly facts: Facts;
  /** The bodies in the inboxes, after their mode. */
  readonly inboxes: readonly string[];
  readonly lease: number;
}

const isReport = (note: Note): note is Reported => note.what === 'reported';
/** What a delivery came to that got the claim and has an event. Within a transaction there is no claim before the handler. */
const isOfRun = ({ name, attempt }: Reported) => name !== undefined && attempt !== undefined;

function countsOf<T>(items: Iterable<T>): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Expects that there are none, and names the first of them. */
function expectNone(what: string, failing: readonly string[]): void {
  expect(failing, `${what}: ${failing.slice(0, 10).join('; ')}`).toEqual([]);
}

/** Expects something of each, and names those that fail. */
function expectAll<T>(
  items: Iterable<T>,
  what: string,
  isTrue: (item: T) => boolean,
  textOf: (item: T) => string,
): void {
  expectNone(what, [...items].filter((item) => !isTrue(item)).map(textOf));
}

const named = ({ name }: PlannedEvent) => name;

/** Each authentic event took effect, within a transaction exactly once; nothing else had an effect. */
export function expectEffects({ events, facts }: Aftermath): void {
  const effects = countsOf(facts.effects);
  const readable = events.filter(isReadable);
  const names = new Set(readable.map(named));
  expectAll(readable, 'lost', ({ name }) => effects.has(name), named);
  const transactional = readable.filter(({ mode }) => modes[mode].isTransactional);
  expectAll(transactional, 'not exactly once', ({ name }) => effects.get(name) === 1, named);
  expectAll(effects.keys(), 'has an effect, though it must have none', (name) => names.has(name), String);
}

/** Each authentic delivery that is no event for a handler is kept, and no forged one is. */
export function expectKept({ events, facts, inboxes }: Aftermath): void {
  const kept = new Set([...facts.unreadable, ...inboxes]);
  const unreadable = events.filter(isUnreadable);
  const textOf = ({ mode, body }: PlannedEvent) => `${mode} ${body}`;
  expectAll(unreadable, 'unreadable, and not kept', (event) => kept.has(textOf(event)), named);
  const expected = new Set(unreadable.map(textOf));
  expectAll(kept, 'kept, though it must not be', (text) => expected.has(text), String);
}

/** Of each kind of event, the answers are those that it can have. */
export function expectAnswers({ answers }: Aftermath): void {
  const possible = {
    good: /^(200 (handled|accepted|duplicate)|409 in_progress|50[03] failed)$/,
    drifted: /^(200 (handled|accepted|duplicate)|409 in_progress|50[03] failed)$/,
    ignored: /^200 ignored$/,
    noEvent: /^(500 unreadable|409 in_progress|50[03] failed)$/,
    otherMode: /^(500 unreadable|409 in_progress|50[03] failed)$/,
    forged: /^400 refused$/,
  };
  const told = answers.filter(({ what }) => what !== undefined);
  const isPossible = ({ event, what = '' }: Answer) => possible[event.kind].test(what);
  expectAll(told, 'a wrong answer', isPossible, ({ event, what }) => `${event.name} ${what}`);
}

/** What the metrics of each process count is what the service was answered: all of it, unless the process was killed or the service waited no longer. */
export function expectCounted({ answers, diaries }: Aftermath): void {
  const byLife = groupBy(answers, ({ life }) => life);
  for (const { life, notes } of diaries) {
    const requests = notes.filter(isReport).filter(({ source }) => source === 'request');
    const answered = (life && byLife.get(life)) ?? [];
    const told = answered.flatMap(({ what }) => what ?? []);
    const counted = countsOf(requests.map(({ status, outcome }) => `${status} ${outcome}`));
    const uncounted = [...countsOf(told)].filter(([what, times]) => (counted.get(what) ?? 0) < times);
    expectNone(
      'answered more often than counted',
      uncounted.map(([what]) => what),
    );
    const broken = answered.length - told.length;
    expect(requests.length - told.length, 'counted, but not answered').toBeLessThanOrEqual(broken);
  }
}

/** Each report says what is so: whether the delivery was verified, and whether its event differs from the interface. */
export function expectTrueReports({ events, diaries }: Aftermath): void {
  const kinds = new Map(events.map(({ name, kind }) => [name, kind]));
  const reports = diaries.flatMap(({ notes }) => notes.filter(isReport));
  const isTrue = ({ name, outcome, verified, issues }: Reported) => {
    if (name === undefined) return verified ? issues > 0 : outcome === 'refused' || outcome === 'failed';
    return verified && issues > 0 === (kinds.get(name) === 'drifted');
  };
  expectAll(reports, 'an untrue report', isTrue, (report) => JSON.stringify(report));
}

/** Each run of a handler has one report. A killed process may not have reported its last runs. */
export function expectRunsCounted({ diaries }: Aftermath): void {
  for (const { life, notes } of diaries) {
    const reports = notes.filter(isReport);
    const began = countsOf(notes.filter(({ what }) => what === 'began').map(({ name }) => name));
    const ended = countsOf(reports.filter(isOfRun).map(({ name }) => name));
    // A transaction that failed has no attempt, so nothing says whether its handler ran.
    const unsure = countsOf(
      reports.filter((note) => note.outcome === 'failed' && !isOfRun(note)).map(({ name }) => name),
    );
    const isWhole = (name: string | undefined) => {
      const [runs, reported] = [began.get(name) ?? 0, ended.get(name) ?? 0];
      if (life?.isKilled === true) return reported <= runs;
      const more = name?.startsWith('transaction/') === true ? (unsure.get(name) ?? 0) : 0;
      return reported <= runs && runs <= reported + more;
    };
    expectAll(new Set([...began.keys(), ...ended.keys()]), 'runs are not counted', isWhole, String);
  }
}

/** One run of a handler. */
interface Run {
  readonly began: number;
  /** Infinite where its process was killed. */
  readonly ended: number;
}

function runsOf({ notes }: Diary): Map<string, Run[]> {
  const runs = new Map<string, Run[]>();
  for (const [name, own] of groupBy(notes, (note) => note.name ?? '')) {
    const times = (what: string) => own.filter((note) => note.what === what).map(({ at }) => at);
    const ends = times('ended');
    runs.set(
      name,
      times('began').map((began, index) => ({ began, ended: ends[index] ?? Number.POSITIVE_INFINITY })),
    );
  }
  return runs;
}

/** What all lives wrote of an event, in the order of time. */
function storyOf(name: string, diaries: readonly Diary[]): string {
  const notes = diaries.flatMap((diary, life) =>
    diary.notes.flatMap((note) => (note.name === name ? { ...note, life } : [])),
  );
  const [first] = notes.sort((one, other) => one.at - other.at);
  return notes
    .map(
      (note) =>
        `${note.at - (first?.at ?? 0)} ${note.life} ${isReport(note) ? `${note.source} ${note.outcome} ${note.attempt}` : note.what}`,
    )
    .join(', ');
}

/**
 * An event is handled once in the metrics: no run begins after one that was reported as handled, and none begins within the lease of another
 * that has not ended. A lease may be half over when its handler begins, so a quarter of one is what counts. A transaction under a lease may begin after
 * its lease ended, since it is rolled back then.
 */
export function expectOneAtATime({ events, diaries, lease }: Aftermath): void {
  const all = diaries.map(runsOf);
  const reports = groupBy(
    diaries.flatMap(({ notes }) => notes.filter(isReport)),
    ({ name }) => name,
  );
  const overlapping: { readonly name: string; readonly text: string }[] = [];
  const found = (name: string, text: string) => overlapping.push({ name, text: `${name} ${text}` });
  for (const { name, mode } of events.filter(isReadable)) {
    const handled = (reports.get(name) ?? []).filter(({ outcome }) => outcome === 'handled');
    const accepted = (reports.get(name) ?? []).filter(({ outcome }) => outcome === 'accepted');
    if (handled.length > 1) found(name, `was handled ${handled.length} times`);
    if (accepted.length > 1) found(name, `was accepted ${accepted.length} times`);
    const runs = all
      .flatMap((ofLife) => ofLife.get(name) ?? [])
      .sort((one, other) => one.began - other.began);
    if (modes[mode].isTransactional && mode !== 'transaction') continue;
    const last = runs.at(-1);
    if (last && handled.some(({ at }) => at < last.began)) found(name, 'was handled before a run');
    for (const [index, { began }] of runs.entries()) {
      const before = runs[index - 1];
      if (before === undefined || before.ended <= began) continue;
      // Where its process was killed, the database ended its transaction.
      const isFree =
        mode === 'transaction'
          ? before.ended === Number.POSITIVE_INFINITY
          : began - before.began >= lease / 4;
      if (!isFree) found(name, `ran ${began - before.began} ms after another run`);
    }
  }
  const stories = overlapping.map(({ name, text }) => `${text}: ${storyOf(name, diaries)}`);
  expectNone('not one at a time', stories);
}

/** An event without a report that it was handled, or accepted, had a delivery that was cut off or failed. */
export function expectExplained({ events, diaries, answers }: Aftermath): void {
  const reports = groupBy(
    diaries.flatMap(({ notes }) => notes.filter(isReport)),
    ({ name }) => name,
  );
  const cutOff = new Set(
    diaries.filter(({ life }) => life?.isKilled).flatMap(({ notes }) => notes.map(({ name }) => name)),
  );
  const broken = new Set(answers.filter(({ what }) => what === undefined).map(({ event }) => event.name));
  const isExplained = ({ name, mode }: PlannedEvent) => {
    const outcomes = new Set((reports.get(name) ?? []).map(({ outcome }) => outcome));
    const hasFailed = outcomes.has('failed');
    const isHandled = outcomes.has('handled') || hasFailed || cutOff.has(name);
    const isAccepted = inboxOf(mode) !== 'defer' || outcomes.has('accepted') || hasFailed || broken.has(name);
    return isHandled && isAccepted;
  };
  expectAll(events.filter(isReadable), 'without a report', isExplained, named);
}
