/** Requests to the sandbox: bodies of its JSON API, arguments of its commands, and forms. */

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { expect } from 'vitest';
import { routes } from '../../../src/resources/routes.ts';
import { everyCollection } from '../../support/every-collection.ts';
import { clientOf } from '../../support/sandbox.ts';
import type { Inputs, Parser } from '../parser.ts';
import { securityKey } from '../service.ts';
import { words } from '../words.ts';

const startsAt = Date.UTC(2026, 0, 1);

/** A sandbox with one object of every kind, under the ids in the corpus. */
function furnished(): Sandbox {
  const sandbox = createSandbox({ startsAt, securityKey });
  for (const { object, id } of everyCollection) Reflect.apply(sandbox.add, sandbox, [object, { id }]);
  return sandbox;
}

/** Returns the path of a route with the id of an object. */
function filled(path: string): string {
  const [, plural] = path.split('/').slice(1);
  const collection = everyCollection.find((one) => one.plural === plural) ?? everyCollection[0];
  return path.replace('{id}', collection?.id ?? '');
}

const commandsPath = '/_sandbox/commands#';

/** Everything that takes a body: each writing method, and some commands, whose arguments are a part of the body. */
const targets: readonly string[] = [
  ...Object.values(routes).flatMap(({ method, path }) => (method === 'POST' ? [filled(path)] : [])),
  ...words('trigger clock.advance webhooks.replay webhooks.add faults.inject add pay settle').map(
    (name) => commandsPath + name,
  ),
];

/** Reads a request: a target, a line end, and a body. Other bytes are a body for a target that they choose. */
function read(bytes: Buffer): { target: string; body: Buffer } {
  const end = bytes.indexOf('\n');
  const target = targets.find((one) => one === bytes.subarray(0, Math.max(0, end)).toString());
  if (target !== undefined) return { target, body: bytes.subarray(end + 1) };
  return { target: targets[crc32(bytes) % targets.length] ?? '/', body: bytes };
}

function bodyFor(target: string, body: Buffer): Buffer {
  const [, command] = target.split('#');
  if (command === undefined) return body;
  return Buffer.concat([Buffer.from(`{"name":"${command}","args":`), body, Buffer.from('}')]);
}

function post({ url, secretKey }: Sandbox, path: string, body: Buffer, type: string): Request {
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': type };
  return new Request(url + path, { method: 'POST', headers, body: new Uint8Array(body) });
}

let sandbox = furnished();
let requests = 0;

/** Checks that the SDK accepts every stored object, and starts anew. */
async function startAnew(): Promise<void> {
  const payments = clientOf(sandbox, { fetch: sandbox.fetch });
  for (const { of } of everyCollection) {
    for await (const item of of(payments).list({ limit: 100 })) expect(item.id).not.toBe('');
  }
  sandbox = furnished();
}

async function judgeBody(bytes: Buffer): Promise<string> {
  const { target, body } = read(bytes);
  const response = await sandbox.fetch(post(sandbox, target, bodyFor(target, body), 'application/json'));
  const result: unknown = await response.json();
  // Armed faults would change the responses.
  sandbox.faults.clear();
  requests += 1;
  if (requests % 50 === 0) await startAnew();
  if (response.status === 200) return 'done';
  const { code } = Object(Object(result).error);
  expect([target, response.status, code]).toEqual([
    target,
    expect.any(Number),
    expect.stringMatching(/^[A-Z_]+$/),
  ]);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  return 'refused';
}

const to = (target: string, bodies: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [
      `${target}: ${name}`,
      Buffer.concat([Buffer.from(`${target}\n`), Buffer.from(body)]),
    ]),
  );

const intents = '/v1/payment_intents';
const session = (item: object) =>
  JSON.stringify({
    mode: 'payment',
    line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 2, ...item }],
    success_url: 'https://shop.example/thanks',
    cancel_url: 'https://shop.example/cart',
  });
const usd = '"currency":"usd"';

