import { optionsOf } from '../../base/options.ts';
import * as s from '../../base/schema.ts';
import { defaults } from '../domain/object-defaults.ts';
import type { SandboxOpenObject } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import type { DeliverySender, WebhookTarget } from './delivery-sender.ts';
import { type Endpoint, endpointProblem, readEndpoint } from './endpoint.ts';
import { newSecret } from './new-secret.ts';

/** How an endpoint subscribes. */
export interface EndpointOptions {
  /** The types of events. Default: all of them. */
  readonly events?: readonly string[] | undefined;
  /** The signing secret. Default: a new one. */
  readonly secret?: string | undefined;
}

/** The fields of an endpoint that has an address: what came, and defaults for what did not. */
export function endpointFields(
  state: State,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { enabled_events = ['*'], secret = newSecret(state), status = 'enabled' } = given;
  return { ...given, enabled_events, secret, status };
}

/** The address of a function. No network has it: the top-level domain is reserved for that. */
function addressOf(state: State, sender: DeliverySender, target: WebhookTarget): string {
  const url = `http://${state.ids.text()}.handler.invalid/`;
  sender.mount(url, target);
  return url;
}

function add(state: State, url: string, { events, secret }: EndpointOptions): SandboxOpenObject {
  const given = {
    url,
    ...(events !== undefined && { enabled_events: [...events] }),
    ...(secret !== undefined && { secret }),
  };
  const problem = endpointProblem(given, state.settings.scheme);
  if (problem !== undefined) throw new RangeError(`sandbox.webhooks: ${problem.param}: ${problem.expected}.`);
  const object = { ...endpointFields(state, given), ...defaults.webhook_endpoint(state) };
  return state.unit(() => state.objects.webhook_endpoint.add(object));
}

/**
 * Registers an endpoint in this process.
 *
 * @throws RangeError for an address, events or a secret that are none.
 */
export function register(
  state: State,
  sender: DeliverySender,
  target: string | WebhookTarget,
  options: EndpointOptions,
): Endpoint {
  const url = typeof target === 'string' ? target : addressOf(state, sender, target);
  const endpoint = readEndpoint(add(state, url, options));
  if (endpoint === undefined) throw new Error('sandbox.webhooks: the endpoint was not registered.');
  return endpoint;
}

/** An endpoint that the sandbox is made with. */
export interface WebhookOption extends EndpointOptions {
  /** The address that events are sent to, or a function that answers in this process. */
  readonly url: string | WebhookTarget;
}

/** A function or a text; what an address must be, is said where it is registered. */
const isTarget = (value: unknown) => typeof value === 'string' || typeof value === 'function';

/** The schema of an endpoint that the sandbox is made with. */
export const webhookOption = optionsOf<WebhookOption>({
  url: s.custom<WebhookOption['url']>(isTarget, 'an address or a function'),
  events: s.optional(s.array(s.string())),
  secret: s.optional(s.string()),
});

/** Registers the endpoints of the options, but for an address that is registered already. */
export function registerAll(state: State, sender: DeliverySender, webhooks: readonly WebhookOption[]): void {
  for (const { url, ...options } of webhooks) {
    const known = state.objects.webhook_endpoint.all().some((object) => object['url'] === url);
    if (!known) register(state, sender, url, options);
  }
}
