/** Reaches inside: reads one gap at a time, of services that no sandbox can be, and whose other gaps do not matter. */

import { make } from 'payments-client-sandbox/testing';
import { expect } from 'vitest';
import { errorShape } from '../../../src/probe/gaps/error-shape.ts';
import { fields, idPrefixes, statuses, timestamps } from '../../../src/probe/gaps/listed-objects.ts';
import { objectPlace } from '../../../src/probe/gaps/object-place.ts';
import { itemsField, pageLimit } from '../../../src/probe/gaps/pages.ts';
import { requestIdHeader } from '../../../src/probe/gaps/request-id-header.ts';
import { type Answers, lists, page, type Row, reads, unknownPath } from '../support.ts';

const notSeen = ['not seen'];
const at = (...times: readonly number[]) =>
  lists({ products: times.map((created_at, index) => ({ id: `prod_${index}`, created_at })) });
const start = Date.UTC(2000, 0) / 1000;
const end = Date.UTC(2100, 0) / 1000;

reads(timestamps, [
  ['seconds', at(start, end - 1), ['as assumed', 'seconds', { timestamps: 'seconds' }]],
  [
    'milliseconds',
    at(start * 1000, end * 1000 - 1),
    ['differs', 'milliseconds', { timestamps: 'milliseconds' }],
  ],
  ['both', at(start, start * 1000), notSeen],
  ['a time before 2000', at(start, start - 1), notSeen],
  ['a time after 2100', at(end), notSeen],
  ['a time in ms after 2100', at(end * 1000), notSeen],
  ['none', lists({ products: [{ id: 'prod_1' }] }), notSeen],
  [
    'other names of times',
    lists({
      products: [{ id: 'prod_1', updated_at: start }],
      credit_notes: [{ id: 'cn_1', created: start * 1000 }],
    }),
    notSeen,
  ],
]);

const ids = (...some: readonly string[]) => some.map((id) => ({ id }));

reads(idPrefixes, [
  [
    'of kinds that the interface does not show',
    lists({ products: ids('item_1', 'item_2'), accounts: ids('acct_1'), charges: ids('ch_1') }),
    ['as assumed', 'product item_, account acct_', { idPrefixes: { product: 'item_', account: 'acct_' } }],
  ],
  ['two of one kind', lists({ products: ids('item_1', 'prod_2') }), notSeen],
  ['none', lists({ products: ids('1', '2') }), notSeen],
  [
    'another than the interface shows',
    lists({ products: ids('item_1'), charges: ids('ch_1', 'pay_2') }),
    ['differs', 'ids of charge have another prefix than the interface shows'],
  ],
  ['of no object', lists({ products: [] }), notSeen],
]);

const states = (...some: readonly string[]) => some.map((status, index) => ({ id: `pi_${index}`, status }));

reads(statuses, [
  ['all known', lists({ payment_intents: states('succeeded', 'requires_capture') }), ['as assumed']],
  [
    'new ones, once each',
    lists({ payment_intents: states('frozen', 'frozen', 'held'), charges: [{ id: 'ch_1', status: 'lost' }] }),
    ['differs', "payment_intent.status 'frozen', payment_intent.status 'held', charge.status 'lost'"],
  ],
  [
    'a text with a line break',
    lists({ payment_intents: states('a\nb') }),
    ['differs', 'payment_intent.status with a text that cannot be shown'],
  ],
  [
    'more than a line holds',
    lists({ payment_intents: states(...Array.from({ length: 3000 }, (_, index) => `s${index}`)) }),
    ['differs', expect.stringMatching(/^payment_intent\.status 's0', .* 's49' and 950 more$/)],
  ],
  ['of no object', lists({ payment_intents: [] }), notSeen],
  ['of kinds without states', lists({ products: states('frozen') }), notSeen],
]);

const { email: _, ...customer } = make('customer');

const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;

reads(fields, [
  ['whole', lists({ customers: [make('customer')] }), ['as assumed']],
  [
    'one that is absent',
    lists({ customers: [make('customer'), customer] }),
    ['differs', "customer.email; set validation to 'warn'"],
  ],
  [
    'of another type, within a list',
    lists({
      checkout_sessions: [],
      'checkout/sessions': [{ ...make('checkout_session'), line_items: [{}, {}] }],
    }),
    [
      'differs',
      expect.stringMatching(/^checkout_session\.line_items\[\]\.id, .*; set validation to 'warn'$/),
    ],
  ],
  [
    'within deep ones',
    { 'GET /v1/customers': new Response(`{"data":[{"id":"cus_1","metadata":${deep}}],"has_more":false}`) },
    ['differs', expect.stringMatching(/^customer\.object, .*; set validation to 'warn'$/)],
  ],
  ['of no object', lists({ customers: [] }), notSeen],
]);

const product = [{ id: 'prod_1' }];

reads(itemsField, [
  ['data', lists({ products: product, customers: [] }), ['as assumed', 'data', { itemsField: 'data' }]],
  [
    'another',
    {
      'GET /v1/products': page([], 'rows'),
      'GET /v1/customers': { ...page([{ id: 'cus_1' }], 'rows'), tags: [] },
    },
    ['as assumed', 'rows', { itemsField: 'rows' }],
  ],
  [
    'one for each collection',
    { 'GET /v1/products': page(product, 'products'), 'GET /v1/customers': page([], 'customers') },
    ['as assumed', 'a different field for each collection'],
  ],
  [
    'two that fit',
    { 'GET /v1/products': { ...page([]), items: [] } },
    ['not seen', '2 fields fit every page'],
  ],
  [
    'a name that no client accepts',
    { 'GET /v1/products': page([], 'next_cursor') },
    ['not seen', '0 fields fit every page'],
  ],
  ['an empty name', { 'GET /v1/products': page([], '') }, ['not seen', '0 fields fit every page']],
  ['no page', { 'GET /v1/products': { data: product } }, notSeen],
  [
    'any number of fields',
    {
      'GET /v1/products': Object.fromEntries([
        ['has_more', true],
        ...Array.from({ length: 5000 }, (_, at) => [`f${at}`, []]),
      ]),
    },
    ['not seen', '20 fields fit every page'],
  ],
  [
    'fields of every object',
    { 'GET /v1/products': new Response('{"has_more":false,"__proto__":[{"id":"prod_1"}],"constructor":1}') },
    ['not seen', '0 fields fit every page'],
  ],
]);

