import type { Issue } from 'payments-client';
import type { SignatureScheme } from 'payments-client/webhooks';
import type { Inline } from '../base/inline.ts';
import { issueAt, issueWithin } from '../base/issue.ts';
import { refuse } from '../base/refuse.ts';
import * as s from '../base/schema.ts';
import { isLoopbackName, isWebAddress, isWithUser } from '../base/web-address.ts';
import { defaults } from '../domain/object-defaults.ts';
import type { SandboxOpenObject } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import type { DeliverySender, WebhookTarget } from './delivery-sender.ts';
import { functionUrl, isFunctionUrl } from './delivery-sender.ts';
import { newSecret } from './new-secret.ts';

/** The fields of a webhook endpoint that deliveries need. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  /** The event types that it subscribes to; `*` stands for all. */
  readonly events: readonly string[];
  /** All signing secrets, newest first; at least one. */
  readonly secrets: readonly [string, ...string[]];
  readonly enabled: boolean;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isText) : [];
}

/** Whether a URL is on this machine, judged by its host name. */
export function isOnThisMachine(url: string): boolean {
  return isLoopbackName(new URL(url).hostname);
}

/** Returns the first issue of an endpoint's fields; `undefined` if there is none. */
export function endpointIssue(
  fields: Readonly<Record<string, unknown>>,
  { checkSecret }: SignatureScheme,
): Issue | undefined {
  const { url, enabled_events: events, secret, status } = fields;
  if (url !== undefined && !isWebAddress(url)) {
    return issueAt('url', 'a URL that begins with http:// or https://', url);
  }
  if (url !== undefined && isWithUser(url)) {
    return { path: 'url', expected: 'a URL without a user name and a password', received: 'one with them' };
  }
  if (events !== undefined && !(Array.isArray(events) && events.length > 0 && events.every(isText))) {
    return issueAt('enabled_events', "a list of event types, or ['*']", events);
  }
  if (status !== undefined && status !== 'enabled' && status !== 'disabled') {
    return issueAt('status', "'enabled' or 'disabled'", status);
  }
  if (secret === undefined) return undefined;
  const received = isText(secret) ? checkSecret?.(secret) : 'an empty value';
  return received === undefined
    ? undefined
    : { path: 'secret', expected: 'a signing secret of the scheme', received };
}

/** Returns the endpoint of an object; `undefined` without a URL or a secret, since it gets no deliveries then. */
export function readEndpoint(object: SandboxOpenObject | undefined): Endpoint | undefined {
  if (object === undefined) return undefined;
  const { id, url, secret, status } = object;
  if (!isWebAddress(url) || !isText(secret)) return undefined;
  const events = texts(object['enabled_events']);
  return {
    id,
    url,
    events: events.length === 0 ? ['*'] : events,
    secrets: [secret, ...texts(object['previous_secrets'])],
    enabled: status !== 'disabled' && object['enabled'] !== false,
  };
}

export function subscribes({ enabled, events }: Endpoint, type: string): boolean {
  return enabled && (events.includes('*') || events.includes(type));
}

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

export const webhookOption = s.optionsOf<WebhookOption>(() => ({
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

/**
 * Registers the endpoints of the options, unless their URL is registered already. Those without a secret of their own get
 * `common`.
 */
export function registerAll(
  state: State,
  sender: DeliverySender,
  webhooks: readonly WebhookOption[],
  common: string,
): void {
  for (const { url, events, secret = common } of webhooks) {
    const known = state.objects.webhook_endpoint.all().some((object) => object['url'] === url);
    if (!known) register(state, sender, url, { events, secret });
  }
}
