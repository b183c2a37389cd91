import type { PreparedCall } from './call.ts';
import type { ResponseHeaders } from './transport/received.ts';

/** Returns the request id (*inferred* header names); `undefined` if there is none, or it does not look like one. */
export function requestIdOf(call: PreparedCall, headers: ResponseHeaders): string | undefined {
  const { requestIdHeader } = call.connection.forms;
  const known =
    requestIdHeader === undefined ? ['request-id', 'x-request-id'] : [requestIdHeader.toLowerCase()];
  const id = known.map((name) => headers.get(name)).find((value) => value !== null);
  return id === undefined || id === null ? undefined : call.redactor.id(id);
}

/** Whether the service says that this is the result of an earlier request with the same key. */
export function isReplayed(headers: Pick<ResponseHeaders, 'get'>): boolean {
  return headers.get('idempotent-replayed')?.toLowerCase() === 'true';
}
