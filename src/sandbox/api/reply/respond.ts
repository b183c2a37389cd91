import { messageOf } from '../../../base/message-of.ts';
import { LedgerError } from '../../domain/ledger.ts';
import { Problem } from '../../domain/problem.ts';

/** A JSON response. */
export function respond(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

/** What a method of the sandbox refuses is wrong in the request; what it cannot do at all is its own defect. */
function statusOf(error: unknown): number {
  if (error instanceof Problem) return error.status;
  return error instanceof LedgerError || error instanceof TypeError ? 500 : 400;
}

/** The response to a request that was refused or failed. Its form never changes, whatever that of `/v1` is. */
export function respondWithError(error: unknown): Response {
  const status = statusOf(error);
  const message = messageOf(error);
  const own = error instanceof Problem ? { code: error.code, param: error.param } : undefined;
  const code = own?.code ?? (status === 500 ? 'SANDBOX_FAILURE' : 'INVALID_PARAMETER');
  return respond({ error: { code, message, param: own?.param } }, status);
}
