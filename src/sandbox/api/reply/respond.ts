import { messageOf } from '../../../base/thrown.ts';
import { LedgerError } from '../../domain/check-ledger.ts';
import { Problem } from '../../domain/problem.ts';

/** Creates a JSON response. */
export function respond(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

/** A refused argument, or a step that the state does not allow: 400. A `TypeError` or `LedgerError` is a defect: 500. */
function statusOf(error: unknown): number {
  if (error instanceof Problem) return error.status;
  return error instanceof LedgerError || error instanceof TypeError ? 500 : 400;
}

/** Creates the response to a rejected or failed request. Its shape does not depend on the configured error shape. */
export function respondWithError(error: unknown): Response {
  const status = statusOf(error);
  const message = messageOf(error);
  const own = error instanceof Problem ? { code: error.code, param: error.param } : undefined;
  const code = own?.code ?? (status === 500 ? 'SANDBOX_FAILURE' : 'INVALID_PARAMETER');
  return respond({ error: { code, message, param: own?.param } }, status);
}
