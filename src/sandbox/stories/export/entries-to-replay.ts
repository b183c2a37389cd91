import type { Entry, RecordedAction, RecordedRequest } from '../entry.ts';
import { isOwnKind } from '../links.ts';
import type { ExportContext } from './export-context.ts';
import { notReplayable } from './not-replayable.ts';

/** An entry that the test repeats. */
export type ReplayedEntry = RecordedRequest | RecordedAction;

/** Returns the numbers of the entries that changed objects of the story. */
function causesOf(own: readonly Entry[]): ReadonlySet<number> {
  const changes = own.flatMap((entry) =>
    entry.kind === 'change' && entry.cause !== null && isOwnKind(entry.object.kind) ? [entry.cause] : [],
  );
  return new Set(changes);
}

function isReplayedRequest(request: RecordedRequest, causes: ReadonlySet<number>): boolean {
  const { source, operation, method, number } = request;
  if (source === 'buyer') return operation === 'checkout.pay';
  // A request of the dashboard counts only if it changed something: its repetitions are not the app's.
  if (source === 'dashboard') return causes.has(number);
  return method !== 'GET';
}

function isReplayedAction(
  action: RecordedAction,
  causes: ReadonlySet<number>,
  ids: ReadonlySet<string>,
): boolean {
  const { name, number, details } = action;
  if (name === 'restore') throw notReplayable('a snapshot was restored during it.');
  if (name === 'clock.advance') return true;
  if (name === 'webhooks.replay') return ids.has(String(details['id']));
  return causes.has(number);
}

/** Returns the ids of the story's events and deliveries. */
function deliverableIds(own: readonly Entry[]): ReadonlySet<string> {
  const ids = own.flatMap((entry) => {
    if (entry.kind === 'change') return entry.events.map(({ id }) => id);
    return entry.kind === 'delivery' ? [entry.deliveryId, entry.event.id] : [];
  });
  return new Set(ids);
}

/** Returns the entries to replay, oldest first: the story's requests, and the actions that they depend on. */
export function entriesToReplay({ own, recorded }: ExportContext): readonly ReplayedEntry[] {
  const causes = causesOf(own);
  const ids = deliverableIds(own);
  const numbers = [...own.map(({ number }) => number), ...causes];
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const ownNumbers = new Set(own.map(({ number }) => number));
  return recorded.flatMap((entry): readonly ReplayedEntry[] => {
    const { kind, number } = entry;
    if (number < first || number > last) return [];
    if (kind === 'request' && ownNumbers.has(number)) return isReplayedRequest(entry, causes) ? [entry] : [];
    return kind === 'action' && isReplayedAction(entry, causes, ids) ? [entry] : [];
  });
}
