import { Hono } from 'hono';
import * as s from '../../base/schema.ts';
import { respond } from '../api/reply/respond.ts';
import { text } from '../api/request/parameters.ts';
import { invalidParameter } from '../domain/problem.ts';
import { deliveryStatuses, type SandboxDelivery } from '../domain/records/delivery.ts';
import type { State } from '../domain/state.ts';
import { failingDeliveries } from '../webhooks/failing-deliveries.ts';
import type { ControlContext } from './control-context.ts';
import { matchingPage } from './matching-page.ts';
import { readInput, readQuery } from './read-input.ts';

const size = 20;
const replayParameters = s.strictObject({ id: text() });

/** The values of the status filter: delivery statuses, and `failing`. */
const statuses: readonly string[] = [...deliveryStatuses, 'failing'];

/** Returns a predicate for the status filter of a query. */
function statusFilter(state: State, query: URLSearchParams): (delivery: SandboxDelivery) => boolean {
  const wanted = query.get('status');
  if (wanted === null) return () => true;
  if (!statuses.includes(wanted))
    throw invalidParameter('status', `status: expected one of ${statuses.join(', ')}; got '${wanted}'.`);
  if (wanted !== 'failing') return ({ status }) => status === wanted;
  const failing = new Set(failingDeliveries(state).map(({ id }) => id));
  return ({ id }) => failing.has(id);
}

/** Lists a page of deliveries, newest last. */
function listDeliveries({ state }: ControlContext, query: URLSearchParams): Response {
  const hasStatus = statusFilter(state, query);
  const endpoint = query.get('endpoint');
  const event = query.get('event');
  const { items, hasMore } = matchingPage(
    state.objects.delivery,
    { query, cursor: 'before', size },
    (delivery) =>
      hasStatus(delivery) &&
      (endpoint === null || delivery.endpointId === endpoint) &&
      (event === null || delivery.eventId === event),
  );
  return respond({ data: items.toReversed(), has_more: hasMore });
}

/** `GET /deliveries`, and `POST /replay`, which redelivers an event or a delivery. */
export function deliveryRoutes(sandbox: ControlContext): Hono {
  const app = new Hono();
  app.get('/deliveries', ({ req }) =>
    listDeliveries(sandbox, readQuery(req.url, ['limit', 'before', 'status', 'endpoint', 'event'])),
  );
  app.post('/replay', async ({ req }) => {
    const { id } = await readInput(req.raw, replayParameters);
    return respond({ data: sandbox.webhooks.replay(id) });
  });
  return app;
}
