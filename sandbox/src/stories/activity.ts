import type { AnsweredRequest, RequestLog } from '../api/request-log.ts';
import type { Inline } from '../base/inline.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/records.ts';
import type { Change, State } from '../domain/state.ts';

/** A request got a response or was dropped. */
type RequestActivity = Inline<
  AnsweredRequest & {
    /** Discriminates the activity. */
    readonly kind: 'request';
  }
>;

/** An event was published. */
type EventActivity = Inline<{
  /** Discriminates the activity. */
  readonly kind: 'event';
  /** The time of the sandbox's clock, in milliseconds since 1970. */
  readonly at: number;
  /** The event. */
  readonly event: SandboxEvent;
}>;

/** A delivery was attempted. */
type DeliveryActivity = Inline<{
  /** Discriminates the activity. */
  readonly kind: 'delivery';
  /** The time of the sandbox's clock, in milliseconds since 1970. */
  readonly at: number;
  /** The delivery after the attempt. Its last attempt is the new one. */
  readonly delivery: SandboxDelivery;
}>;

/** An activity of a sandbox. */
export type Activity = RequestActivity | EventActivity | DeliveryActivity;

/** Receives the activities of a sandbox. */
export type ActivityListener = (activity: Activity) => void;

function activityOf(change: Change, at: number): Activity | undefined {
  if (change.after === undefined) return undefined;
  if (change.kind === 'event') return { kind: 'event', at, event: change.after };
  if (change.kind !== 'delivery') return undefined;
  const tried = change.after.attempts.length > (change.before?.attempts.length ?? 0);
  return tried ? { kind: 'delivery', at, delivery: change.after } : undefined;
}

/** Wraps a listener so that its errors cannot break the sandbox. */
function ignoringErrors(listener: ActivityListener): ActivityListener {
  return (activity) => {
    try {
      listener(activity);
    } catch {
      // An error of a listener is ignored.
    }
  };
}

/** Calls a listener for each activity. Returns a function that unsubscribes it. */
export function watchActivity(state: State, log: RequestLog, listener: ActivityListener): () => void {
  const notify = ignoringErrors(listener);
  const { clock, watchers } = state;
  const changed = (changes: readonly Change[]): void => {
    for (const change of changes) {
      const activity = activityOf(change, clock.now());
      if (activity !== undefined) notify(activity);
    }
  };
  const answered = (request: AnsweredRequest): void => notify({ kind: 'request', ...request });
  watchers.add(changed);
  log.watchers.add(answered);
  return () => {
    watchers.delete(changed);
    log.watchers.delete(answered);
  };
}

/** The events and delivery attempts of a period. */
export interface ActivitySummary {
  /** The number of events by type, most frequent first. */
  readonly events: readonly { readonly type: string; readonly count: number }[];
  /** The number of delivery attempts with a 2xx response. */
  readonly delivered: number;
  /** The number of failed delivery attempts. */
  readonly failed: number;
  /** The same as one sentence. */
  readonly text: string;
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

function textOf(events: number, delivered: number, failed: number): string {
  if (events + delivered + failed === 0) return 'Nothing happened.';
  const happened = `${counted(events, 'event', 'events')} happened`;
  if (delivered + failed === 0) return `${happened}.`;
  return `${happened}; ${counted(delivered, 'delivery', 'deliveries')} arrived and ${failed} failed.`;
}

/** Counts events and delivery attempts. */
export class ActivityCount {
  readonly #events = new Map<string, number>();
  #delivered = 0;
  #failed = 0;

  /** Adds an activity. */
  add(activity: Activity): void {
    if (activity.kind === 'event') {
      const { type } = activity.event;
      this.#events.set(type, (this.#events.get(type) ?? 0) + 1);
    }
    if (activity.kind !== 'delivery') return;
    if (activity.delivery.status === 'delivered') this.#delivered += 1;
    else this.#failed += 1;
  }

  /** Returns the counts. */
  summary(): ActivitySummary {
    const events = [...this.#events].map(([type, count]) => ({ type, count }));
    const total = events.reduce((sum, { count }) => sum + count, 0);
    const text = textOf(total, this.#delivered, this.#failed);
    const sorted = events.sort((one, other) => other.count - one.count);
    return { events: sorted, delivered: this.#delivered, failed: this.#failed, text };
  }
}
