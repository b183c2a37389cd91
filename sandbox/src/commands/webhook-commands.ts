import type { RouteName } from 'payments-client';
import { handlerFinder } from '../api/handlers/all-handlers.ts';
import { invalidParameter, objectNotFound, Problem } from '../domain/problem.ts';
import type { State } from '../domain/state.ts';
import { eventTypes, visitTypes } from '../scenarios/trigger/event-types.ts';
import { meantBy } from '../sdk.ts';
import { type Endpoint, readEndpoint } from '../webhooks/endpoint.ts';
import { deliverMissed, missedDeliveries } from '../webhooks/publish.ts';
import type { SandboxWebhooks } from '../webhooks/sandbox-webhooks.ts';
import { optional, optionalOperand, text, texts } from './argument.ts';
import { Command, type Nothing } from './command.ts';
import type { World } from './world.ts';

/** The endpoint that a command acts on. */
const id = optionalOperand(text('The id of the endpoint. Default: the only one.'));

const subscribableTypes: readonly string[] = [...eventTypes, ...visitTypes];

interface Target {
  readonly id?: string | undefined;
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

/** Only enabled endpoints get deliveries, so that a disabled one has none that it could miss. */
const later = "'webhooks replay <event>' delivers an event from while it was disabled.";

const eventsText = (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`;

/** Calls a handler of the service, whose rules for addresses hold here too. */
function call(state: State, route: RouteName, id: string, body: object): object {
  const handle = handlerFinder(state)(route);
  return state.unit(() => handle({ id, query: new URLSearchParams(), body }));
}

function endpointsIn({ objects }: State): readonly Endpoint[] {
  return objects.webhook_endpoint.all().flatMap((object) => readEndpoint(object) ?? []);
}

const noEndpoints = "There is no webhook endpoint. Add one with 'webhooks add'.";

function onlyEndpoint(state: State): Endpoint {
  const [only, ...others] = endpointsIn(state);
  if (only === undefined) throw new Problem(404, 'OBJECT_NOT_FOUND', noEndpoints, 'id');
  if (others.length === 0) return only;
  const ids = [only, ...others].map((endpoint) => endpoint.id).join(', ');
  throw invalidParameter('id', `id: expected one of ${ids}, got nothing.`);
}

/** Returns the endpoint that a command acts on: the named one, or the only one. */
function targetOf(state: State, { id: named }: Target): Endpoint {
  if (named === undefined) return onlyEndpoint(state);
  const endpoint = readEndpoint(state.objects.webhook_endpoint.get(named));
  if (endpoint === undefined) throw objectNotFound('webhook endpoint', named);
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
    const { secrets, ...endpoint } = targetOf(state, { id: String(Reflect.get(made, 'id')) });
    return { ...endpoint, secret: secrets[0] };
  },
  tell: ({ id: added, secret }) => `Added ${added}. Its secret is ${secret}.`,
});

/** An endpoint in a list. */
interface ListedEndpoint {
  readonly id: string;
  readonly url: string;
  readonly status: 'enabled' | 'disabled';
  /** The number of events that it has not taken, without those from while it was disabled. */
  readonly missed: number;
}

export const listEndpointsCommand = new Command<Nothing, readonly ListedEndpoint[]>({
  name: 'webhooks.list',
  summary:
    'Lists the webhook endpoints, with the number of events that each of them misses, except from while it was disabled.',
  examples: ['webhooks list'],
  isRecorded: false,
  args: {},
  run: ({ state }) =>
    endpointsIn(state).map(({ id: own, url, enabled }) => ({
      id: own,
      url,
      status: enabled ? 'enabled' : 'disabled',
      missed: missedDeliveries(state, own).length,
    })),
  tell: ({ length }) =>
    length === 0 ? noEndpoints : `${length} webhook ${length === 1 ? 'endpoint' : 'endpoints'}:`,
  list: (endpoints) =>
    endpoints.map(({ id: own, url, status, missed }) => {
      const failed = missed === 0 ? 'no delivery failed' : `misses ${eventsText(missed)}`;
      return `${own}  ${url}  ${status}, ${failed}`;
    }),
});

function enable(state: State, target: Target, enabled: boolean): Endpoint {
  const endpoint = targetOf(state, target);
  const { id: own } = endpoint;
  const flags = state.objects.webhook_endpoint.get(own)?.['enabled'] === undefined ? {} : { enabled };
  call(state, 'webhookEndpoints.update', own, { status: enabled ? 'enabled' : 'disabled', ...flags });
  return endpoint;
}

/** Another process gets a message alone. */
const show = () => null;

export const enableEndpointCommand = new Command({
  name: 'webhooks.enable',
  summary: 'Enables a webhook endpoint.',
  examples: ['webhooks enable we_0123456789abcdef'],
  args: { id },
  run: ({ state }, target: Target) => enable(state, target, true),
  show,
  tell: (endpoint) => `Enabled ${endpoint.id}. ${later}`,
});

export const disableEndpointCommand = new Command({
  name: 'webhooks.disable',
  summary:
    'Disables a webhook endpoint: it gets no deliveries, and pending ones are canceled when they are due.',
  examples: ['webhooks disable we_0123456789abcdef'],
  args: { id },
  run: ({ state }, target: Target) => enable(state, target, false),
  show,
  tell: (endpoint) => `Disabled ${endpoint.id}.`,
});

export const deleteEndpointCommand = new Command({
  name: 'webhooks.delete',
  summary: 'Deletes a webhook endpoint.',
  examples: ['webhooks delete we_0123456789abcdef'],
  args: { id },
  run: ({ state }, target: Target) => {
    const endpoint = targetOf(state, target);
    call(state, 'webhookEndpoints.delete', endpoint.id, {});
    return endpoint;
  },
  show,
  tell: (endpoint) => `Deleted ${endpoint.id}.`,
});

export const rotateCommand = new Command({
  name: 'webhooks.rotate',
  summary: 'Gives an endpoint a new secret. The old one signs too, until it is dropped.',
  examples: ['webhooks rotate we_0123456789abcdef'],
  args: { id },
  run: ({ state, webhooks }, { id: own = onlyEndpoint(state).id }: Target) => ({
    secret: webhooks.rotateSecret(own),
  }),
  tell: ({ secret }) => `The new secret is ${secret}.`,
});

export const dropSecretsCommand = new Command({
  name: 'webhooks.drop',
  summary: 'Drops all secrets of an endpoint but the newest.',
  examples: ['webhooks drop we_0123456789abcdef'],
  args: { id },
  run: ({ state, webhooks }, { id: own = onlyEndpoint(state).id }: Target) => {
    webhooks.dropOldSecrets(own);
    return own;
  },
  show,
  tell: (own) => `Only the newest secret of ${own} is left.`,
});

export const replayCommand = new Command({
  name: 'webhooks.replay',
  summary: 'Delivers an event again to each endpoint that subscribes to it, or a single delivery.',
  examples: ['webhooks replay evt_0123456789abcdef'],
  args: { id: text('The id of the event or the delivery.') },
  run: ({ webhooks }, args: { readonly id: string }) => webhooks.replay(args.id),
  tell: (planned) => {
    if (planned.length === 0) return 'No endpoint subscribes to this event.';
    return `Delivers ${planned.map(({ type, url }) => `${type} to ${url}`).join(', ')} again.`;
  },
});

export const redeliverCommand = new Command({
  name: 'webhooks.redeliver',
  summary:
    'Delivers now each event that an endpoint has not taken, also those that wait for a retry, but none from while it was disabled.',
  examples: ['webhooks redeliver', 'webhooks redeliver we_0123456789abcdef'],
  args: { id },
  run: ({ state }, target: Target) => {
    const endpoint = targetOf(state, target);
    if (!endpoint.enabled) {
      const message = `The webhook endpoint '${endpoint.id}' is disabled. Enable it first.`;
      throw new Problem(409, 'ENDPOINT_DISABLED', message);
    }
    return { count: deliverMissed(state, endpoint) };
  },
  tell: ({ count }) =>
    count === 0 ? `No delivery to the endpoint failed. ${later}` : `Delivers ${eventsText(count)} again.`,
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
    replay: (replayed) => replayCommand.run(world, { id: replayed }),
    rotateSecret: (endpointId) => rotateCommand.run(world, { id: endpointId }).secret,
    dropOldSecrets: (endpointId) => void dropSecretsCommand.run(world, { id: endpointId }),
  };
}
