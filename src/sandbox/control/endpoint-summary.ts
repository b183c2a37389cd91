import type { State } from '../domain/state.ts';
import { type Endpoint, readEndpoint } from '../webhooks/endpoint.ts';

/** How an endpoint stands. */
export interface EndpointSummary {
  readonly id: string;
  /** The address; for a function of this process, one that stands for it. */
  readonly url: string;
  /** The types that it subscribes to; `*` stands for all. */
  readonly events: readonly string[];
  /** Whether deliveries are sent to it. */
  readonly enabled: boolean;
  /** The last 4 characters of its newest secret. */
  readonly secret_hint: string;
  /** Deliveries that were answered with 2xx. */
  readonly delivered: number;
  /** Deliveries that were given up. */
  readonly failed: number;
  /** Deliveries that wait for an attempt. */
  readonly pending: number;
  /** Delivered ones among those that are delivered or given up, from 0 to 1; null where there are none. */
  readonly success_rate: number | null;
  /** When the last attempt was made, in milliseconds since 1970; null before the first. */
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

function summarize({ secrets, ...endpoint }: Endpoint, figures: Figures = noFigures()): EndpointSummary {
  const { delivered, failed, pending, lastAt } = figures;
  const ended = delivered + failed;
  return {
    ...endpoint,
    secret_hint: secrets[0].slice(-4),
    delivered,
    failed,
    pending,
    success_rate: ended === 0 ? null : delivered / ended,
    last_at: lastAt,
  };
}

/** How each endpoint stands that has an address, oldest first. */
export function listEndpoints(state: State): readonly EndpointSummary[] {
  const figures = figuresByEndpoint(state);
  return state.objects.webhook_endpoint.all().flatMap((object) => {
    const endpoint = readEndpoint(object);
    return endpoint === undefined ? [] : [summarize(endpoint, figures.get(endpoint.id))];
  });
}

/** How one endpoint stands. */
export function summaryOf(state: State, endpoint: Endpoint): EndpointSummary {
  return summarize(endpoint, figuresByEndpoint(state).get(endpoint.id));
}
