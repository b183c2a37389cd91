/** The customer that the probe makes, where it may: an object that moves no money. */

import { routes } from '../../resources/routes.ts';
import { asAssumed, differs, type Finding, type Gap, notSeen } from '../finding.ts';
import { type Answer, fieldOf, okOf, type Question, type Reading } from '../question.ts';

const creation: Question = {
  kind: 'write',
  method: 'POST',
  path: routes['customers.create'].path,
  body: { first_name: 'Probe', metadata: { made_by: 'payments-client probe' } },
  operation: 'create',
};

/** The id in an answer, wherever the object stands. */
function idIn(answer: Answer | undefined): string | undefined {
  const json = okOf(answer)?.json;
  const ids = [json, fieldOf(json, 'data'), fieldOf(json, 'customer')].map((value) => fieldOf(value, 'id'));
  return ids.find((id) => typeof id === 'string');
}

/** Whether a key that is used again gives the first result. It comes first, so that the lists have a customer. */
export const repeatedKey: Gap = {
  id: 'G65',
  title: 'what a repeated key gives, and for how long',
  needs: '--create',
  *read() {
    const id = idIn(yield creation);
    if (id === undefined) return notSeen();
    const repeated = yield { ...creation, again: true };
    const second = idIn(repeated);
    if (repeated === undefined || second === undefined) return notSeen();
    if (second !== id) return differs('a second object: this service does not deduplicate');
    return repeated.headers.get('idempotent-replayed')?.toLowerCase() === 'true'
      ? asAssumed('the first result, within one run')
      : differs('the first result, without Idempotent-Replayed');
  },
};

function readDeletion(answer: Answer): Finding {
  const { json, text } = answer;
  if (text.trim() === '') return asAssumed('nothing', { deletion: 'empty' });
  if (idIn(answer) === undefined) return notSeen();
  const objects = [json, fieldOf(json, 'data'), fieldOf(json, 'customer')];
  const isWhole = objects.some((value) => fieldOf(value, 'first_name') !== undefined);
  return isWhole
    ? asAssumed('the object', { deletion: 'object' })
    : asAssumed('a short confirmation', { deletion: 'confirmation' });
}

function* about(
  id: string,
  name: 'customers.delete' | 'customers.restore',
  operation: string,
): Reading<Answer | undefined> {
  const { method, path } = routes[name];
  return yield { kind: 'write', method, path: path.replace('{id}', encodeURIComponent(id)), operation };
}

/** What a deletion answers. It comes last, and leaves the customer deleted. */
export const deletion: Gap = {
  id: 'G22',
  title: 'response of a deletion',
  needs: '--create',
  *read() {
    const id = idIn(yield creation);
    if (id === undefined) return notSeen();
    const deleted = okOf(yield* about(id, 'customers.delete', 'delete'));
    return deleted === undefined ? notSeen() : readDeletion(deleted);
  },
};
