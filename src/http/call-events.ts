import type { ResponseEvent } from './hooks.ts';
import type { PreparedCall, Progress } from './prepared-call.ts';

/** What every event of an attempt tells. */
export function attemptEvent(
  { identity, connection, request, path, route, idempotencyKey, redactor }: PreparedCall,
  { attempts }: Progress,
): Omit<ResponseEvent, 'status' | 'duration' | 'requestId' | 'idempotentReplayed'> {
  const { origin, prefix } = connection.baseUrl;
  return {
    callId: identity.callId,
    operation: identity.operation,
    method: request.method,
    baseUrl: `${origin}${prefix}`,
    // An id that was given in the wrong place may be a card number or a key.
    path: redactor().text(path),
    route,
    attempt: attempts,
    idempotencyKey,
  };
}
