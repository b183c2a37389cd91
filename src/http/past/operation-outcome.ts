/** What an error says of the operation that its call names: what its journal knows, and otherwise what this process knows. */

import { type Outcome, PaymentsError } from '../../base/errors.ts';
import { bounded, second } from '../../base/time.ts';
import { type Call, type CallDescription, isRaisedBy } from '../call.ts';
import { PaginationError, RequestAbortedError, raiseOutcome } from '../failure/call-errors.ts';
import type { ReceivedResponse } from '../transport/transport.ts';
import type { OutcomeQuestion } from './call-journal.ts';
import type { Past } from './history.ts';

/** Lets an error say what is known of the operation that its call names, and not of this call alone. */
export async function speakOfOperation(
  call: Call,
  { returns }: Pick<CallDescription<unknown, never>, 'returns'>,
  error: PaymentsError,
): Promise<void> {
  // An error of a read is of no operation.
  if (call.method === 'GET' || error instanceof PaginationError) return;
  // What refuses a value does not know that it is that of a call.
  const own = error.outcome === 'not_an_operation' ? 'not_executed' : error.outcome;
  Object.assign(error, { outcome: own });
  const judge = (response: ReceivedResponse) => returns.judge(response, call.connection);
  const { outcome, isKeyKnown } = await pastOf(call, own, judge);
  const isOld = !isKeyKnown && own === 'unknown';
  if (isRaisedBy(own, outcome) || isOld) raiseOutcome(error, outcome, call, isKeyKnown);
}

/**
 * Returns what is known of a call's operation: what its journal knows, also of other processes, and otherwise what this process knows.
 *
 * @param own What the call itself may have done.
 */
async function pastOf(call: Call, own: Outcome, judge: OutcomeQuestion['judge']): Promise<Past> {
  const { operationKey: key, connection, credential, inProcess, recorded, movesMoney } = call;
  const { journal, history } = connection;
  // A journal itself refuses a repeat that is too late.
  const byJournal = (outcome: Outcome) => ({ outcome, isKeyKnown: true });
  if (recorded !== undefined) return byJournal(recorded);
  if (inProcess !== undefined) {
    const { isKeyKnown } = inProcess;
    return { outcome: inProcess.end(own, call.endsDoubt), isKeyKnown };
  }
  if (key === undefined) return byJournal(own);
  if (journal === undefined || !movesMoney) return history.pastOf(credential, call.operation, key);
  const { operation, signal } = call;
  const sender = credential === '' ? undefined : call.sender;
  const question = { operation, key, judge };
  if (!signal?.aborted) return byJournal(await journal.outcomeOf({ ...question, signal }, sender));
  // Its caller has waited long enough, but what was never sent must not look as if it had been.
  const answer = bounded(journal.outcomeOf({ ...question, signal: undefined }, sender), undefined, second);
  return byJournal(await answer.catch((): Outcome => 'unknown'));
}

/** Returns what a journal's refusal says of the operation. What did not wait for its record says nothing of it. */
export function outcomeIn(error: unknown): Outcome {
  const isOfRecord = error instanceof PaymentsError && !(error instanceof RequestAbortedError);
  return isOfRecord && error.outcome !== 'not_an_operation' ? error.outcome : 'unknown';
}
