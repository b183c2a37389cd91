import type { State } from '../../domain/state.ts';
import type { Entry } from '../entry.ts';
import { shownEntry } from '../shown-entry.ts';
import type { Story } from '../story.ts';
import type { StoryLog } from '../story-log.ts';
import { notReplayable } from './not-replayable.ts';
import { testFile } from './test-file.ts';

/** The sandbox that a story is exported from. */
export interface StorySource {
  readonly storyLog: StoryLog;
  readonly state: State;
  /** The sandbox's options. */
  readonly options: Readonly<Record<string, unknown>>;
}

function entriesOf(story: Story, duplicate: Story | undefined): readonly Entry[] {
  return [...story.entries, ...(duplicate?.entries ?? [])].toSorted(
    (one, other) => one.number - other.number,
  );
}

/** Rejects stories in which a buyer failed a 3-D Secure challenge: only a person on the page can do that. */
function requireReplayable(own: readonly Entry[]): void {
  const hasFailed = own.some(
    (entry) =>
      entry.kind === 'change' &&
      entry.object.kind === 'authentication' &&
      entry.after?.['status'] === 'failed',
  );
  if (hasFailed)
    throw notReplayable('the buyer failed 3-D Secure on its checkout page, which code cannot repeat.');
}

/**
 * Exports a story as a test that replays it; `undefined` for an unknown story.
 *
 * @throws Problem `STORY_NOT_WHOLE` when it cannot be replayed.
 */
export function exportStory(id: string, { storyLog, state, options }: StorySource): string | undefined {
  const story = storyLog.stories.find(id);
  if (story === undefined) return undefined;
  const duplicate = story.verdict === 'charged_twice' ? storyLog.stories.duplicateOf(id) : undefined;
  const own = entriesOf(story, duplicate);
  requireReplayable(own);
  return testFile({ story, duplicate, own, recorded: storyLog.entries.map(shownEntry), state, options });
}
