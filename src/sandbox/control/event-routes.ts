import { Hono } from 'hono';
import { respond } from '../api/reply/respond.ts';
import { objectNotFound } from '../domain/problem.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/event.ts';
import type { State } from '../domain/state.ts';
import { redactObject } from '../stories/redact-body.ts';
import type { Activity } from './activity.ts';
import type { ControlContext } from './control-context.ts';
import { eventStream } from './event-stream.ts';
import { matchingPage } from './matching-page.ts';
import { readQuery } from './read-input.ts';
import { textMatcher } from './text-match.ts';

const size = 20;

function shownEvent(event: SandboxEvent): SandboxEvent {
  return { ...event, data: { object: redactObject(event.data.object) } };
}

function objectIdOf({ data }: SandboxEvent): unknown {
  return Reflect.get(data.object, 'id');
}

/** Returns the deliveries of some events, oldest first. */
function deliveriesOf({ objects }: State, events: readonly SandboxEvent[]): readonly SandboxDelivery[] {
  const ids = new Set<string>(events.map(({ id }) => id));
  return objects.delivery.all().filter(({ eventId }) => ids.has(eventId));
}

/** Lists a page of events, newest last; with `deliveries`, their deliveries too. */
function listEvents({ state }: ControlContext, query: URLSearchParams): Response {
  const type = query.get('type');
  const isFound = textMatcher(query.get('q'));
  const { items, hasMore } = matchingPage(
    state.objects.event,
    { query, cursor: 'before', size },
    (event) => (type === null || event.type === type) && isFound(event.id, event.type, objectIdOf(event)),
  );
  return respond({
    data: items.map(shownEvent).toReversed(),
    ...(query.has('deliveries') && { deliveries: deliveriesOf(state, items) }),
    has_more: hasMore,
  });
}

/** Shows one event with its deliveries, oldest first. */
function showEvent(state: State, id: string): Response {
  const event = state.objects.event.get(id);
  if (event === undefined) throw objectNotFound('event', id);
  return respond({ event: shownEvent(event), deliveries: deliveriesOf(state, [event]) });
}

/** Returns a predicate for activities of one event type. Requests have no type, so they never match one. */
function matcher(type: string | null): (activity: Activity) => boolean {
  if (type === null) return () => true;
  return (activity) => {
    if (activity.kind === 'request') return false;
    return (activity.kind === 'event' ? activity.event : activity.delivery).type === type;
  };
}

/** `GET /events` and `/events/:id`: past events, or with `follow` the activities as they happen. */
export function eventRoutes(sandbox: ControlContext): Hono {
  const app = new Hono();
  app.get('/events', ({ req }) => {
    const query = readQuery(req.url, ['limit', 'before', 'type', 'q', 'deliveries', 'follow']);
    if (!query.has('follow')) return listEvents(sandbox, query);
    return eventStream((listener) => sandbox.watch(listener), matcher(query.get('type')));
  });
  app.get('/events/:id', ({ req }) => showEvent(sandbox.state, req.param('id')));
  return app;
}
