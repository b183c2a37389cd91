import type { Inline } from '../../base/inline.ts';
import { issueWithin } from '../../base/issue.ts';
import { optionsOf } from '../../base/options.ts';
import { refuse } from '../../base/refuse.ts';
import * as s from '../../base/schema.ts';
import { defaults } from '../domain/object-defaults.ts';
import type { SandboxOpenObject } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import type { DeliverySender, WebhookTarget } from './delivery-sender.ts';
import { type Endpoint, endpointIssue, functionUrl, isFunctionUrl, readEndpoint } from './endpoint.ts';
import { newSecret } from './new-secret.ts';

/** Options of an endpoint. */
export type EndpointOptions = Inline<{
  /** The event types. Default: all. */
  readonly events?: readonly string[] | undefined;
  /** The signing secret. Default: a generated one. */
  readonly secret?: string | undefined;
}>;

/** Returns the fields of an endpoint that has a URL, with defaults. */
export function endpointFields(
  state: State,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { enabled_events = ['*'], secret = newSecret(state), status = 'enabled' } = given;
  return { ...given, enabled_events, secret, status };
}

function addressOf(state: State, sender: DeliverySender, target: WebhookTarget): string {
  const url = functionUrl(state.ids.text());
  sender.mount(url, target);
  return url;
}

function add(state: State, url: string, { events, secret }: EndpointOptions): SandboxOpenObject {
  const given = {
    url,
    ...(events !== undefined && { enabled_events: [...events] }),
    ...(secret !== undefined && { secret }),
  };
  const issue = endpointIssue(given, state.settings.scheme);
  if (issue !== undefined) refuse([issueWithin('sandbox.webhooks', issue)], 'Correct the endpoint.');
  const object = { ...endpointFields(state, given), ...defaults.webhook_endpoint(state) };
  return state.unit(() => state.objects.webhook_endpoint.add(object));
}

/**
 * Registers an endpoint from code.
 *
 * @throws ConfigurationError for an invalid URL, event list or secret.
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

/** A webhook endpoint in the sandbox's options. */
export type WebhookOption = EndpointOptions & {
  /** The URL, or a function that handles deliveries in this process. */
  readonly url: string | WebhookTarget;
};

/** A function or a text. Registration validates the URL. */
const isTarget = (value: unknown) => typeof value === 'string' || typeof value === 'function';

/** The schema of an endpoint in the options. */
export const webhookOption = optionsOf<WebhookOption>(() => ({
  url: s.custom<WebhookOption['url']>(isTarget, 'an address or a function'),
  events: s.optional(s.array(s.string())),
  secret: s.optional(s.string()),
}));

/** Deletes the endpoints whose functions belonged to an earlier process: nothing can reach them. */
export function forgetFunctions(state: State): void {
  const { webhook_endpoint: endpoints } = state.objects;
  state.unit(() => {
    for (const object of endpoints.all()) {
      const endpoint = readEndpoint(object);
      if (endpoint !== undefined && isFunctionUrl(endpoint.url)) endpoints.remove(endpoint.id);
    }
  });
}

/** Registers the endpoints of the options, unless their URL is registered already. */
export function registerAll(state: State, sender: DeliverySender, webhooks: readonly WebhookOption[]): void {
  for (const { url, ...options } of webhooks) {
    const known = state.objects.webhook_endpoint.all().some((object) => object['url'] === url);
    if (!known) register(state, sender, url, options);
  }
}
