import type { State } from '../../domain/state.ts';
import type { Entry } from '../entry.ts';
import { shownEntry } from '../shown-entry.ts';
import type { Story } from '../story.ts';
import type { StoryLog } from '../story-log.ts';
import { notWhole } from './not-whole.ts';
import { testFile } from './test-file.ts';

/** Where a story is exported from. */
export interface StorySource {
  readonly storyLog: StoryLog;
  readonly state: State;
  /** What the sandbox was made with. */
  readonly options: Readonly<Record<string, unknown>>;
}

function entriesOf(story: Story, twin: Story | undefined): readonly Entry[] {
  return [...story.entries, ...(twin?.entries ?? [])].toSorted((one, other) => one.number - other.number);
}

/** Only a buyer can fail the check of a bank, on a page. */
function requirePlayable(own: readonly Entry[]): void {
  const hasFailed = own.some(
    (entry) =>
      entry.kind === 'change' &&
      entry.object.kind === 'authentication' &&
      entry.after?.['status'] === 'failed',
  );
  if (hasFailed)
    throw notWhole('3-D Secure failed on its checkout page, and code has no buyer who fails it.');
}

/**
 * A story as a test that plays it again; `undefined` where there is no such story.
 *
 * @throws Problem `STORY_NOT_WHOLE` where it cannot be played again.
 */
export function exportStory(id: string, { storyLog, state, options }: StorySource): string | undefined {
  const story = storyLog.stories.find(id);
  if (story === undefined) return undefined;
  const twin = story.verdict === 'charged_twice' ? storyLog.stories.twinOf(id) : undefined;
  const own = entriesOf(story, twin);
  requirePlayable(own);
  return testFile({ story, twin, own, recorded: storyLog.entries.map(shownEntry), state, options });
}
