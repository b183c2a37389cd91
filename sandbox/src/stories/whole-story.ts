import type { Entry } from './entry.ts';
import type { LogEntry } from './log-entry.ts';
import type { StoryAction, StoryObject, StorySummary } from './story.ts';

/** A story with its entries. */
export interface Story extends StorySummary {
  /** All its operation ids. */
  readonly operationIds: readonly string[];
  readonly objects: readonly StoryObject[];
  /** Its entries, oldest first. */
  readonly entries: readonly Entry[];
  /** The same in short: what each request and action does, and what came of it. */
  readonly log: readonly LogEntry[];
  /** The possible actions, an advised one first. */
  readonly actions: readonly StoryAction[];
  /** The other stories that probably charged the same purchase. */
  readonly twins: readonly StorySummary[];
  /** Whether old entries were dropped, since the recording is bounded. */
  readonly isCut: boolean;
}
