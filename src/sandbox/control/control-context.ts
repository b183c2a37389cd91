import type { FaultQueue } from '../api/faults/fault-queue.ts';
import type { Faults } from '../api/faults/faults.ts';
import type { RequestLog } from '../api/request-log.ts';
import type { State } from '../domain/state.ts';
import type { SandboxClock } from '../store/clock.ts';
import type { SandboxSnapshot } from '../store/snapshot.ts';
import type { StoryLog } from '../stories/story-log.ts';
import type { SandboxWebhooks } from '../webhooks/sandbox-webhooks.ts';
import type { ActivityListener } from './activity.ts';

/** What the control API needs of a sandbox. */
export interface ControlContext {
  /** The keys that let in: the secret key, and that of the dashboard where only this machine reaches it. */
  keys(): readonly string[];
  /** All that it remembers. */
  readonly state: State;
  /** The time. */
  readonly clock: SandboxClock;
  /** Whether the time was made to move on by itself. */
  readonly isClockRunning: boolean;
  /** The requests so far. */
  readonly log: RequestLog;
  /** What is to go wrong. */
  readonly faults: Faults;
  /** What waits to go wrong with requests. */
  readonly queue: FaultQueue;
  /** Deliveries. */
  readonly webhooks: SandboxWebhooks;
  /** What happened, order by order. */
  readonly storyLog: StoryLog;
  /** What it was made with. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Answers a request as one of the dashboard's. */
  serve(request: Request): Response | Promise<Response>;
  /** The key that such a request needs. */
  readonly secretKey: string;
  /** Puts another sandbox on a port, which stands as this one did after an entry; `undefined` where that is no longer known. */
  listenAsAfter(entry: number): Promise<string | undefined>;
  /** All that it remembers now. */
  snapshot(): SandboxSnapshot;
  /** Goes back to a snapshot. */
  restore(snapshot: SandboxSnapshot): void;
  /** Forgets everything. */
  reset(): void;
  /** Tells of what is done from now on. Returns what ends it. */
  watch(listener: ActivityListener): () => void;
}
