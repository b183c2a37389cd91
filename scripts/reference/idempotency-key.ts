/** Describes idempotency keys for `openapi.json`: the request header, and the header of a replay. */

import { inferredMark } from './describe-fields.ts';
import type { Examples } from './examples.ts';
import type { Json } from './json-schema.ts';

/** The header of a POST request. The service accepts a key, but does not require one. */
export const keyParameter = ({ success }: Examples): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Identifies one business operation, and stays the same when the request is retried. Derive it from an id of your own; a random key for each attempt is wrong.',
  'x-source': 'shown',
  schema: { type: 'string', ...inferredMark(['minLength']), minLength: 1, maxLength: 255 },
  example: success('refunds.create').key,
});

/** The header of a replayed response. */
export const replayedHeader: Json = {
  description: 'The result of an earlier request with the same key, endpoint and body.',
  'x-source': 'shown',
  schema: { type: 'string', const: 'true' },
};
