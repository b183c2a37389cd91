import type { PreparedCall, Progress } from './call.ts';
import type { ResponseEvent } from './hooks.ts';

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
    // A caller may have passed a card number or a key as the id.
    path: redactor.text(path),
    route,
    attempt: attempts,
    idempotencyKey,
  };
}
