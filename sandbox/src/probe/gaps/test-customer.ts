/** The customer that the probe may create: an object that moves no money. */

import { isRecord } from '../../base/json.ts';
import { routes } from '../../sdk.ts';
import { asAssumed, differs, type Finding, type Gap, notSeen, unusableIds } from '../finding.ts';
import { type Answer, fieldOf, isPlain, okOf, type Question } from '../question.ts';

const firstName = 'Probe';

/** Creates the customer. */
export const creation: Question = {
  kind: 'write',
  method: 'POST',
  path: routes['customers.create'].path,
  body: { first_name: firstName, metadata: { made_by: 'payments-client probe' } },
  operation: 'create',
};

/** Deletes a customer. Two deletions differ in their keys. */
export function deletionOf(id: string): Question {
  const { method, path } = routes['customers.delete'];
  return { kind: 'write', method, path: path.replace('{id}', id), operation: `delete.${id}` };
}

/** Returns the object of a kind in an answer, wherever it is. */
export function objectIn(answer: Answer | undefined, kind: string): object | undefined {
  const json = okOf(answer)?.json;
  const places: readonly unknown[] = [json, fieldOf(json, 'data'), fieldOf(json, kind)];
  return places.filter(isRecord).find(({ id }) => typeof id === 'string');
}

/** Returns the customer in an answer. */
export function customerIn(answer: Answer | undefined): object | undefined {
  return objectIn(answer, 'customer');
}

/** Returns the id of the created customer; `undefined` if the answer does not contain the sent fields. */
export function createdId(answer: Answer | undefined): string | undefined {
  const customer = customerIn(answer);
  const id = fieldOf(customer, 'id');
  return fieldOf(customer, 'first_name') === firstName && typeof id === 'string' ? id : undefined;
}

/** Whether a reused key returns the first result. It comes first, so that the lists contain a customer. */
export const repeatedKey: Gap = {
  id: 'G65',
  title: 'result of a repeated key, and for how long',
  needs: '--create',
  *read() {
    const id = createdId(yield creation);
    if (id === undefined) return notSeen();
    const repeated = yield { ...creation, again: true };
    const second = createdId(repeated);
    if (repeated === undefined || second === undefined) return notSeen();
    if (second !== id) return differs('a second object: this service does not deduplicate');
    return repeated.headers.get('idempotent-replayed')?.toLowerCase() === 'true'
      ? asAssumed('the first result, within one run')
      : differs('the first result, without Idempotent-Replayed');
  },
};

function readDeletion(answer: Answer, id: string): Finding {
  if (answer.text.trim() === '') return asAssumed('nothing', { deletion: 'empty' });
  const customer = customerIn(answer);
  if (fieldOf(customer, 'id') !== id) return notSeen();
  return fieldOf(customer, 'first_name') === undefined
    ? asAssumed('a short confirmation', { deletion: 'confirmation' })
    : asAssumed('the object', { deletion: 'object' });
}

/** The response of a deletion. It comes last, and leaves the customer deleted. */
export const deletion: Gap = {
  id: 'G22',
  title: 'response of a deletion',
  needs: '--create',
  *read() {
    const id = createdId(yield creation);
    if (id === undefined) return notSeen();
    if (!isPlain(id)) return notSeen(unusableIds);
    const deleted = okOf(yield deletionOf(id));
    return deleted === undefined ? notSeen() : readDeletion(deleted, id);
  },
};
