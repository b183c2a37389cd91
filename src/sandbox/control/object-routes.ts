import { Hono } from 'hono';
import { respond } from '../api/reply/respond.ts';
import { invalidParameter, objectNotFound } from '../domain/problem.ts';
import { isShownKind, type ShownKind } from '../domain/shown-kinds.ts';
import type { State } from '../domain/state.ts';
import type { Collection, Identified } from '../store/collection.ts';
import { redactObject } from '../stories/redact-body.ts';
import type { ControlContext } from './control-context.ts';
import { historyOf, stateOf } from './history.ts';
import { matchingPage } from './matching-page.ts';
import { readQuery } from './read-input.ts';
import { objectMatcher } from './search-text.ts';

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
    { query, cursor: 'starting_after', size },
    (object) => (state === null || stateOf(kind, object) === state) && isFound(object),
  );
  return respond({ data: items.map(redactObject), has_more: hasMore });
}

/** Shows one object with its events. */
function showObject(state: State, kind: string, id: string): Response {
  const object = state.objects[kindOf(kind)].get(id);
  if (object === undefined) throw objectNotFound(kind, id);
  return respond({ object: redactObject(object), history: historyOf(state, kind, id) });
}

/** `GET /objects` and `/objects/:kind/:id`: the sandbox's objects. */
export function objectRoutes({ state }: ControlContext): Hono {
  const app = new Hono();
  app.get('/objects', ({ req }) =>
    listObjects(state, readQuery(req.url, ['kind', 'limit', 'starting_after', 'q', 'state'])),
  );
  app.get('/objects/:kind/:id', ({ req }) => showObject(state, req.param('kind'), req.param('id')));
  return app;
}
