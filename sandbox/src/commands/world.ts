import type { FaultQueue } from '../api/faults/fault-queue.ts';
import type { FaultControls } from '../api/faults/faults.ts';
import type { RequestLog } from '../api/request-log.ts';
import type { ObjectEditor } from '../domain/object-editor.ts';
import type { State } from '../domain/state.ts';
import type { StoreContents } from '../store/contents.ts';
import type { ActivityListener } from '../stories/activity.ts';
import type { StoryLog } from '../stories/stories.ts';
import type { CardReader } from '../transact/card-reader.ts';
import type { SandboxWebhooks } from '../webhooks/sandbox-webhooks.ts';
import type { Snapshots } from './snapshots.ts';

/** The parts of a sandbox that commands work on. */
export interface World {
  readonly state: State;
  readonly log: RequestLog;
  readonly faults: FaultControls;
  readonly queue: FaultQueue;
  readonly webhooks: SandboxWebhooks;
  readonly editor: ObjectEditor;
  readonly cards: CardReader;
  readonly storyLog: StoryLog;
  readonly snapshots: Snapshots;
  /** The key of requests that are sent on behalf of the app. */
  readonly secretKey: string;
  /** The key of forms that are sent on behalf of the app. */
  readonly securityKey: string;
  /** Answers a request that the dashboard sends on behalf of the app. */
  serve(request: Request): Response | Promise<Response>;
  /** Returns what answers requests of another app, and its faults. The armed faults do not hit it. */
  secondApp(): Pick<World, 'serve' | 'faults'>;
  /** Returns the state and the recording. */
  contents(): StoreContents;
  /** Replaces them. */
  load(contents: StoreContents): void;
  /** Returns to the state at the start. */
  reset(): void;
  /** Subscribes to activities. Returns a function that unsubscribes the listener. */
  watch(listener: ActivityListener): () => void;
}
