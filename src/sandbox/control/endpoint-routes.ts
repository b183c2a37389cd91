import { type Context, Hono } from 'hono';
import { meantBy } from '../../base/nearest.ts';
import * as s from '../../base/schema.ts';
import type { RouteName } from '../../resources/routes.ts';
import { handlerFinder } from '../api/handlers/all-handlers.ts';
import { respond } from '../api/reply/respond.ts';
import { flag, several, text } from '../api/request/parameters.ts';
import { invalidParameter, objectNotFound, Problem } from '../domain/problem.ts';
import { eventTypes } from '../scenarios/trigger/event-types.ts';
import { type Endpoint, readEndpoint } from '../webhooks/endpoint.ts';
import { failingDeliveries } from '../webhooks/failing-deliveries.ts';
import type { ControlContext } from './control-context.ts';
import { listEndpoints, summaryOf } from './endpoint-summary.ts';
import { readInput } from './read-input.ts';

const createParameters = s.strictObject({
  url: text(),
  events: s.optional(several(text(), "a list of event types, or ['*']")),
});
const updateParameters = s.strictObject({ enabled: flag() });

function checkTypes(events: readonly string[]): void {
  for (const [index, type] of events.entries()) {
    if (type === '*' || eventTypes.some((known) => known === type)) continue;
    const path = `events[${index}]`;
    const hint = meantBy(type, eventTypes);
    throw invalidParameter(
      path,
      `${path}: expected '*' or one of ${eventTypes.join(', ')}; got '${type}'${hint}.`,
    );
  }
}

/** Handlers of the endpoint routes. Creating and updating follow the rules of the service's own routes. */
class EndpointControl {
  readonly #sandbox: ControlContext;
  readonly #handlerOf: ReturnType<typeof handlerFinder>;

  constructor(sandbox: ControlContext) {
    this.#sandbox = sandbox;
    this.#handlerOf = handlerFinder(sandbox.state);
  }

  create({
    url,
    events,
  }: {
    readonly url: string;
    readonly events?: readonly string[] | undefined;
  }): Response {
    const enabled_events = events ?? ['*'];
    checkTypes(enabled_events);
    const made = this.#call('webhookEndpoints.create', '', { url, enabled_events });
    const endpoint = this.#endpoint(String(Reflect.get(made, 'id')));
    return respond({ ...summaryOf(this.#sandbox.state, endpoint), secret: endpoint.secrets[0] });
  }

  setEnabled(id: string, enabled: boolean): Response {
    this.#endpoint(id);
    const flags =
      this.#sandbox.state.objects.webhook_endpoint.get(id)?.['enabled'] === undefined ? {} : { enabled };
    this.#call('webhookEndpoints.update', id, { status: enabled ? 'enabled' : 'disabled', ...flags });
    return respond(summaryOf(this.#sandbox.state, this.#endpoint(id)));
  }

  rotate(id: string): Response {
    return respond({ secret: this.#sandbox.webhooks.rotateSecret(this.#endpoint(id).id) });
  }

  dropOldSecrets(id: string): Response {
    this.#sandbox.webhooks.dropOldSecrets(this.#endpoint(id).id);
    return respond({ dropped: true });
  }

  redeliverFailed(id: string): Response {
    const { enabled } = this.#endpoint(id);
    if (!enabled) {
      throw new Problem(
        409,
        'ENDPOINT_DISABLED',
        `The webhook endpoint '${id}' is disabled. Enable it first.`,
      );
    }
    const { state, webhooks } = this.#sandbox;
    const failed = failingDeliveries(state).filter(
      ({ endpointId, status, eventId }) =>
        endpointId === id && status === 'failed' && state.objects.event.get(eventId) !== undefined,
    );
    // Redelivers in the original order.
    for (const delivery of failed.toReversed()) webhooks.replay(delivery.id);
    return respond({ count: failed.length });
  }

  remove(id: string): Response {
    this.#call('webhookEndpoints.delete', this.#endpoint(id).id, {});
    return respond({ deleted: true });
  }

  #call(route: RouteName, id: string, body: object): object {
    const handle = this.#handlerOf(route);
    return this.#sandbox.state.unit(() => handle({ id, query: new URLSearchParams(), body }));
  }

  #endpoint(id: string): Endpoint {
    const endpoint = readEndpoint(this.#sandbox.state.objects.webhook_endpoint.get(id));
    if (endpoint === undefined) throw objectNotFound('webhook endpoint', id);
    return endpoint;
  }
}

/** `/endpoints`: webhook endpoints. A response shows a secret only when it creates it. */
export function endpointRoutes(sandbox: ControlContext): Hono {
  const app = new Hono();
  const control = new EndpointControl(sandbox);
  const idOf = ({ req }: Context): string => req.param('id') ?? '';
  app.get('/endpoints', () => respond({ data: listEndpoints(sandbox.state) }));
  app.post('/endpoints', async ({ req }) => control.create(await readInput(req.raw, createParameters)));
  app.post('/endpoints/:id', async (context) => {
    const { enabled } = await readInput(context.req.raw, updateParameters);
    return control.setEnabled(idOf(context), enabled);
  });
  app.delete('/endpoints/:id', (context) => control.remove(idOf(context)));
  app.post('/endpoints/:id/rotate', (context) => control.rotate(idOf(context)));
  app.post('/endpoints/:id/drop-old-secrets', (context) => control.dropOldSecrets(idOf(context)));
  app.post('/endpoints/:id/redeliver-failed', (context) => control.redeliverFailed(idOf(context)));
  return app;
}
