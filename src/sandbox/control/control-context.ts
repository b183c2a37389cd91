import type { FaultQueue } from '../api/faults/fault-queue.ts';
import type { Faults } from '../api/faults/faults.ts';
import type { RequestLog } from '../api/request-log.ts';
import type { State } from '../domain/state.ts';
import type { SandboxClock } from '../store/clock.ts';
import type { StoryLog } from '../stories/story-log.ts';
import type { SandboxWebhooks } from '../webhooks/sandbox-webhooks.ts';
import type { ActivityListener } from './activity.ts';

/** The parts of a sandbox that the control API uses. */
export interface ControlContext {
  /** The accepted keys: the secret key, and the dashboard's key while only this machine can reach the sandbox. */
  keys(): readonly string[];
  /** The sandbox's state. */
  readonly state: State;
  /** The clock. */
  readonly clock: SandboxClock;
  /** Whether the clock runs with real time. */
  readonly isClockRunning: boolean;
  /** The request log. */
  readonly log: RequestLog;
  /** Injects faults. */
  readonly faults: Faults;
  /** The armed faults of requests. */
  readonly queue: FaultQueue;
  /** Webhook endpoints and deliveries. */
  readonly webhooks: SandboxWebhooks;
  /** The recorded stories. */
  readonly storyLog: StoryLog;
  /** The options that the sandbox was created with. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Answers a request that the dashboard sends on behalf of the app. */
  serve(request: Request): Response | Promise<Response>;
  /** The key that such a request needs. */
  readonly secretKey: string;
  /**
   * Starts a sandbox with the state after an entry on a port of its own; `undefined` if that state is no longer
   * recorded.
   */
  listenAsAfter(entry: number): Promise<string | undefined>;
  /** Resets the sandbox. */
  reset(): void;
  /** Subscribes to activities. Returns a function that unsubscribes the listener. */
  watch(listener: ActivityListener): () => void;
}
