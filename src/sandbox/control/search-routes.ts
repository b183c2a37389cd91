import { Hono } from 'hono';
import { respond } from '../api/reply/respond.ts';
import { readCount } from '../api/request/pagination.ts';
import { moneyText } from '../domain/money-text.ts';
import type { StorySummary } from '../stories/story.ts';
import type { ControlContext } from './control-context.ts';
import { matchesStory } from './match-story.ts';
import { readQuery } from './read-input.ts';
import { type Found, search } from './search.ts';

const size = 10;
const mostFound = 100;

function describeStory({ id, title, money, reason }: StorySummary): Found {
  const amount = money === null ? '' : ` · ${moneyText(money.amount, money.currency)}`;
  return {
    kind: 'operation',
    id,
    title: title + amount,
    detail: reason,
    href: `#/stories/${encodeURIComponent(id)}`,
  };
}

/** `GET /search`: searches by id, operation id, e-mail address, name or amount. Operations come first. */
export function searchRoutes({ state, storyLog }: ControlContext): Hono {
  return new Hono().get('/search', ({ req }) => {
    const query = readQuery(req.url, ['q', 'limit']);
    const text = (query.get('q') ?? '').trim();
    const limit = readCount(query, 'limit', 1, mostFound) ?? size;
    if (text === '') return respond({ data: [] });
    const stories = storyLog.stories.list().filter(matchesStory(text));
    return respond({
      data: [...stories.map(describeStory), ...search(state, text, limit)].slice(0, limit),
    });
  });
}
