/** The events of a call that only the whole call knows: its failure and its end. */

import type { PaymentsError } from '../../base/errors.ts';
import type { Call, CallDescription } from '../call.ts';
import type { CallOutcome, EndEvent, ErrorEvent } from './hooks.ts';

/** What became of a call: its value or its error. With neither, nobody waited for it any more, or the SDK has a defect. */
export interface Ending<T> {
  readonly returned?: { readonly value: T };
  readonly error?: PaymentsError;
}

/** The caller's own id may hold a card number, a key or an email address. Then it is not shown. */
function shownOperationId({ operationId, redactor }: Call): string | undefined {
  return operationId === undefined ? undefined : redactor.id(operationId);
}

/** Every decline has a `declineReason`. A transaction that could not be processed is no decline. */
function outcomeOfError(error: PaymentsError): CallOutcome {
  const { declineReason, errored }: Readonly<Record<string, unknown>> = Object(error);
  const isDecline = error.outcome === 'not_executed' && declineReason !== undefined && errored !== true;
  return isDecline ? 'declined' : error.outcome;
}

export function errorEvent(call: Call, error: PaymentsError): ErrorEvent {
  const { callId, operation } = call;
  return { callId, operation, operationId: shownOperationId(call), error, requestId: error.requestId };
}

/** A key that is made of the caller's own id has it in another form, so it is shown only with that id. */
export function shownKey(call: Call): string | undefined {
  const { operationId, idempotencyKey, redactor } = call;
  const isHidden = operationId !== undefined && shownOperationId(call) === undefined;
  return idempotencyKey === undefined || isHidden ? undefined : redactor.text(idempotencyKey);
}

export function endEvent<T>(
  call: Call,
  { returns, isWanted }: Pick<CallDescription<T, never>, 'returns' | 'isWanted'>,
  { returned, error }: Ending<T>,
): EndEvent {
  const { callId, operation, redactor, startedAt } = call;
  const summary = returned && returns.summarize?.(returned.value);
  const objectId = summary?.objectId;
  const withoutResult = isWanted?.() === false ? 'dropped' : 'unknown';
  const withoutError = returned ? (summary?.outcome ?? 'ok') : withoutResult;
  return {
    callId,
    operation,
    operationId: shownOperationId(call),
    idempotencyKey: shownKey(call),
    objectId: typeof objectId === 'string' ? redactor.id(objectId) : undefined,
    outcome: error ? outcomeOfError(error) : withoutError,
    duration: performance.now() - startedAt,
    error,
  };
}
