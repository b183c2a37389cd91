/** Reaches inside: what the dashboard writes of values, faults, errors and changes, as functions. */

import { describe, expect, it } from 'vitest';
import type { RecordedChange, RecordedRequest } from '../../../src/stories/entry.ts';
import { withPage } from './in-node.ts';

const [values, { curlOf }, entryText, { faultText }, { withoutSecrets }, { differencesOf }, route] =
  await withPage(() =>
    Promise.all([
      import('../../../src/dashboard/kit/values.tsx'),
      import('../../../src/dashboard/curl.ts'),
      import('../../../src/dashboard/entry-text.ts'),
      import('../../../src/dashboard/fault-text.ts'),
      import('../../../src/dashboard/kit/api.ts'),
      import('../../../src/dashboard/kit/code.tsx'),
      import('../../../src/dashboard/kit/route.ts'),
    ]),
  );

describe('an amount', () => {
  it.each([
    [5500, 'USD', '$55.00'],
    [-5500, 'USD', '-$55.00'],
    [5500, 'JPY', '¥5,500'],
    [5500, 'KWD', 'KWD 5.500'],
    [5500, 'no currency', '5500 no currency'],
  ])('of %i %s is %s', (amount, currency, text) => {
    expect(values.moneyText(amount, currency).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it.each([
    ['12.00', 'USD', '$12.00'],
    ['12', 'JPY', '¥12'],
    ['12.00', '', '12.00'],
  ])('of the form endpoint, %s %s, is %s', (amount, currency, text) => {
    expect(values.decimalText(amount, currency)).toBe(text);
  });
});

it.each([
  [0, '0 ms', 'now'],
  [999, '999 ms', 'now'],
  [1_000, '1 s', '1 s ago'],
  [61_000, '1 min 1 s', '1 min ago'],
  [3_600_000, '1 h', '1 h ago'],
  [90_061_000, '1 d 1 h', '1 d ago'],
  [86_399_999, '23 h 59 min', '23 h ago'],
])('%i ms are %s, or %s', (ms, duration, age) => {
  expect([values.durationText(ms), values.ageText(ms)]).toEqual([duration, age]);
});

it.each([
  [1, 'delivery', '1 delivery'],
  [2, 'delivery', '2 deliveries'],
  [0, 'terminal_batch', '0 terminal_batches'],
  [2, 'day', '2 days'],
])('%i %s: %s', (count, noun, text) => {
  expect(values.countText(count, noun)).toBe(text);
});

it.each([
  ['pi_1', '#/objects/payment_intent/pi_1'],
  ['evt_1', '#/activity/evt_1'],
  ['cus_1', '#/objects/customer/cus_1'],
  // Most exist only as ids.
  ['pm_1', undefined],
  ['tok_1', undefined],
  ['Pay the pi_1', undefined],
])('the page of %s is %s', (id, address) => {
  expect(values.addressOf(id)).toBe(address);
});

it.each([
  ['succeeded', 'good'],
  ['requires_action', 'info'],
  ['past_due', 'warn'],
  ['uncollectible', 'bad'],
  ['frozen', 'plain'],
  ['constructor', 'plain'],
])('the state %s is %s', (state, tone) => {
  expect(values.toneOfState(state)).toBe(tone);
});

it('an address names each part, and omits empty filters', () => {
  expect(route.hrefOf(['stories', 'a/b <c>'], { q: 'x&y', verdict: '', needs: undefined })).toBe(
    '#/stories/a%2Fb%20%3Cc%3E?q=x%26y',
  );
  const query = new URLSearchParams({ q: 'x', other: '1' });
  expect(route.listQuery(query, ['q', 'state'], { kind: 'refund' })).toEqual({
    text: 'kind=refund&q=x',
    isFiltered: true,
  });
  expect(route.listQuery(new URLSearchParams(), ['q'], {})).toEqual({ text: '', isFiltered: false });
});

const recorded: RecordedRequest = {
  kind: 'request',
  number: 1,
  at: 0,
  source: 'app',
  requestId: 'req_1',
  operation: 'paymentIntents.create',
  method: 'POST',
  path: '/v1/payment_intents',
  query: '',
  idempotencyKey: 'mine',
  operationId: 'order-100',
  request: {
    headers: { 'content-type': 'application/json', authorization: '[redacted]', 'user-agent': 'x' },
    body: '{}',
  },
  isWhole: true,
  fault: null,
  reply: null,
  replayed: false,
  arrived: true,
  duration: 1,
};

describe('a curl command', () => {
  const key = '-H "Authorization: Bearer $PAYMENTS_SECRET_KEY"';
  const json = "-H 'content-type: application/json'";
  const form = { operation: 'transact.sale', path: '/api/transact.php', idempotencyKey: null } as const;
  const body = (text: string) => ({ headers: {}, body: text });

  it.each<[what: string, changes: Partial<RecordedRequest>, lines: readonly string[]]>([
    [
      'has the key of the environment, and the headers that the caller chose',
      {},
      [
        "curl -X POST 'http://a/v1/payment_intents'",
        key,
        json,
        "-H 'idempotency-key: mine'",
        "--data-raw '{}'",
      ],
    ],
    [
      'has the query, and no body where there was none',
      { method: 'GET', query: 'limit=2', idempotencyKey: null, request: body('') },
      ["curl -X GET 'http://a/v1/payment_intents?limit=2'", key],
    ],
    [
      'quotes what would end its quotes',
      { idempotencyKey: null, request: body(`{"name":"it's $(id)"}`) },
      ["curl -X POST 'http://a/v1/payment_intents'", key, `--data-raw '{"name":"it'\\''s $(id)"}'`],
    ],
    ...['[redacted]', '%5Bredacted%5D', '%5bREDACTED%5d'].map(
      (hidden): [string, Partial<RecordedRequest>, string[]] => [
        `has the key of a form from the environment: ${hidden}`,
        { ...form, request: body(`security_key=${hidden}&type=sale`) },
        [
          "curl -X POST 'http://a/api/transact.php'",
          `--data-raw 'security_key='"$PAYMENTS_SECURITY_KEY"'&type=sale'`,
        ],
      ],
    ),
    [
      'does not send what was redacted',
      { ...form, request: { headers: { 'content-type': '[redacted]' }, body: null } },
      ["curl -X POST 'http://a/api/transact.php'"],
    ],
  ])('%s', (_, changes, lines) => {
    expect(curlOf({ ...recorded, ...changes }, 'http://a')).toBe(lines.join(' \\\n  '));
  });
});

describe('the error of a request', () => {
  const replied = (status: number, body: string | null): RecordedRequest => ({
    ...recorded,
    reply: { status, headers: {}, body },
  });

  it.each([
    ['no reply', recorded],
    ['a success', replied(200, '{"error":{"code":"A","message":"b"}}')],
    ['no body', replied(500, null)],
    ['a page', replied(502, '<html>')],
  ])('is none for %s', (_, request) => {
    expect(entryText.errorOf(request)).toBeUndefined();
  });

  it('has its field, and a meaning only if its code says too little', () => {
    const body = { error: { code: 'INVALID_PARAMETER', message: 'amount: expected', param: 'amount' } };
    const error = entryText.errorOf(replied(400, JSON.stringify(body)));
    expect(error).toEqual({ code: 'INVALID_PARAMETER', message: 'amount: expected', param: 'amount' });
    const meaning = (code: string) => entryText.meaningOf({ code, message: '', param: undefined });
    expect(['INVALID_PARAMETER', 'constructor'].map(meaning)).toEqual([undefined, undefined]);
    expect(meaning('IDEMPOTENCY_BODY_MISMATCH')).toMatch(/another body\. This request was not executed/);
    expect(meaning('IDEMPOTENCY_ROUTE_CONFLICT')).toMatch(/another route\. This request was not executed/);
    for (const code of ['KEY_TOO_LONG', 'KEY_IN_PROGRESS', 'STORE_UNAVAILABLE'])
      expect(meaning(`IDEMPOTENCY_${code}`)).toMatch(/not executed|Send it again with the same key/);
  });
});

describe('an entry is', () => {
  const change = (before: object | null, after: object | null, kind = 'payment_intent'): RecordedChange => ({
    kind: 'change',
    number: 2,
    at: 0,
    cause: 1,
    unit: 1,
    object: { kind, id: 'pi_1' },
    before: before === null ? null : { ...before },
    after: after === null ? null : { ...after },
    events: [],
  });
  const usd = { amount: 5500, currency: 'USD' };

  it.each([
    ['Payment intent $55.00 succeeded', change({ ...usd, status: 'open' }, { ...usd, status: 'succeeded' })],
    ['Payment intent $55.00 requires action', change(null, { ...usd, status: 'requires_action' })],
    ['Customer created', change(null, { email: 'a' }, 'customer')],
    ['Payment intent $55.00 removed', change({ ...usd, status: 'open' }, null)],
    [
      'Charge: amount refunded',
      change({ amount_refunded: 0, updated_at: 1 }, { amount_refunded: 5, updated_at: 2 }, 'charge'),
    ],
    ['Charge: no change', change({ updated_at: 1 }, { updated_at: 2 }, 'charge')],
    [
      'Checkout session $55.00 complete',
      change(null, { amount_total: 5500, currency: 'USD', status: 'complete' }, 'checkout_session'),
    ],
    [
      'trigger: customer.created',
      {
        kind: 'action',
        number: 1,
        at: 0,
        name: 'trigger',
        details: { fields: {}, type: 'customer.created' },
      },
    ],
    ['reset', { kind: 'action', number: 1, at: 0, name: 'reset', details: {} }],
    ['paymentIntents.create', recorded],
    ['POST /v1/payment_intents', { ...recorded, operation: null }],
  ] as const)('%s', (text, entry) => {
    expect(entryText.entryText(entry)).toBe(text);
  });
});

it.each([
  [{ kind: 'latency', ms: 2_000 }, 'Delayed by 2 s'],
  [{ kind: 'idempotency_error', code: 'IDEMPOTENCY_KEY_IN_PROGRESS' }, 'Idempotency key in progress'],
  [{ kind: 'drop_reply' }, 'Executed, but the reply is lost'],
  [{ kind: 'drop_request' }, 'The connection breaks before execution'],
] as const)('the fault %j: %s', (fault, text) => {
  expect(faultText(fault)).toBe(text);
});

it('a difference has each leaf field that changed, and no secret', () => {
  const before = { a: 1, list: [{ b: 1 }, { b: 2 }], secret: 'x', gone: null };
  const after = { a: 1, list: [{ b: 1 }, { b: 3 }], secret: 'y', added: { c: 'd' } };
  expect(differencesOf(before, after)).toEqual([
    { path: 'list[1].b', before: '2', after: '3' },
    { path: 'gone', before: 'null', after: undefined },
    { path: 'added.c', before: undefined, after: '"d"' },
  ]);
  const hidden = JSON.stringify(
    { key: 'a', previous_secrets: ['b'], client_secret: 'c', secret: 'd', id: 'e' },
    withoutSecrets,
  );
  expect(Object.values(JSON.parse(hidden))).toEqual([
    '(not shown)',
    '(not shown)',
    '(not shown)',
    '(not shown)',
    'e',
  ]);
});
