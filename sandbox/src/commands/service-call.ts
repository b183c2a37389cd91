import type { RouteName } from 'payments-client';
import { errorIn } from '../api/reply.ts';
import type { State } from '../domain/state.ts';
import { routes } from '../sdk.ts';
import type { World } from './world.ts';

/** A request to the service on behalf of the app, without its credentials. */
export interface ServiceCall {
  readonly path: string;
  readonly body: string | URLSearchParams | FormData;
  readonly headers: Readonly<Record<string, string>>;
}

/** The reply to it. */
export interface ServiceReply {
  readonly status: number;
  readonly isReplayed: boolean;
  /** The parsed body; `undefined` if it is not JSON. */
  readonly body: unknown;
}

/** Parameters of a method, with the id in its path and the idempotency key. */
interface MethodParameters {
  readonly id?: string | undefined;
  readonly body?: object | undefined;
  readonly key: string;
}

/** Returns the call of a method. */
export function methodCall(
  { settings }: State,
  operation: RouteName,
  { id = '', body = {}, key }: MethodParameters,
): ServiceCall {
  const { path } = settings.forms.routes.get(operation) ?? routes[operation];
  return {
    path: path.replace('{id}', encodeURIComponent(id)),
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  };
}

/**
 * Sends a call.
 *
 * @throws ConnectionDropped when a fault drops the connection.
 */
export async function sendCall(
  { secretKey, serve }: Pick<World, 'secretKey' | 'serve'>,
  { path, body, headers }: ServiceCall,
): Promise<ServiceReply> {
  const request = new Request(new URL(path, 'http://localhost'), {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${secretKey}` },
    body,
  });
  const response = await serve(request);
  return {
    status: response.status,
    isReplayed: response.headers.get('idempotent-replayed') === 'true',
    body: await response.json().catch(() => undefined),
  };
}

/** Says why the service rejected a call. */
export function rejectionText({ status, body }: ServiceReply): string {
  return `The service rejected the request with ${status}: ${errorIn(body).message ?? 'no reason given'}`;
}
