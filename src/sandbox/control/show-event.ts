import { respond } from '../api/reply/respond.ts';
import { objectNotFound } from '../domain/problem.ts';
import type { ControlContext } from './control-context.ts';

/** One event with its deliveries, oldest first. */
export function showEvent({ state, webhooks }: ControlContext, id: string): Response {
  const event = state.objects.event.get(id);
  if (event === undefined) throw objectNotFound('event', id);
  const deliveries = webhooks.deliveries().filter(({ eventId }) => eventId === id);
  return respond({ event, deliveries });
}
