import type { StorySummary } from '../stories/story.ts';
import { objectMatcher } from './search-text.ts';
import { textMatcher } from './text-match.ts';

/** Returns a predicate for stories by id, e-mail address, amount, note or verdict. */
export function matchesStory(text: string | null): (story: StorySummary) => boolean {
  const holds = textMatcher(text);
  const isFound = objectMatcher(text);
  return (story) => {
    const { title, customer, email, notes, reason, money } = story;
    return holds(title, customer, email, reason, ...notes) || isFound({ ...money });
  };
}
