import type { Inline } from '../../base/inline.ts';
import type { AnsweredRequest, RequestLog } from '../api/request-log.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/event.ts';
import type { Change, State } from '../domain/state.ts';

/** A request got a response or was dropped. */
export type RequestActivity = Inline<
  AnsweredRequest & {
    /** Discriminates the activity. */
    readonly kind: 'request';
  }
>;

/** An event was published. */
export type EventActivity = Inline<{
  /** Discriminates the activity. */
  readonly kind: 'event';
  /** The time of the sandbox's clock, in milliseconds since 1970. */
  readonly at: number;
  /** The event. */
  readonly event: SandboxEvent;
}>;

/** A delivery was attempted. */
export type DeliveryActivity = Inline<{
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
