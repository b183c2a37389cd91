import { respond } from '../api/reply.ts';
import { invalidParameter, objectNotFound } from '../domain/problem.ts';
import { isShownKind, type ShownKind, type State } from '../domain/state.ts';
import { transitions } from '../sdk.ts';
import type { Collection, Identified } from '../store/collection.ts';
import { redactObject } from '../stories/redact-body.ts';
import { capacity } from '../webhooks/publish.ts';
import { matchingPage, objectMatcher } from './matching.ts';
import type { ReadRoute } from './read-route.ts';

/** The state of an object at an event. */
export interface Moment {
  /** The id of the event. */
  readonly event: string;
  /** The event's type. */
  readonly type: string;
  /** The time of the sandbox's clock, ISO 8601 in UTC. */
  readonly created: string;
  /** The object's state after the event; null if its kind has none. */
  readonly state: string | null;
  readonly object: object;
}

const machines: ReadonlyMap<string, { readonly field: string }> = new Map(Object.entries(transitions));

/** Returns the state of an object; null if its kind has none. */
export function stateOf(kind: string, object: object): string | null {
  const field = machines.get(kind)?.field ?? (kind === 'transaction' ? 'status' : undefined);
  return field === undefined ? null : String(Reflect.get(object, field));
}

/** Returns the events of an object, oldest first. */
function historyOf({ objects: { event } }: State, kind: string, id: string): readonly Moment[] {
  const about = event.page({ limit: capacity }).filter(({ data }) => Reflect.get(data.object, 'id') === id);
  return about
    .map(({ id, type, created, data }) => ({
      event: id,
      type,
      created,
      state: stateOf(kind, data.object),
      object: redactObject(data.object),
    }))
    .toReversed();
}

const size = 50;

function kindOf(name: string | null): ShownKind {
  if (name !== null && isShownKind(name)) return name;
  throw invalidParameter(
    'kind',
    `kind: expected the kind of an object, got ${name === null ? 'none' : `'${name}'`}.`,
  );
}

/** Lists a page of objects of a kind, newest first. */
function listObjects({ objects }: State, query: URLSearchParams): Response {
  const kind = kindOf(query.get('kind'));
  const state = query.get('state');
  const isFound = objectMatcher(query.get('q'));
  const collection: Collection<Identified> = objects[kind];
  const { items, hasMore } = matchingPage(
    collection,
    query,
    size,
    (object) => (state === null || stateOf(kind, object) === state) && isFound(object),
  );
  return respond({ data: items.map(redactObject), has_more: hasMore });
}

function showObject(state: State, kind: string, id: string): Response {
  const object = state.objects[kindOf(kind)].get(id);
  if (object === undefined) throw objectNotFound(kind, id);
  return respond({ object: redactObject(object), history: historyOf(state, kind, id) });
}

/** The sandbox's objects. */
export const objectRoutes: readonly ReadRoute[] = [
  {
    path: '/objects',
    query: ['kind', 'limit', 'before', 'q', 'state'],
    body: '{ data, has_more }',
    answers: 'Objects of a `kind`, newest first; those of the form endpoint have the kind `transaction`.',
    read: ({ state }, { query }) => listObjects(state, query),
  },
  {
    path: '/objects/:kind/:id',
    body: '{ object, history }',
    answers: 'One object, and the events about it with the object as it was then.',
    read: ({ state }, { param }) => showObject(state, param('kind'), param('id')),
  },
];
