/** Makes the errors of a call: what happened, what it means for money, then the facts. */

import type { ErrorFields } from '../base/errors.ts';
import type { Outcome } from '../base/outcome.ts';
import {
  type CallError,
  PaginationError,
  RequestAbortedError,
  type TimeoutCode,
  TimeoutError,
} from './call-errors.ts';
import { isRepeatable, type Repetition } from './repeatable.ts';

export interface CallFacts extends Repetition {
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  readonly movesMoney: boolean;
  readonly attempts: number;
}

interface Failure {
  /** What happened, without a full stop. */
  readonly lead: string;
  readonly outcome: Outcome;
  /** What to do next. Default: by outcome. */
  readonly advice?: string | undefined;
  /** A sentence for this failure alone, such as how to correct an inferred path. */
  readonly hint?: string | undefined;
  /** What came, such as `status 402`. Default: the number of attempts. */
  readonly received?: readonly (string | undefined)[];
  /** The service's own text, redacted. */
  readonly detail?: string | undefined;
}

/** Returns what to do next, by outcome; an empty string for a read, which moves nothing. */
function adviceFor(outcome: Outcome, facts: CallFacts): string {
  if (facts.method === 'GET') return '';
  if (outcome === 'not_executed') return 'No money moved by this call.';
  const isExecuted = outcome === 'executed';
  const maybe = facts.movesMoney ? 'Money may have moved' : 'The call may have taken effect';
  const happened = isExecuted ? 'The call took effect' : maybe;
  if (!isRepeatable(facts))
    return `${happened}: ${isExecuted ? 'do not send it again' : 'look the call up before you send it again'}.`;
  if (facts.method === 'DELETE') return `${happened}: calling again has no second effect.`;
  return `${happened}: call again with the same operationId or key to get the original result.`;
}

const plural = (attempts: number) => (attempts === 1 ? '1 attempt' : `${attempts} attempts`);

/** Returns the message of a failed call: what counts comes first, foreign text last. */
export function messageFor(facts: CallFacts, failure: Failure): string {
  const { lead, outcome, advice = adviceFor(outcome, facts), hint, detail } = failure;
  const received = failure.received ?? [plural(facts.attempts)];
  const shown = `${facts.operation}: ${received.filter(Boolean).join(', ')}.`;
  const said = detail && `The service says: ${detail}`;
  return [`${lead}.`, advice, hint, shown, said].filter(Boolean).join(' ');
}

/**
 * Returns the fields that every error of a call has.
 *
 * @param isTransient Whether the cause may go away without a change of the call.
 */
export function fieldsOf(facts: CallFacts, outcome: Outcome, isTransient: boolean): ErrorFields<CallError> {
  const { attempts, idempotencyKey } = facts;
  const retryable = isTransient && (outcome === 'not_executed' || isRepeatable(facts));
  return { attempts, idempotencyKey, outcome, retryable };
}

/** What is known of a call that ended without a usable response. */
interface Interruption {
  readonly code?: string;
  /** Default: `not_executed`. */
  readonly outcome?: Outcome;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
  readonly hint?: string | undefined;
}

export function unanswered<E>(
  ErrorType: new (message: string, fields: ErrorFields<CallError>) => E,
  facts: CallFacts,
  lead: string,
  { outcome = 'not_executed', hint, ...more }: Interruption,
): E {
  const fields = fieldsOf(facts, outcome, more.code !== 'FETCH_THREW');
  return new ErrorType(messageFor(facts, { lead, outcome, hint }), { ...fields, ...more });
}

const limits: Record<TimeoutCode, string> = {
  ATTEMPT_TIMEOUT: 'timeout',
  TOTAL_TIMEOUT: 'totalTimeout',
  WAIT_TIMEOUT: 'the timeout of waitFor',
};

/** Returns the error for a wait that reached a limit of `ms` milliseconds. */
export function timeoutOf(
  facts: CallFacts,
  code: TimeoutCode,
  ms: number,
  failure: Interruption = {},
  awaited = 'complete response',
): TimeoutError {
  const lead = `No ${awaited} within ${ms} ms (${limits[code]})`;
  return unanswered(TimeoutError, facts, lead, { ...failure, code });
}

export function abortedBySignal(facts: CallFacts, failure: Interruption): RequestAbortedError {
  return unanswered(RequestAbortedError, facts, 'The call was aborted by its signal', failure);
}

export function receivedOf(response: {
  readonly status: number;
  readonly code?: string | undefined;
  readonly requestId: string | undefined;
}): readonly (string | undefined)[] {
  const { status, code, requestId } = response;
  return [`status ${status}`, code && `code ${code}`, requestId && `request id ${requestId}`];
}

/** Returns the error for a page that breaks the rules of pagination. `problem` is a sentence. */
export function incompleteList(
  operation: string,
  code: 'MISSING_HAS_MORE' | 'MISSING_CURSOR' | 'CURSOR_DID_NOT_MOVE' | 'REPEATED_ITEM' | 'EMPTY_PAGES',
  problem: string,
): PaginationError {
  const advice = 'The list is not complete: do not treat these items as all of it.';
  return new PaginationError(`${operation}: ${problem} ${advice}`, { code });
}
