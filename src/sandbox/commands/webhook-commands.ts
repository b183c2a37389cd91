import { meantBy } from '../../base/nearest.ts';
import type { RouteName } from '../../resources/routes.ts';
import { handlerFinder } from '../api/handlers/all-handlers.ts';
import { invalidParameter, objectNotFound, Problem } from '../domain/problem.ts';
import type { State } from '../domain/state.ts';
import { eventTypes, visitTypes } from '../scenarios/trigger/event-types.ts';
import { type Endpoint, readEndpoint } from '../webhooks/endpoint.ts';
import { failingDeliveries } from '../webhooks/publish.ts';
import type { SandboxWebhooks } from '../webhooks/sandbox-webhooks.ts';
import { flag, optional, text, texts } from './argument.ts';
import { Command } from './command.ts';
import type { World } from './world.ts';

const idHelp = 'The id of the endpoint.';

const subscribableTypes: readonly string[] = [...eventTypes, ...visitTypes];

interface Target {
  readonly id: string;
}

function checkTypes(events: readonly string[]): void {
  for (const [index, type] of events.entries()) {
    if (type === '*' || subscribableTypes.includes(type)) continue;
    const path = `events[${index}]`;
    const hint = meantBy(type, subscribableTypes);
    throw invalidParameter(
      path,
      `${path}: expected '*' or one of ${subscribableTypes.join(', ')}; got '${type}'${hint}.`,
    );
  }
}

/** Calls a handler of the service, whose rules for addresses hold here too. */
function call(state: State, route: RouteName, id: string, body: object): object {
  const handle = handlerFinder(state)(route);
  return state.unit(() => handle({ id, query: new URLSearchParams(), body }));
}

function endpointOf({ objects }: State, id: string): Endpoint {
  const endpoint = readEndpoint(objects.webhook_endpoint.get(id));
  if (endpoint === undefined) throw objectNotFound('webhook endpoint', id);
  return endpoint;
}

export const addEndpointCommand = new Command({
  name: 'webhooks.add',
  summary: 'Adds a webhook endpoint, and shows its secret.',
  examples: ['webhooks add http://localhost:3000/webhooks'],
  args: {
    url: text('The address, such as http://localhost:3000/webhooks.'),
    events: optional(
      texts('The event types that it receives. Default: all.', "a list of event types, or ['*']"),
    ),
  },
  run: (
    { state },
    { url, events = ['*'] }: { readonly url: string; readonly events?: readonly string[] | undefined },
  ) => {
    checkTypes(events);
    const made = call(state, 'webhookEndpoints.create', '', { url, enabled_events: events });
    const { secrets, ...endpoint } = endpointOf(state, String(Reflect.get(made, 'id')));
    return { ...endpoint, secret: secrets[0] };
  },
  tell: ({ id, secret }) => `Added ${id}. Its secret is ${secret}.`,
});

export const enableEndpointCommand = new Command({
  name: 'webhooks.enable',
  summary: 'Enables or disables a webhook endpoint.',
  isInShell: false,
  args: { id: text(idHelp), enabled: flag('Whether it receives deliveries.') },
  run: ({ state }, { id, enabled }: Target & { readonly enabled: boolean }) => {
    endpointOf(state, id);
    const flags = state.objects.webhook_endpoint.get(id)?.['enabled'] === undefined ? {} : { enabled };
    call(state, 'webhookEndpoints.update', id, { status: enabled ? 'enabled' : 'disabled', ...flags });
  },
  tell: (_, { id, enabled }) => `${enabled ? 'Enabled' : 'Disabled'} ${id}.`,
});

export const deleteEndpointCommand = new Command({
  name: 'webhooks.delete',
  summary: 'Deletes a webhook endpoint.',
  examples: ['webhooks delete we_0123456789abcdef'],
  args: { id: text(idHelp) },
  run: ({ state }, { id }: Target) =>
    void call(state, 'webhookEndpoints.delete', endpointOf(state, id).id, {}),
  tell: (_, { id }) => `Deleted ${id}.`,
});

export const rotateCommand = new Command({
  name: 'webhooks.rotate',
  summary: 'Gives an endpoint a new secret. The old one signs too, until it is dropped.',
  examples: ['webhooks rotate we_0123456789abcdef'],
  args: { id: text(idHelp) },
  run: ({ webhooks }, { id }: Target) => ({ secret: webhooks.rotateSecret(id) }),
  tell: ({ secret }) => `The new secret is ${secret}.`,
});

export const dropSecretsCommand = new Command({
  name: 'webhooks.drop',
  summary: 'Drops all secrets of an endpoint but the newest.',
  examples: ['webhooks drop we_0123456789abcdef'],
  args: { id: text(idHelp) },
  run: ({ webhooks }, { id }: Target) => webhooks.dropOldSecrets(id),
  tell: (_, { id }) => `Only the newest secret of ${id} is left.`,
});

export const replayCommand = new Command({
  name: 'webhooks.replay',
  summary: 'Delivers an event again to each endpoint that subscribes to it, or a single delivery.',
  examples: ['webhooks replay evt_0123456789abcdef'],
  args: { id: text('The id of the event or the delivery.') },
  run: ({ webhooks }, { id }: Target) => webhooks.replay(id),
  tell: (planned) => {
    if (planned.length === 0) return 'No endpoint subscribes to this event.';
    return `Delivers ${planned.map(({ type, url }) => `${type} to ${url}`).join(', ')} again.`;
  },
});

export const redeliverCommand = new Command({
  name: 'webhooks.redeliver',
  summary: 'Delivers again what an endpoint did not take.',
  examples: ['webhooks redeliver we_0123456789abcdef'],
  args: { id: text(idHelp) },
  run: ({ state, webhooks }, { id }: Target) => {
    if (!endpointOf(state, id).enabled) {
      const message = `The webhook endpoint '${id}' is disabled. Enable it first.`;
      throw new Problem(409, 'ENDPOINT_DISABLED', message);
    }
    const failed = failingDeliveries(state).filter(
      ({ endpointId, status, eventId }) =>
        endpointId === id && status === 'failed' && state.objects.event.get(eventId) !== undefined,
    );
    // In the original order.
    for (const delivery of failed.toReversed()) webhooks.replay(delivery.id);
    return { count: failed.length };
  },
  tell: ({ count }) => `Delivers ${count} failed ${count === 1 ? 'event' : 'events'} again.`,
});

/** Returns `sandbox.webhooks`, whose actions are recorded. Code may add endpoints that no request may add. */
export function webhooksOf(world: World): SandboxWebhooks {
  const { webhooks, storyLog } = world;
  return {
    deliverTo: (target, options) => {
      const url = typeof target === 'string' ? target : 'function';
      const events = options?.events;
      return storyLog.act('webhooks.add', { url, events }, () => webhooks.deliverTo(target, options));
    },
    endpoints: () => webhooks.endpoints(),
    deliveries: () => webhooks.deliveries(),
    replay: (id) => replayCommand.run(world, { id }),
    rotateSecret: (id) => rotateCommand.run(world, { id }).secret,
    dropOldSecrets: (id) => dropSecretsCommand.run(world, { id }),
  };
}
