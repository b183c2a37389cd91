import type { RecordedChange } from '../entry.ts';
import { isOwnKind } from '../group.ts';
import { isChange, type Replayable, type StorySource } from './story-source.ts';

/** Whether an entry is an action on many orders. */
function isOfMany(entry: Replayable): boolean {
  return entry.kind === 'action' && (entry.name === 'clock.advance' || entry.name === 'settle');
}

/** Names the unit of work of a change. That of a batch has no number. */
function unitOf({ unit, cause, at }: RecordedChange): string {
  return unit === null ? `${cause} ${at}` : String(unit);
}

/**
 * Returns the recorded changes that a replay repeats: those of the replayed entries, without those of other stories that time or
 * a batch changed too.
 */
export function replayedChanges(
  { own, recorded }: StorySource,
  entries: readonly Replayable[],
): readonly RecordedChange[] {
  const first = entries[0]?.number ?? 0;
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  const ownNumbers = new Set(own.filter(isChange).map(({ number }) => number));
  const ownUnits = new Set(own.filter(isChange).map(unitOf));
  return recorded.filter(isChange).filter((change) => {
    const { cause, number, unit, object } = change;
    const entry = byNumber.get(cause ?? 0);
    if (number < first || (cause !== null && entry === undefined)) return false;
    if ((entry !== undefined && !isOfMany(entry)) || ownNumbers.has(number)) return true;
    // A batch has charges of other stories.
    return ownUnits.has(unitOf(change)) && !(unit === null && isOwnKind(object.kind));
  });
}
