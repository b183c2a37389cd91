import type { State } from '../../domain/state.ts';
import type { Entry } from '../entry.ts';
import type { Story } from '../story.ts';

/** A story, and the data of the sandbox that its export needs. */
export interface ExportContext {
  readonly story: Story;
  /** The other story of the same apparent purchase; `undefined` without one. */
  readonly duplicate: Story | undefined;
  /** All entries of the recording, oldest first. */
  readonly recorded: readonly Entry[];
  /** The entries of the story and its duplicate, oldest first. */
  readonly own: readonly Entry[];
  readonly state: State;
  /** The sandbox's options. */
  readonly options: Readonly<Record<string, unknown>>;
}
