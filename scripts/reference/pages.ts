/** Describes lists for `openapi.json`: their parameters, and their pages. */

import { inferredMark } from './describe-fields.ts';
import { type Json, refTo } from './json-schema.ts';

const limitText =
  'The number of objects on a page. At most 100 beside `offset`; the cursor form has no stated bound.';

/** The bounds of the offset form. The interface shows none for the cursor form, and no least value. */
const limitSchema = {
  type: 'integer',
  ...inferredMark(['minimum']),
  minimum: 1,
  'x-maximum-with-offset': 100,
};

/** The parameters of lists, as components. */
export const listParameters = {
  limit: {
    name: 'limit',
    in: 'query',
    description: `${limitText} Default: 20 beside \`offset\`; that of the cursor form is not shown.`,
    'x-source': 'shown',
    schema: { ...limitSchema, 'x-default-with-offset': 20 },
  },
  limit_or_all: {
    name: 'limit',
    in: 'query',
    description: `${limitText} Default: the whole list on one page.`,
    'x-source': 'shown',
    schema: limitSchema,
  },
  starting_after: {
    name: 'starting_after',
    in: 'query',
    description:
      'The id of the last object seen: the page starts strictly after it, newest first. Give `next_cursor` here. Never beside `offset`.',
    'x-source': 'shown',
    'x-exclusive-with': ['offset'],
    schema: { type: 'string' },
  },
  offset: {
    name: 'offset',
    in: 'query',
    description:
      'The number of objects to skip. Pages shift when objects are created meanwhile; `starting_after` is preferred. Never beside it.',
    'x-source': 'shown',
    'x-exclusive-with': ['starting_after'],
    schema: { type: 'integer', minimum: 0 },
  },
} as const satisfies Readonly<Record<string, Json>>;

/** The lists that return everything without a limit. */
const wholeLists: readonly string[] = ['apiKeys', 'webhookEndpoints'];

/** Returns references to the parameters of a collection's list. */
export function listParametersOf(collection: string): readonly Json[] {
  const limit: keyof typeof listParameters = wholeLists.includes(collection) ? 'limit_or_all' : 'limit';
  return [limit, 'starting_after', 'offset'].map((name) => refTo('parameters', name));
}

/** Returns a page of an object kind. */
export function pageOf(component: string): Json {
  return {
    type: 'object',
    properties: {
      data: {
        description:
          'The objects. The name of this field is not shown; `data` is the first that the SDK looks for.',
        'x-source': 'inferred',
        type: 'array',
        items: refTo('schemas', component),
      },
      has_more: {
        description: 'Whether more objects follow. A list is complete only when this is false.',
        'x-source': 'shown',
        type: 'boolean',
      },
      next_cursor: {
        description: 'The id of the last object on the page; present when `has_more` is true.',
        'x-source': 'shown',
        type: 'string',
      },
    },
    required: ['data', 'has_more'],
    additionalProperties: {},
  };
}