const done: Inputs = {
  ...to(intents, {
    whole: `{"amount":1200,${usd},"metadata":{"order":"1042"}}`,
    'largest amount': `{"amount":9007199254740991,${usd}}`,
    'byte order mark': `\uFEFF{"amount":1200,${usd}}`,
    'names of prototypes': `{"constructor":{"prototype":{"polluted":true}},"amount":1200,${usd},"metadata":{"__proto__":"x","constructor":"y"}}`,
    'own __proto__': `{"__proto__":{"polluted":true},"amount":1200,${usd}}`,
    'deep field': `{"amount":1200,${usd},"x":${'['.repeat(3000)}${']'.repeat(3000)}}`,
    'half surrogate pairs': `{"amount":1200,${usd},"metadata":{"\\ud800":"\\udfff"}}`,
    'amount twice': `{"amount":1,"amount":1200,${usd}}`,
  }),
  ...to('/v1/checkout/sessions', { whole: session({}) }),
  ...to('/v1/customers', { whole: '{"first_name":"Ada","email":"ada@example.com","metadata":{}}' }),
  ...to('/v1/subscriptions', { whole: '{"customer":"cus_1","items":[{"price":"price_1","quantity":1}]}' }),
  ...to('/v1/webhook_endpoints', { whole: '{"url":"http://localhost:3000/hook","enabled_events":["*"]}' }),
  ...to(`${commandsPath}clock.advance`, { text: '{"advance":"3 days"}' }),
  ...to(`${commandsPath}faults.inject`, {
    outage: '{"kind":"unavailable","times":1,"operation":"refunds.create"}',
  }),
  ...to(`${commandsPath}trigger`, { fields: '{"type":"refund.failed","fields":{"amount":500}}' }),
};

const refused: Inputs = {
  ...to(intents, {
    blank: ' ',
    empty: '',
    'cut short': '{"amount":12',
    deep: `${'['.repeat(5000)}${']'.repeat(5000)}`,
    'deep metadata': `{"amount":1200,${usd},"metadata":${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`,
    list: '[]',
    null: 'null',
    number: '5',
    text: '"x"',
    'not UTF-8': Buffer.from(`{"amount":1200,"currency":"uÿþd"}`, 'latin1'),
    'amount beyond numbers': `{"amount":1e999,${usd}}`,
    'amount not exact': `{"amount":9007199254740993,${usd}}`,
    'amount negative': `{"amount":-5,${usd}}`,
  }),
  ...to('/v1/checkout/sessions', {
    'total not exact': session({ amount: 9007199254740991, quantity: 9007199254740991 }),
  }),
  ...to('/v1/refunds', {
    'of an intent without a charge': '{"payment_intent_id":"pi_1","amount":5,"reason":"x"}',
  }),
  ...to('/v1/webhook_endpoints', {
    'odd scheme': '{"url":"javascript:alert(1)"}',
    'another machine': '{"url":"https://shop.example/hook","enabled_events":["*"]}',
  }),
  ...to(`${commandsPath}clock.advance`, {
    back: '{"advance":-5}',
    'beyond time': '{"advance":9007199254740991}',
    'text beyond time': '{"advance":"99999999999999999999 d"}',
  }),
  ...to(`${commandsPath}trigger`, {
    'names of prototypes':
      '{"type":"customer.created","fields":{"__proto__":{"polluted":1},"id":"x","object":"y","metadata":5}}',
    'wrong fields':
      '{"type":"invoice.paid","fields":{"amount":"x","customer":{},"lines":[null],"currency":null}}',
  }),
  ...to(`${commandsPath}faults.inject`, { 'unknown kind': '{"kind":"x","times":1}' }),
};

/** Every body of the corpus, for any target. */
const anywhere = fc
  .tuple(fc.constantFrom(...targets), fc.constantFrom(...Object.values({ ...done, ...refused })))
  .map(([target, request]) => Buffer.concat([Buffer.from(`${target}\n`), read(Buffer.from(request)).body]));

export const sandboxBodies: Parser = {
  name: 'the JSON API of the sandbox',
  promise:
    'each request succeeds or is rejected as by the service, and leaves only objects that the SDK accepts',
  corpus: { done, refused },
  vocabulary: words(
    `"amount" "currency" "usd" "metadata" "customer" "cus_1" "payment_intent_id" "pi_1" "line_items" "items" "price_1"
    "type" "fields" "kind" "advance" "times" "x" { } [ ] : , " null 1200 1e21 9007199254740991 true`,
  ),
  more: anywhere,
  cases: 900,
  nth: 2,
  judge: judgeBody,
};

/** Node's parser takes no shorter one. */
const boundary = 'b'.repeat(27);

