import { Hono } from 'hono';
import * as s from '../../base/schema.ts';
import { respond } from '../api/reply/respond.ts';
import { integerFrom, text } from '../api/request/parameters.ts';
import { objectNotFound, Problem } from '../domain/problem.ts';
import type { Entry, RecordedRequest } from '../stories/entry.ts';
import { exportStory } from '../stories/export/export-story.ts';
import type { Story } from '../stories/story.ts';
import type { ControlContext } from './control-context.ts';
import { matchesStory } from './match-story.ts';
import { readInput, readQuery } from './read-input.ts';
import { actOnStory } from './story-actions.ts';

const pageSize = 50;

const storyFilters = ['limit', 'before', 'q', 'verdict'];
const entryFilters = ['limit', 'before', 'q', 'kind', 'status', 'operation', 'source'];

const actionParameters = s.object({ name: text(), target: text() });
const forkParameters = s.object({ entry: integerFrom(1) });

function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? pageSize);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, 500) : pageSize;
}

/** A page of a list that is newest first. */
function respondWithPage<T>(
  all: readonly T[],
  query: URLSearchParams,
  isLast: (item: T) => boolean,
): Response {
  const after = query.has('before') ? all.findIndex(isLast) + 1 : 0;
  const limit = limitOf(query);
  return respond({ data: all.slice(after, after + limit), has_more: all.length > after + limit });
}

function matches(parts: readonly unknown[], query: URLSearchParams): boolean {
  const wanted = (query.get('q') ?? '').trim().toLowerCase();
  return wanted === '' || parts.join(' ').toLowerCase().includes(wanted);
}

function listStories({ storyLog }: ControlContext, query: URLSearchParams): Response {
  const verdict = query.get('verdict');
  const isFound = matchesStory(query.get('q'));
  const found = storyLog.stories
    .list()
    .filter((story) => (verdict === null || story.verdict === verdict) && isFound(story));
  return respondWithPage(found, query, ({ id }) => id === query.get('before'));
}

function storyOf({ storyLog }: ControlContext, id: string): Story {
  const story = storyLog.stories.find(id);
  if (story === undefined) throw objectNotFound('story', id);
  return story;
}

function hasStatus({ reply }: RecordedRequest, status: string): boolean {
  return reply === null ? status === 'none' : `${Math.floor(reply.status / 100)}xx` === status;
}

function isWanted(entry: Entry, query: URLSearchParams): boolean {
  const [kind, status, operation, source] = ['kind', 'status', 'operation', 'source'].map((name) =>
    query.get(name),
  );
  if (kind && entry.kind !== kind) return false;
  if (entry.kind !== 'request') return !(status || operation || source) && matches([entry.kind], query);
  if (status && !hasStatus(entry, status)) return false;
  if ((operation && entry.operation !== operation) || (source && entry.source !== source)) return false;
  const { method, path, operationId, idempotencyKey, requestId, reply, replayed, arrived } = entry;
  const marks = [replayed ? 'replayed' : '', arrived ? '' : 'lost'];
  return matches(
    [method, path, entry.operation, operationId, idempotencyKey, requestId, reply?.status, ...marks],
    query,
  );
}

function listEntries({ storyLog }: ControlContext, query: URLSearchParams): Response {
  const found = storyLog.entries.filter((entry) => isWanted(entry, query)).reverse();
  return respondWithPage(found, query, ({ number }) => String(number) === query.get('before'));
}

/** Whether an entry is what another one did: a change it made, or a delivery of an event of such a change. */
function isEffect(entry: Entry, cause: number, events: ReadonlySet<string>): boolean {
  if (entry.kind === 'change') return entry.cause === cause;
  return entry.kind === 'delivery' && events.has(entry.event.id);
}

function showEntry({ storyLog }: ControlContext, number: number): Response {
  const { entries } = storyLog;
  const entry = entries.find((one) => one.number === number);
  if (entry === undefined) throw objectNotFound('entry', String(number));
  const told = entries.flatMap((one) => (one.kind === 'change' && one.cause === number ? one.events : []));
  const events = new Set(told.map(({ id }) => id));
  const effects = entries.filter((one) => isEffect(one, number, events));
  return respond({ entry, effects, story: storyLog.stories.storyOf(number) ?? null });
}

async function fork(sandbox: ControlContext, entry: number): Promise<Response> {
  const url = await sandbox.listenAsAfter(entry);
  if (url !== undefined) return respond({ url });
  const message = `The sandbox no longer knows how it stood after entry ${entry}: it is too long ago, or a snapshot was restored since.`;
  throw new Problem(409, 'ENTRY_TOO_OLD', message, 'entry');
}

function showTest({ storyLog, state, options }: ControlContext, id: string): Response {
  const text = exportStory(id, { storyLog, state, options });
  if (text === undefined) throw objectNotFound('story', id);
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

/** What happened, order by order and entry by entry. */
export function storyRoutes(sandbox: ControlContext): Hono {
  const app = new Hono();
  app.get('/stories', ({ req }) => listStories(sandbox, readQuery(req.url, storyFilters)));
  app.get('/stories/:id', ({ req }) => respond(storyOf(sandbox, req.param('id'))));
  app.get('/stories/:id/test', ({ req }) => showTest(sandbox, req.param('id')));
  app.post('/stories/:id/actions', async ({ req }) => {
    storyOf(sandbox, req.param('id'));
    const { name, target } = await readInput(req.raw, actionParameters);
    return respond({ message: await actOnStory(sandbox, name, target) });
  });
  app.get('/entries', ({ req }) => listEntries(sandbox, readQuery(req.url, entryFilters)));
  app.get('/entries/:number', ({ req }) => showEntry(sandbox, Number(req.param('number'))));
  app.post('/forks', async ({ req }) => fork(sandbox, (await readInput(req.raw, forkParameters)).entry));
  return app;
}
