import { type Issue, issueAt } from '../../base/issue.ts';
import { isLoopbackName } from '../../base/loopback.ts';
import { isWebAddress, isWithUser } from '../../base/web-address.ts';
import type { SignatureScheme } from '../../webhooks/signatures/scheme.ts';
import type { SandboxOpenObject } from '../domain/records/records.ts';

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

/** The host suffix of functions. Its top-level domain is reserved, so no network resolves it. */
const functionHost = '.handler.invalid';

/** Returns the placeholder URL of a function. */
export function functionUrl(name: string): string {
  return `http://${name}${functionHost}/`;
}

/** Whether a URL stands for a function. */
export function isFunctionUrl(url: string): boolean {
  return new URL(url).hostname.endsWith(functionHost);
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

/** Whether an endpoint receives events of a type. */
export function subscribes({ enabled, events }: Endpoint, type: string): boolean {
  return enabled && (events.includes('*') || events.includes(type));
}
