import { respond } from '../api/reply.ts';
import { Problem } from '../domain/problem.ts';
import { meantBy } from '../sdk.ts';
import { needReasons, type StorySummary, verdictWords } from '../stories/story.ts';
import type { Story } from '../stories/whole-story.ts';
import { type ControlContext, readChoice } from './control-context.ts';
import { objectMatcher, pageOf, textMatcher } from './matching.ts';
import type { ReadRoute } from './read-route.ts';

/** Returns a predicate for stories by id, e-mail address, amount, note or verdict. */
export function matchesStory(text: string | null): (story: StorySummary) => boolean {
  const holds = textMatcher(text);
  const isFound = objectMatcher(text);
  return (story) => {
    const { title, customer, email, notes, reason, money } = story;
    return holds(title, customer, email, reason, ...notes) || isFound({ ...money });
  };
}

/** Returns the place of an operation among those that need somebody; the last for one that needs nobody. */
function urgency({ needs }: StorySummary): number {
  return needs === null ? needReasons.length : needReasons.indexOf(needs.why);
}

function listStories({ storyLog, state }: ControlContext, query: URLSearchParams): Response {
  const verdict = readChoice(query, 'verdict', Object.keys(verdictWords));
  const why = readChoice(query, 'needs', ['any', ...needReasons]);
  const isFound = matchesStory(query.get('q'));
  const found = storyLog.stories
    .list()
    .filter((story) => verdict === null || story.verdict === verdict)
    .filter(({ needs }) => why === null || (needs !== null && (why === 'any' || needs.why === why)))
    .filter(isFound)
    .toSorted((one, other) => urgency(one) - urgency(other));
  const page = pageOf(found, query, ({ id }) => id === query.get('before'));
  return respond({ ...page, now: state.clock.now() });
}

function orderNotFound(id: string, hint = ''): Problem {
  const why = hint === '' ? ' Sample data has none, nor has what happened while nothing was recorded.' : '';
  return new Problem(404, 'OBJECT_NOT_FOUND', `There is no order '${id}'${hint}.${why}`, 'id');
}

function storyOf({ storyLog: { stories } }: ControlContext, id: string): Story {
  const story = stories.find(id);
  if (story !== undefined) return story;
  const known = stories.list().map((one) => one.id);
  throw orderNotFound(id, meantBy(id, known));
}

/** Stories in summary, and entry by entry. */
export const storyRoutes: readonly ReadRoute[] = [
  {
    path: '/stories',
    query: ['limit', 'before', 'q', 'verdict', 'needs'],
    body: '{ data: [{ id, title, verdict, reason, needs, money, charges, net, attempts, notes, webhooks, customer, email, … }], has_more, now }',
    answers:
      'Stories in summary: those that need somebody, most urgent first, then the others, newest first. `needs` is `any` or one of their reasons.',
    read: (sandbox, { query }) => listStories(sandbox, query),
  },
  {
    path: '/stories/:id',
    body: '{ id, verdict, entries, objects, actions, … }',
    answers:
      'One story, by its id, an operation id, or the id of an object, an event or a request, with its entries, its objects and the actions that are possible now.',
    read: (sandbox, { param }) => respond(storyOf(sandbox, param('id'))),
  },
];
