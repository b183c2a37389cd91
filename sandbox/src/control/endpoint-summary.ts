import type { RequestFault } from '../api/faults/fault.ts';
import { respond } from '../api/reply.ts';
import type { PendingDeliveryFault } from '../domain/records/delivery.ts';
import type { State } from '../domain/state.ts';
import { type Endpoint, readEndpoint } from '../webhooks/endpoint.ts';
import { missedDeliveries } from '../webhooks/publish.ts';
import type { ControlContext } from './control-context.ts';
import type { ReadRoute } from './read-route.ts';

export interface EndpointSummary {
  readonly id: string;
  /** The URL; for a function of this process, a placeholder. */
  readonly url: string;
  /** The event types that it subscribes to; `*` stands for all. */
  readonly events: readonly string[];
  /** Whether it receives deliveries. */
  readonly enabled: boolean;
  /** The last 4 characters of its newest secret. */
  readonly secret_hint: string;
  /** The number of deliveries with a 2xx response. */
  readonly delivered: number;
  /** The number of deliveries that were given up. */
  readonly failed: number;
  /** The number of deliveries that wait for an attempt. */
  readonly pending: number;
  /** The number of events that it has not taken, though an attempt was made. */
  readonly missed: number;
  /** Delivered ÷ (delivered + given up), from 0 to 1; null if there are none. */
  readonly success_rate: number | null;
  /** The time of the last attempt, in milliseconds since 1970; null before the first. */
  readonly last_at: number | null;
}

interface Figures {
  delivered: number;
  failed: number;
  pending: number;
  lastAt: number | null;
}

function noFigures(): Figures {
  return { delivered: 0, failed: 0, pending: 0, lastAt: null };
}

function figuresByEndpoint({ objects }: State): ReadonlyMap<string, Figures> {
  const figures = new Map<string, Figures>();
  for (const { endpointId, status, attempts } of objects.delivery.all()) {
    const sums = figures.get(endpointId) ?? noFigures();
    figures.set(endpointId, sums);
    if (status === 'delivered' || status === 'failed' || status === 'pending') sums[status] += 1;
    const at = attempts.at(-1)?.at;
    if (at !== undefined) sums.lastAt = Math.max(sums.lastAt ?? at, at);
  }
  return figures;
}

function summarize(
  { secrets, ...endpoint }: Endpoint,
  missed: number,
  figures: Figures = noFigures(),
): EndpointSummary {
  const { delivered, failed, pending, lastAt } = figures;
  const ended = delivered + failed;
  return {
    ...endpoint,
    secret_hint: secrets[0].slice(-4),
    delivered,
    failed,
    pending,
    missed,
    success_rate: ended === 0 ? null : delivered / ended,
    last_at: lastAt,
  };
}

/** Returns all endpoints that have a URL, oldest first. */
function listEndpoints(state: State): readonly EndpointSummary[] {
  const figures = figuresByEndpoint(state);
  return state.objects.webhook_endpoint.all().flatMap((object) => {
    const endpoint = readEndpoint(object);
    if (endpoint === undefined) return [];
    const missed = missedDeliveries(state, endpoint.id).length;
    return [summarize(endpoint, missed, figures.get(endpoint.id))];
  });
}

/** An armed fault of requests. */
export interface WaitingFault {
  readonly id: string;
  readonly fault: RequestFault;
  readonly hits: number;
}

/** The armed faults of requests and deliveries. */
export interface ListedFaults {
  readonly data: readonly WaitingFault[];
  readonly deliveries: readonly PendingDeliveryFault[];
}

function listFaults({ queue, state: { objects } }: ControlContext): ListedFaults {
  return {
    data: queue.pending().map(({ id, fault, hits }) => ({ id, fault, hits })),
    deliveries: objects.delivery_fault.all(),
  };
}

/** Webhook endpoints and faults. */
export const endpointRoutes: readonly ReadRoute[] = [
  {
    path: '/endpoints',
    body: '{ data: [{ id, url, events, enabled, secret_hint, delivered, failed, pending, missed, success_rate, last_at }] }',
    answers: 'Webhook endpoints with their figures, oldest first.',
    read: ({ state }) => respond({ data: listEndpoints(state) }),
  },
  {
    path: '/faults',
    body: '{ data: [{ id, fault, hits }], deliveries }',
    answers: 'The pending faults of requests, and of deliveries.',
    read: (sandbox) => respond(listFaults(sandbox)),
  },
];
