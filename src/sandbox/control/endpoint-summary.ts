import type { State } from '../domain/state.ts';
import { type Endpoint, readEndpoint } from '../webhooks/endpoint.ts';

/** An endpoint with its delivery statistics. */
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

/** Returns all endpoints that have a URL, oldest first. */
export function listEndpoints(state: State): readonly EndpointSummary[] {
  const figures = figuresByEndpoint(state);
  return state.objects.webhook_endpoint.all().flatMap((object) => {
    const endpoint = readEndpoint(object);
    return endpoint === undefined ? [] : [summarize(endpoint, figures.get(endpoint.id))];
  });
}

/** Returns the summary of one endpoint. */
export function summaryOf(state: State, endpoint: Endpoint): EndpointSummary {
  return summarize(endpoint, figuresByEndpoint(state).get(endpoint.id));
}
