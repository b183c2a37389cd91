import type { State } from '../../domain/state.ts';
import type { Entry } from '../entry.ts';
import type { Story } from '../story.ts';

/** A story and all that its export needs to know of the sandbox. */
export interface ToldStory {
  readonly story: Story;
  /** The story that its verdict depends on besides itself; `undefined` where there is none. */
  readonly twin: Story | undefined;
  /** All entries of the recording, oldest first. */
  readonly recorded: readonly Entry[];
  /** The entries of the story and its twin, oldest first. */
  readonly own: readonly Entry[];
  readonly state: State;
  /** What the sandbox was made with. */
  readonly options: Readonly<Record<string, unknown>>;
}
