/** Describes error responses for `openapi.json`: the statuses, their codes, and the body. */

import { idempotencyErrors } from '../../src/http/failure/api-errors.ts';
import type { Route } from '../../src/http/request/route.ts';
import type { Examples } from './examples.ts';
import { type Json, refTo } from './json-schema.ts';

/** The meaning of an error status, and the routes that may return it. */
interface Refusal {
  readonly status: number;
  /** The name of its component. */
  readonly name: string;
  readonly description: string;
  readonly of: (route: Route) => boolean;
}

const isPost = ({ method }: Route) => method === 'POST';
const namesObject = ({ path }: Route) => path.includes('{id}');

const refusals: readonly Refusal[] = [
  {
    status: 400,
    name: 'bad_request',
    description: 'A parameter, or the idempotency key, is wrong.',
    of: (route) => isPost(route) || !namesObject(route),
  },
  { status: 401, name: 'unauthorized', description: 'The secret key is missing or wrong.', of: () => true },
  {
    status: 402,
    name: 'payment_declined',
    description: 'The payment was declined.',
    of: ({ movesMoney }) => movesMoney,
  },
  { status: 404, name: 'not_found', description: 'No object has this id.', of: namesObject },
  {
    status: 409,
    name: 'conflict',
    of: isPost,
    description: 'The state of the object, or a running request with the same key, does not allow it.',
  },
  {
    status: 422,
    name: 'unprocessable',
    of: isPost,
    description: 'The request is well formed but cannot be executed, or its key belongs to another request.',
  },
  { status: 429, name: 'rate_limited', description: 'Too many requests.', of: () => true },
  {
    status: 503,
    name: 'unavailable',
    of: isPost,
    description: 'The service cannot check at the moment whether it received the request before.',
  },
];

/** Returns the codes that the interface shows for a status. */
const shownCodes = (status: number): readonly string[] =>
  [...idempotencyErrors].flatMap(([code, own]) => (own.status === status ? code : []));

const inferredText = (description: string): Json => ({
  description,
  'x-source': 'inferred',
  type: 'string',
});

/** The body of an error response, as the sandbox sends it. */
export const errorSchema: Json = {
  description:
    'The body of an error response. The interface does not show one; this is the body that the sandbox sends. A client should also accept other bodies.',
  'x-source': 'inferred',
  type: 'object',
  properties: {
    error: {
      description: 'The error.',
      'x-source': 'inferred',
      type: 'object',
      properties: {
        code: {
          ...inferredText('The error code, for programs. The codes of idempotency keys are shown.'),
          examples: [...idempotencyErrors.keys()],
        },
        message: inferredText('The message, for people.'),
        param: inferredText('The parameter at fault, such as `line_items[0].amount`.'),
        decline_code: inferredText('Why the payment was declined, in the word of the bank.'),
        decline_type: inferredText('Who declined the payment.'),
      },
      required: ['code', 'message'],
      additionalProperties: {},
    },
  },
  required: ['error'],
  additionalProperties: {},
};

const errorBody = (more: Json = {}) => ({
  content: { 'application/json': { 'x-source': 'inferred', schema: refTo('schemas', 'error'), ...more } },
});

function toResponse({ status, description }: Refusal, examples: Examples): Json {
  const bodies = examples.refusals(status);
  const shown = shownCodes(status);
  const inferred = Object.keys(bodies).filter((code) => !shown.includes(code));
  const codes = shown.length === 0 ? '' : ` Shown codes: ${shown.join(', ')}.`;
  return {
    description: description + codes,
    'x-source': shown.length === 0 ? 'inferred' : 'shown',
    ...(shown.length > 0 && { 'x-codes': shown }),
    ...(inferred.length > 0 && { 'x-inferred-codes': inferred }),
    ...errorBody({
      examples: Object.fromEntries(Object.entries(bodies).map(([code, value]) => [code, { value }])),
    }),
  };
}

/** Returns every error response as a component. */
export const refusalResponses = (examples: Examples): Json => ({
  ...Object.fromEntries(refusals.map((refusal) => [refusal.name, toResponse(refusal, examples)])),
  refusal: { description: 'Any other error.', 'x-source': 'inferred', ...errorBody() },
});

/** Returns the error responses of a route by status. */
export const refusalsOf = (route: Route): Json => ({
  ...Object.fromEntries(
    refusals
      .filter((refusal) => refusal.of(route))
      .map(({ status, name }) => [status, refTo('responses', name)]),
  ),
  default: refTo('responses', 'refusal'),
});
