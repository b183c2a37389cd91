import { Hono } from 'hono';
import * as s from '../../base/schema.ts';
import { respond } from '../api/reply/respond.ts';
import { readCount } from '../api/request/pagination.ts';
import { integerFrom, text } from '../api/request/parameters.ts';
import { objectNotFound, Problem } from '../domain/problem.ts';
import type { Entry } from '../stories/entry.ts';
import { exportStory } from '../stories/export/export-story.ts';
import { shownEntry } from '../stories/shown-entry.ts';
import type { Story } from '../stories/story.ts';
import type { ControlContext } from './control-context.ts';
import { entryMatcher } from './match-entry.ts';
import { matchesStory } from './match-story.ts';
import { readInput, readQuery } from './read-input.ts';
import { actOnStory } from './story-actions.ts';

const pageSize = 50;
const longestPage = 500;

const storyFilters = ['limit', 'before', 'q', 'verdict'];
const entryFilters = ['limit', 'before', 'q', 'kind', 'status', 'operation', 'source'];

const actionParameters = s.strictObject({ name: text(), target: text() });
const forkParameters = s.strictObject({ entry: integerFrom(1) });

/** Returns a page of a list that is sorted newest first. */
function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  isLast: (item: T) => boolean,
): { readonly data: readonly T[]; readonly has_more: boolean } {
  const limit = readCount(query, 'limit', 1, longestPage) ?? pageSize;
  const after = query.has('before') ? all.findIndex(isLast) + 1 : 0;
  return { data: all.slice(after, after + limit), has_more: all.length > after + limit };
}

function listStories({ storyLog }: ControlContext, query: URLSearchParams): Response {
  const verdict = query.get('verdict');
  const isFound = matchesStory(query.get('q'));
  const found = storyLog.stories
    .list()
    .filter((story) => (verdict === null || story.verdict === verdict) && isFound(story));
  return respond(pageOf(found, query, ({ id }) => id === query.get('before')));
}

function storyOf({ storyLog }: ControlContext, id: string): Story {
  const story = storyLog.stories.find(id);
  if (story === undefined) throw objectNotFound('story', id);
  return story;
}

function listEntries({ storyLog }: ControlContext, query: URLSearchParams): Response {
  const found = storyLog.entries.filter(entryMatcher(query)).reverse();
  const { data, has_more } = pageOf(found, query, ({ number }) => String(number) === query.get('before'));
  return respond({ data: data.map(shownEntry), has_more });
}

/** Whether an entry is an effect of another one: a change that it made, or a delivery of an event of such a change. */
function isEffect(entry: Entry, cause: number, events: ReadonlySet<string>): boolean {
  if (entry.kind === 'change') return entry.cause === cause;
  return entry.kind === 'delivery' && events.has(entry.event.id);
}

function showEntry({ storyLog }: ControlContext, number: number): Response {
  const { entries } = storyLog;
  const entry = entries.find((one) => one.number === number);
  if (entry === undefined) throw objectNotFound('entry', String(number));
  const emitted = entries.flatMap((one) => (one.kind === 'change' && one.cause === number ? one.events : []));
  const events = new Set(emitted.map(({ id }) => id));
  const effects = entries.filter((one) => isEffect(one, number, events));
  return respond({
    entry: shownEntry(entry),
    effects: effects.map(shownEntry),
    story: storyLog.stories.storyOf(number) ?? null,
  });
}

async function fork(sandbox: ControlContext, entry: number): Promise<Response> {
  const url = await sandbox.listenAsAfter(entry);
  if (url !== undefined) return respond({ url });
  const message = `The state after entry ${entry} is no longer recorded: the entry is too old, or a snapshot was restored since.`;
  throw new Problem(409, 'ENTRY_TOO_OLD', message, 'entry');
}

function showTest({ storyLog, state, options }: ControlContext, id: string): Response {
  const text = exportStory(id, { storyLog, state, options });
  if (text === undefined) throw objectNotFound('story', id);
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

function requireStory({ storyLog }: ControlContext, id: string): void {
  if (storyLog.stories.summaryOf(id) === undefined) throw objectNotFound('story', id);
}

/** Stories, entry by entry and in summary. */
export function storyRoutes(sandbox: ControlContext): Hono {
  const app = new Hono();
  app.get('/stories', ({ req }) => listStories(sandbox, readQuery(req.url, storyFilters)));
  app.get('/stories/:id', ({ req }) => respond(storyOf(sandbox, req.param('id'))));
  app.get('/stories/:id/test', ({ req }) => showTest(sandbox, req.param('id')));
  app.post('/stories/:id/actions', async ({ req }) => {
    requireStory(sandbox, req.param('id'));
    const { name, target } = await readInput(req.raw, actionParameters);
    return respond({ message: await actOnStory(sandbox, name, target) });
  });
  app.get('/entries', ({ req }) => listEntries(sandbox, readQuery(req.url, entryFilters)));
  app.get('/entries/:number', ({ req }) => showEntry(sandbox, Number(req.param('number'))));
  app.post('/forks', async ({ req }) => fork(sandbox, (await readInput(req.raw, forkParameters)).entry));
  return app;
}
