import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { respond } from '../api/reply.ts';
import { readCount } from '../api/request/pagination.ts';
import { objectNotFound } from '../domain/problem.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { State } from '../domain/state.ts';
import type { LogEntry } from '../stories/log-entry.ts';
import { shownEvent } from '../stories/redact-body.ts';
import type { ControlContext } from './control-context.ts';
import { matchingPage } from './matching.ts';
import type { ReadRoute } from './read-route.ts';

const size = 20;

/** Streams the log as server-sent events until the caller disconnects. */
function logStream(
  context: Context,
  { storyLog }: ControlContext,
  matches: (entry: LogEntry) => boolean,
): Response {
  return streamSSE(context, async (stream) => {
    const gone = new Promise<void>((resolve) => stream.onAbort(resolve));
    const stop = storyLog.follow((entry) => {
      if (!matches(entry)) return;
      const id = entry.kind === 'event' && { id: entry.event.id };
      void stream.writeSSE({ event: entry.kind, ...id, data: JSON.stringify(entry) });
    });
    // This comment flushes the headers, so that the caller knows that it misses nothing from now on.
    await stream.write(': connected\n\n');
    await gone;
    stop();
  });
}

/** Returns all deliveries of some events, oldest first. */
export function deliveriesOf({ objects }: State, events: readonly string[]): readonly SandboxDelivery[] {
  const ids = new Set(events);
  return objects.delivery.all().filter(({ eventId }) => ids.has(eventId));
}

/** Lists a page of events, newest last. */
function listEvents({ state }: ControlContext, query: URLSearchParams): Response {
  const type = query.get('type');
  const { items, hasMore } = matchingPage(
    state.objects.event,
    query,
    size,
    (event) => type === null || event.type === type,
  );
  return respond({ data: items.map(shownEvent).toReversed(), has_more: hasMore });
}

/** Shows one event with its deliveries, oldest first. */
function showEvent(state: State, id: string): Response {
  const event = state.objects.event.get(id);
  if (event === undefined) throw objectNotFound('event', id);
  return respond({ event: shownEvent(event), deliveries: deliveriesOf(state, [id]) });
}

/** Returns a predicate for events and deliveries of one type, or for every entry of the log. */
function matcher(type: string | null): (entry: LogEntry) => boolean {
  return (entry) => type === null || ('event' in entry && entry.event.type === type);
}

function listRequests({ storyLog }: ControlContext, query: URLSearchParams): Response {
  const limit = readCount(query, 'limit', 1, Number.MAX_SAFE_INTEGER) ?? size;
  const requests = storyLog.log().filter(({ kind }) => kind === 'request');
  return respond({ data: requests.slice(-limit) });
}

/** Events and requests, past or as they happen. */
export const activityRoutes: readonly ReadRoute[] = [
  {
    path: '/events',
    query: ['limit', 'before', 'type', 'follow'],
    body: '{ data, has_more }',
    answers:
      'Events, newest last. With `follow`, the log from now on, as the server-sent events `request`, `action`, `event` and `delivery`.',
    read(sandbox, { query, context }) {
      if (!query.has('follow')) return listEvents(sandbox, query);
      return logStream(context, sandbox, matcher(query.get('type')));
    },
  },
  {
    path: '/events/:id',
    body: '{ event, deliveries }',
    answers: 'One event with its deliveries, oldest first.',
    read: ({ state }, { param }) => showEvent(state, param('id')),
  },
  {
    path: '/requests',
    query: ['limit'],
    body: '{ data: [{ number, at, order, what, money, result, status, … }] }',
    answers: 'The newest requests of the log, newest last, each with its order and what came of it.',
    read: (sandbox, { query }) => listRequests(sandbox, query),
  },
];
