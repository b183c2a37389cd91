import { Hono } from 'hono';
import * as s from '../../base/schema.ts';
import { respond } from '../api/reply/respond.ts';
import { text } from '../api/request/parameters.ts';
import { invalidParameter } from '../domain/problem.ts';
import { type DeliveryStatus, deliveryStatuses } from '../domain/records/delivery.ts';
import type { ControlContext } from './control-context.ts';
import { matchingPage } from './matching-page.ts';
import { readInput, readQuery } from './read-input.ts';

const size = 20;
const replayParameters = s.strictObject({ id: text() });

function statusOf(query: URLSearchParams): DeliveryStatus | null {
  const given = query.get('status');
  const known = deliveryStatuses.find((status) => status === given);
  if (given === null || known !== undefined) return known ?? null;
  throw invalidParameter('status', `status: expected one of ${deliveryStatuses.join(', ')}; got '${given}'.`);
}

/** A page of deliveries, newest last. */
function listDeliveries({ state }: ControlContext, query: URLSearchParams): Response {
  const status = statusOf(query);
  const endpoint = query.get('endpoint');
  const event = query.get('event');
  const { items, hasMore } = matchingPage(
    state.objects.delivery,
    { query, cursor: 'before', size },
    (delivery) =>
      (status === null || delivery.status === status) &&
      (endpoint === null || delivery.endpointId === endpoint) &&
      (event === null || delivery.eventId === event),
  );
  return respond({ data: items.toReversed(), has_more: hasMore });
}

/** `GET /deliveries`, and `POST /replay`: delivers an event or a delivery again. */
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
