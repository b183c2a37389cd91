import type { AnsweredRequest, RequestLog } from '../api/request-log.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/event.ts';
import type { Change, State } from '../domain/state.ts';

/** A request was answered or dropped. */
export interface RequestActivity extends AnsweredRequest {
  /** What it is. */
  readonly kind: 'request';
}

/** An event happened. */
export interface EventActivity {
  /** What it is. */
  readonly kind: 'event';
  /** When, in milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  /** The event. */
  readonly event: SandboxEvent;
}

/** An attempt was made to deliver an event. */
export interface DeliveryActivity {
  /** What it is. */
  readonly kind: 'delivery';
  /** When, in milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  /** The delivery after the attempt, which is the last of its attempts. */
  readonly delivery: SandboxDelivery;
}

/** Something that a sandbox has just done. */
export type Activity = RequestActivity | EventActivity | DeliveryActivity;

/** Is told of what a sandbox does. */
export type ActivityListener = (activity: Activity) => void;

function activityOf(change: Change, at: number): Activity | undefined {
  if (change.after === undefined) return undefined;
  if (change.kind === 'event') return { kind: 'event', at, event: change.after };
  if (change.kind !== 'delivery') return undefined;
  const tried = change.after.attempts.length > (change.before?.attempts.length ?? 0);
  return tried ? { kind: 'delivery', at, delivery: change.after } : undefined;
}

/** A listener of one's own must not be able to break what it listens to. */
function careless(listener: ActivityListener): ActivityListener {
  return (activity) => {
    try {
      listener(activity);
    } catch {
      // The sandbox goes on as if nobody listened.
    }
  };
}

/** Tells a listener of all that is done from now on. Returns what ends it. */
export function watchActivity(state: State, log: RequestLog, listener: ActivityListener): () => void {
  const tell = careless(listener);
  const { clock, watchers } = state;
  const changed = (changes: readonly Change[]): void => {
    for (const change of changes) {
      const activity = activityOf(change, clock.now());
      if (activity !== undefined) tell(activity);
    }
  };
  const answered = (request: AnsweredRequest): void => tell({ kind: 'request', ...request });
  watchers.add(changed);
  log.watchers.add(answered);
  return () => {
    watchers.delete(changed);
    log.watchers.delete(answered);
  };
}