/** Takes a limit up to a greatest one. */
const upTo = (most: number, status = 400): Answers => ({
  'GET /v1/products': ({ url }: Request) =>
    Number(new URL(url).searchParams.get('limit')) <= most
      ? page([])
      : Response.json({ error: { code: 'LIMIT', message: 'too much' } }, { status }),
});

reads(pageLimit, [
  ['any', upTo(5000), ['as assumed', '1000 is accepted']],
  ['1000', upTo(1000), ['as assumed', '1000 is accepted']],
  ...[999, 100, 37, 1].map(
    (maxLimit): Row => [
      String(maxLimit),
      upTo(maxLimit, maxLimit === 37 ? 422 : 400),
      ['differs', `at most ${maxLimit}`, { maxLimit }],
    ],
  ),
  ['not even 1', upTo(0), notSeen],
  ['a failure beyond it', upTo(100, 500), notSeen],
]);

/** Answers with a header of the nth value to the nth request. */
function numbered(...names: readonly string[]): Answers {
  let count = 0;
  return {
    'GET /v1/products': () => {
      count += 1;
      return Response.json({}, { headers: Object.fromEntries(names.map((name) => [name, `r${count}`])) });
    },
  };
}

const header = (name: string, verdict = 'as assumed') => [verdict, name, { requestIdHeader: name }];

reads(requestIdHeader, [
  ['an assumed one', numbered('x-request-id'), header('x-request-id')],
  [
    'an assumed one before others',
    numbered('cf-ray', 'x-correlation-id', 'request-id'),
    header('request-id'),
  ],
  ['another', numbered('x-correlation-id'), header('x-correlation-id', 'differs')],
  ['unknown', numbered('x-tea'), notSeen],
  [
    'the same id each time',
    { 'GET /v1/products': Response.json({}, { headers: { 'x-request-id': 'r1' } }) },
    notSeen,
  ],
  [
    'not in each answer',
    {
      ...numbered('x-request-id'),
      'GET /v1/products?limit=3': Response.json({}),
    },
    notSeen,
  ],
]);

const error = { code: 'BAD', message: 'none' };
const everywhere = (body: unknown, init: ResponseInit = { status: 400 }) => {
  const answer = typeof body === 'string' ? new Response(body, init) : Response.json(body, init);
  const [asDeleted, asRead] = [
    'DELETE /v1/customers/cus_no_such_object_payments_client_probe',
    'GET /v1/products',
  ];
  return { [asDeleted]: answer, [asRead]: answer };
};
const problem = { status: 400, headers: { 'content-type': 'application/problem+json' } };

reads(errorShape, [
  ...(
    [
      ['nested', everywhere({ error })],
      ['flat', everywhere(error)],
      ['flat', everywhere({ code: 'BAD', detail: 'none' })],
      ['list', everywhere({ errors: [error] })],
      ['problem', everywhere({ ...error, title: 'Bad' })],
      ['problem', everywhere(error, problem)],
      ['text', everywhere('BAD_REQUEST: none')],
      ['html', everywhere('<html><h1>BAD_REQUEST: none</h1>')],
    ] as const
  ).map(([shape, answers]): Row => [shape, answers, ['as assumed', shape, { errorShape: shape }]]),
  [
    'two shapes',
    { ...everywhere({ error }), 'GET /v1/products?limit=0': Response.json(error, { status: 400 }) },
    notSeen,
  ],
  ['an unknown shape', everywhere({ message: 'none' }), notSeen],
  ['a page of a proxy', everywhere('<html><h1>Bad gateway</h1>'), notSeen],
  ['failures of the service only', everywhere({ error }, { status: 500 }), notSeen],
]);

/** A service that shows its products in one place. */
const showing = (...bodies: readonly unknown[]): Answers => ({
  'GET /v1/products': page(ids('prod_1')),
  'GET /v1/charges': page(ids('ch_1')),
  'GET /v1/products/prod_1': bodies[0],
  'GET /v1/charges/ch_1': bodies[1] ?? unknownPath(),
});

const place = (name: string, detail = name) => ['as assumed', detail, { objectPlace: name }];

reads(objectPlace, [
  ['whole', showing({ id: 'prod_1' }), place('whole')],
  ['data', showing({ data: { id: 'prod_1' } }, { data: { id: 'ch_1' } }), place('data')],
  ['type', showing({ product: { id: 'prod_1' } }), place('type', 'under the name of its type')],
  ['two places of one object', showing({ id: 'prod_1', data: { id: 'prod_1' } }), notSeen],
  ['two places of two objects', showing({ id: 'prod_1' }, { data: { id: 'ch_1' } }), notSeen],
  ['another object', showing({ data: { id: 'prod_2' } }), notSeen],
  [
    'ids that fit no path',
    lists({ products: ids('../charges') }),
    ['not seen', "the ids in the answers are not plain: letters, digits, '_' and '-'"],
  ],
]);
