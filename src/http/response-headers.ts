import type { Redactor } from '../base/redact.ts';
import type { ResponseHeaders } from './transport/received.ts';

/** Returns the request id (*inferred* header names); `undefined` if there is none, or it does not look like one. */
export function requestIdOf(headers: ResponseHeaders, redactor: Redactor): string | undefined {
  const id = headers.get('request-id') ?? headers.get('x-request-id');
  return id === null ? undefined : redactor.id(id);
}

/** Whether the service says that this is the result of an earlier request with the same key. */
export function isReplayed(headers: ResponseHeaders): boolean {
  return headers.get('idempotent-replayed')?.toLowerCase() === 'true';
}
