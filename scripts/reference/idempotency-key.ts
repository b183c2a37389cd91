/** What `openapi.json` says of idempotency keys: the header of a request, and the mark of a replay. */

import type { Examples } from './examples/examples.ts';
import type { Json } from './json-schema.ts';

/** The header of a request that is posted. The service takes a key, and does not ask for one. */
export const keyParameter = ({ success }: Examples): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names one business operation, and stays the same when the request is sent again. Derive it from an id of your own; a random key for each attempt is wrong.',
  'x-source': 'shown',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: success('refunds.create').key,
});

/** The header of a response that repeats an earlier one. */
export const replayedHeader: Json = {
  description: 'The result of an earlier request with the same key, endpoint and body.',
  'x-source': 'shown',
  schema: { type: 'string', const: 'true' },
};
