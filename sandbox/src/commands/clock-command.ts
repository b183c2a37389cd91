import type { SandboxEvent } from '../domain/records/records.ts';

import { ActivityCount, type ActivitySummary } from '../stories/activity.ts';
import { subjectOf } from '../stories/recorded-changes.ts';
import { duration } from './argument.ts';
import { Command } from './command.ts';
import type { World } from './world.ts';

/** What happened to one order, or to an object that belongs to none. */
interface Changed {
  /** The id of the order or the object. */
  readonly id: string;
  /** The types of its events, in order. */
  readonly events: readonly string[];
}

/** What an advance of the clock did. */
export interface ClockMove {
  /** The time after it, in ms since 1970. */
  readonly now: number;
  /** The same in ISO 8601. */
  readonly time: string;
  /** The activities meanwhile. */
  readonly summary: ActivitySummary;
  /** What happened to each order. */
  readonly changed: readonly Changed[];
}

/** The same with the events themselves, since only another process asks for their orders. */
type Advanced = Omit<ClockMove, 'changed'> & { readonly events: readonly SandboxEvent[] };

/** Advances the clock, and counts what happens meanwhile. A wrong duration throws at once. */
function advance({ state, watch }: World, duration: number | string): Promise<Advanced> {
  const count = new ActivityCount();
  const events: SandboxEvent[] = [];
  const stop = watch((activity) => {
    count.add(activity);
    if (activity.kind === 'event') events.push(activity.event);
  });
  let moved: Promise<void>;
  try {
    moved = state.scheduler.advance(duration);
  } catch (error) {
    stop();
    throw error;
  }
  return moved.finally(stop).then(() => {
    const now = state.clock.now();
    return { now, time: new Date(now).toISOString(), summary: count.summary(), events };
  });
}

function changedBy({ events }: Advanced, { storyLog }: World): readonly Changed[] {
  const byObject = Map.groupBy(events, subjectOf);
  const byOrder = Map.groupBy(byObject, ([object]) => storyLog.orderOf(object) ?? object);
  return [...byOrder].map(([id, objects]) => ({
    id,
    events: objects.flatMap(([, ofObject]) => ofObject.map(({ type }) => type)),
  }));
}

/** The maximum number of lines. */
const longest = 10;

function changedText({ id, events }: Changed): string {
  const counts = [...Map.groupBy(events, (type) => type)].map(([type, { length }]) =>
    length === 1 ? type : `${type} × ${length}`,
  );
  return `${id}: ${counts.join(', ')}`;
}

export const advanceCommand = new Command({
  name: 'clock.advance',
  summary: "Advances the clock, by '3 days' for example, and does what becomes due.",
  examples: ["clock advance '3 days'", "clock advance '90 min'"],
  args: { advance: duration("How far, such as '3 days', '2 h', '90 min', '30 s' or '250 ms'.") },
  run: (world, args: { readonly advance: number | string }) => advance(world, args.advance),
  show: (move, world): ClockMove => {
    const { now, time, summary } = move;
    return { now, time, summary, changed: changedBy(move, world) };
  },
  tell: ({ time, summary }) => `It is ${time}. ${summary.text}`,
  list: (move, world) => {
    const lines = changedBy(move, world).map(changedText);
    const more = lines.length - longest;
    return more > 0 ? [...lines.slice(0, longest), `and ${more} more`] : lines;
  },
});