/** Posts a form, as a multipart one if it begins with the boundary. */
function postForm(to: Sandbox, body: Buffer): Request {
  const isMultipart = body.subarray(0, 29).toString() === `--${boundary}`;
  const type = isMultipart
    ? `multipart/form-data; boundary=${boundary}`
    : 'application/x-www-form-urlencoded';
  return post(to, '/api/transact.php', body, type);
}

async function judgeForm(body: Buffer): Promise<string> {
  const response = await sandbox.fetch(postForm(sandbox, body));
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const responses = new URLSearchParams(text).getAll('response');
  expect(responses).toHaveLength(1);
  const endings: Readonly<Record<string, string>> = { 1: 'approved', 2: 'declined', 3: 'errored' };
  return endings[responses[0] ?? ''] ?? text;
}

const form = (fields: string) => `security_key=${securityKey}&${fields}`;
const part = (name: string, value: string, more = '') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

export const sandboxForms: Parser = {
  name: 'the form endpoint of the sandbox',
  promise: 'each form has one response, as the service gives it',
  corpus: {
    approved: {
      sale: form('type=sale&amount=12.00&payment_token=tok_1&orderid=1&email=a%40b.c'),
      card: form('type=sale&amount=12.00&ccnumber=4111111111111111&ccexp=1230&cvv=123&ipaddress=1.2.3.4'),
      twice: form('type=sale&type=refund&amount=1.00&amount=2.00&payment_token=t'),
      auth: form('type=auth&amount=1.00&payment_token=t'),
      validate: form('type=validate&ccnumber=4111111111111111&ccexp=1230'),
      'line breaks': form('type=sale&amount=1.00&payment_token=t&orderid=a%0d%0aresponse=1'),
      multipart: `${part('security_key', securityKey)}${part('type', 'sale')}${part('amount', '1.00')}${part('payment_token', 'tok_1')}--${boundary}--\r\n`,
    },
    declined: { 'card of a decline': form('type=sale&amount=12.00&ccnumber=9999004000000014&ccexp=1230') },
    errored: {
      'card of an error': form('type=sale&amount=12.00&ccnumber=9999004000000055&ccexp=1230'),
      ampersands: '&&&===&=&',
      empty: '',
      'amount with an exponent': form('type=sale&amount=1e5&payment_token=t'),
      'huge amount': form('type=sale&amount=99999999999999999999.99&payment_token=t'),
      'negative amount': form('type=sale&amount=-1.00&payment_token=t'),
      'amount of many digits': form('type=sale&amount=1.000000000001&payment_token=t'),
      'bare percent signs': form('type=sale&amount=1.00%&payment_token=%zz%ff&orderid=%00'),
      'capture of nothing': form('type=capture&transactionid=1&amount=1.00'),
      'refund of nothing': form('type=refund&transactionid=1&amount=9999999999999.99'),
      'void of nothing': form('type=void&transactionid=1'),
      'many fields': form(Array.from({ length: 300 }, (_, n) => `f${n}=${n}`).join('&')),
      'file as field': part('security_key', securityKey, '; filename="x"'),
      'multipart without end': part('type', 'sale').trimEnd(),
      'multipart without name': `${part('x', 'sale').replace('; name="x"', '')}--${boundary}--\r\n`,
      'names of prototypes': form('type=__proto__&__proto__=x&constructor=y'),
      'wrong key': 'security_key=x&type=sale&amount=1.00&payment_token=t',
    },
  },
  vocabulary: words(
    `security_key= ${securityKey} type=sale amount= 1.00 payment_token=t ccnumber= 4111111111111111 9999004000000014
    & = % + %00 --${boundary} transactionid=1 Content-Disposition:␣form-data;␣name="type"`,
  ).concat('\r\n'),
  cases: 600,
  judge: judgeForm,
};

/** Returns every request of both corpora, for a sandbox that listens. */
export function requestsOf(listening: Sandbox): readonly Request[] {
  const bytes = (inputs: readonly Inputs[]) =>
    inputs.flatMap((some) => Object.values(some)).map((one) => Buffer.from(one));
  return [
    ...bytes([done, refused]).map((request) => {
      const { target, body } = read(request);
      return post(listening, target, bodyFor(target, body), 'application/json');
    }),
    ...bytes(Object.values(sandboxForms.corpus)).map((body) => postForm(listening, body)),
  ];
}
