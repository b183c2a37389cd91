/** What `openapi.json` says of idempotency keys: the header, the mark of a replay, and the refusals. */

import { idempotencyErrors } from '../../src/http/refusal.ts';
import { type Json, refTo } from './json-schema.ts';

const any = { 'application/json': { schema: {} } };

/** The component with the refusals of a status. */
const refusalOf = (status: number) => `idempotency_${status}`;

function codesByStatus(): ReadonlyMap<number, readonly string[]> {
  const all = new Map<number, readonly string[]>();
  for (const [code, [status]] of idempotencyErrors) all.set(status, [...(all.get(status) ?? []), code]);
  return all;
}

/** The header of a request that is posted. The service takes a key, and does not ask for one. */
export const keyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names one business operation, and stays the same when the request is sent again. Derive it from an id of your own; a random key for each attempt is wrong.',
  'x-source': 'shown',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** The header of a response that repeats an earlier one. */
export const replayedHeader: Json = {
  description: 'The result of an earlier request with the same key, endpoint and body.',
  'x-source': 'shown',
  schema: { type: 'string', const: 'true' },
};

/** A refusal of a request that carries no key. */
export const refusal: Json = { description: 'A refusal. Its body is not shown.', content: any };

/** The refusals of a key, by the names of their components. */
export const keyRefusals: Json = Object.fromEntries(
  [...codesByStatus()].map(([status, codes]) => [
    refusalOf(status),
    {
      description: `A refusal of the idempotency key: ${codes.join(' or ')}. Others may have this status too. The body is not shown.`,
      'x-source': 'shown',
      'x-codes': codes,
      content: any,
    },
  ]),
);

/** The responses of a request that is posted, beside those of success. */
export const keyResponses: Json = Object.fromEntries(
  [...codesByStatus().keys()].map((status) => [status, refTo('responses', refusalOf(status))]),
);
