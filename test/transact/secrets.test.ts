/**
 * Card data, keys and personal data go into every field of every kind of transaction, and the service sends them back in every form.
 * Then everything that the SDK outputs by itself is searched. What a caller reads explicitly (`error.body`, `error.headers`,
 * `error.result`, the result of a call) is the service's response and is not searched.
 */

import {
  ApiError,
  CardholderAuthenticationError,
  ConnectionError,
  InvalidRequestError,
  type PaymentsError,
  ResponseValidationError,
  Transact,
  TransactionDeclinedError,
  type TransactOptions,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import {
  person as buyer,
  cardNumber,
  cardNumbers,
  expiry,
  securityCode,
  securityKey,
} from '../security/canary/canaries.ts';
import { OutputCollector } from '../security/canary/output-collector.ts';
import { bySize, everyNth } from '../support/size.ts';

const baseUrl = 'https://payments.test';

const { email, phone, line1: address1 } = buyer;
const person = { email, phone, address1, zip: '90909', ipaddress: '203.0.113.77' };

const threeDSecure = { cardholder_auth: 'Y', cavv: 'CAVVcanary', xid: 'XIDcanary', eci: '05' };

const cardOf = (ccnumber: string) => ({ ccnumber, ccexp: expiry, cvv: securityCode });

type Params = Record<string, unknown>;
type Options = NonNullable<Parameters<Transact['submit']>[1]>;
type Call = (transact: Transact, params: Params, options?: Options) => PromiseLike<unknown>;

/** Each kind of transaction, with its required parameters. */
const kinds: readonly { kind: string; required: Params; call: Call }[] = [
  { kind: 'sale', required: { amount: '12.00' }, call: (t, p, o) => t.sale(p as never, o) },
  { kind: 'auth', required: { amount: '12.00' }, call: (t, p, o) => t.auth(p as never, o) },
  { kind: 'credit', required: { amount: '12.00' }, call: (t, p, o) => t.credit(p as never, o) },
  { kind: 'validate', required: {}, call: (t, p, o) => t.validate(p as never, o) },
  {
    kind: 'capture',
    required: { transactionid: '316', amount: '5.00' },
    call: (t, p, o) => t.capture(p as never, o),
  },
  { kind: 'void', required: { transactionid: '316' }, call: (t, p, o) => t.void(p as never, o) },
  {
    kind: 'refund',
    required: { transactionid: '316', amount: '5.00' },
    call: (t, p, o) => t.refund(p as never, o),
  },
  { kind: 'submit', required: { type: 'sale' }, call: (t, p, o) => t.submit(p as never, o) },
];

/** The fields of a transaction, and one that the interface does not show. */
const fieldNames = [
  'type',
  'amount',
  'transactionid',
  'payment_token',
  'ccnumber',
  'ccexp',
  'cvv',
  'security_key',
  'ipaddress',
  'email',
  'phone',
  'address1',
  'city',
  'state',
  'zip',
  'risk_session_id',
  'cardholder_auth',
  'cavv',
  'xid',
  'eci',
  'threeDSecure',
  'orderid',
];

/** Runs one call and collects its output. Returns its error, if it fails. */
async function collectCall(
  collector: OutputCollector,
  options: TransactOptions,
  run: (transact: Transact) => PromiseLike<unknown>,
): Promise<unknown> {
  const transact = new Transact({ baseUrl, securityKey, ...collector.options, ...options });
  const promise = run(transact);
  collector.add('promise', promise);
  const error = await Promise.resolve(promise).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  collector.add('transact', transact);
  if (error !== undefined) collector.add('error', error);
  return error;
}

const approved = async () => new Response('response=1&responsetext=SUCCESS&transactionid=316');

/** Forms of a canary in a field: unchanged, of a wrong type, malformed, or nested. */
const wrappings: readonly (readonly [what: string, wrap: (canary: string) => unknown])[] = [
  ['unchanged', (canary) => canary],
  ['after a space', (canary) => ` ${canary}`],
  ['with a trailing letter', (canary) => `${canary}x`],
  ['with one more digit', (canary) => `${canary}0`],
  ['in groups', (canary) => canary.replace(/(....)(?=.)/g, '$1 ')],
  ['in groups with dots', (canary) => canary.replace(/(....)(?=.)/g, '$1.')],
  ['as a number', (canary) => (Number.isNaN(Number(canary)) ? [canary] : Number(canary))],
  ['as a bigint', (canary) => (/^\d+$/.test(canary) ? BigInt(canary) : { canary })],
  ['in an array', (canary) => [canary]],
  ['in an object', (canary) => ({ value: canary, [canary]: { deeper: [canary] } })],
  ['as a String object', (canary) => new String(canary)],
  ['as a function', (canary) => Object.assign(() => canary, { canary })],
  ['as a 3-D Secure result', (canary) => ({ authenticated: true, cavv: canary, xid: [canary], eci: {} })],
  ['as a failed 3-D Secure result', (canary) => ({ authenticated: false, cavv: canary })],
];

describe('a canary in a parameter or option is not output by the SDK', () => {
  const values = [...cardNumbers, securityCode, securityKey].flatMap((canary) =>
    wrappings.map(([how, wrap]) => ({ how, value: wrap(canary) })),
  );

  /** Runs every kind of transaction with a value in a field. Returns the leaks, and how many calls were refused. */
  async function leaksOf(field: string, value: unknown): Promise<{ leaks: string[]; refusals: number }> {
    const collector = new OutputCollector();
    let refusals = 0;
    for (const { required, call } of everyNth(kinds, 2, fieldNames.indexOf(field))) {
      const card = field === 'payment_token' ? {} : { ccnumber: cardNumber, ccexp: expiry };
      const params = { ...required, ...card, [field]: value };
      const error = await collectCall(collector, { fetch: approved }, (transact) => call(transact, params));
      if (error instanceof InvalidRequestError || error instanceof CardholderAuthenticationError)
        refusals += 1;
      else if (error !== undefined) throw error;
    }
    expect(collector.places).toContain('transact');
    return { leaks: collector.leaks(), refusals };
  }

  it.each(everyNth(fieldNames, 2))('in the field %s', async (field) => {
    const found: string[] = [];
    let refusals = 0;
    for (const { how, value } of everyNth(values, 36, fieldNames.indexOf(field))) {
      const outcome = await leaksOf(field, value);
      refusals += outcome.refusals;
      found.push(...outcome.leaks.map((leak) => `${how}: ${leak}`));
    }
    expect(found).toEqual([]);
    // Values of a wrong type are always refused, so the search covered errors too.
    expect(refusals).toBeGreaterThan(kinds.length * bySize({ short: 0, all: 10 }));
  });

  it.each(['params', 'options'])('in place of the %s', async (place) => {
    const collector = new OutputCollector();
    const values = [...cardNumbers, securityCode, securityKey, [cardNumber], Number(cardNumber)];
    for (const value of values) {
      for (const { required, call } of kinds) {
        await collectCall(collector, { fetch: approved }, (transact) =>
          place === 'params'
            ? call(transact, value as never)
            : call(transact, { ...required, ...cardOf(cardNumber) }, value as never),
        );
      }
    }
    expect(collector.places.filter((place) => place === 'transact')).toHaveLength(
      values.length * kinds.length,
    );
    expect(collector.leaks()).toEqual([]);
  });

  it.each<[name: string, options: (canary: unknown) => object]>([
    ['securityKey', (canary) => ({ securityKey: [canary] })],
    ['securityKey, after a space', (canary) => ({ securityKey: ` ${canary}` })],
    ['securityKey, from a function', (canary) => ({ securityKey: () => ` ${canary}` })],
    [
      'securityKey, from a function that throws',
      (canary) => ({ securityKey: () => Promise.reject(new Error(String(canary))) }),
    ],
    ['formEncoding', (canary) => ({ formEncoding: canary })],
    ['throwOnDecline', (canary) => ({ throwOnDecline: canary })],
    ['baseUrl', (canary) => ({ baseUrl: canary })],
    ['baseUrl, as its user name', (canary) => ({ baseUrl: `https://user:${canary}@payments.test` })],
    ['baseUrl, in its query', (canary) => ({ baseUrl: `https://payments.test/?key=${canary}` })],
    ['timeout', (canary) => ({ timeout: canary })],
    ['validation', (canary) => ({ validation: canary })],
    ['headers', (canary) => ({ headers: canary })],
    ['headers, as a value', (canary) => ({ headers: { 'x-api-key': `${canary}\n` } })],
    ['headers, as a value with a harmless name', (canary) => ({ headers: { 'x-trace': `t ${canary}` } })],
    ['logger', (canary) => ({ logger: { debug: canary } })],
  ])('in the option %s', async (_name, optionsOf) => {
    const collector = new OutputCollector();
    for (const canary of [securityKey, cardNumber, [securityKey]]) {
      const options = { fetch: approved, ...optionsOf(canary) };
      try {
        await collectCall(collector, options as never, (transact) =>
          transact.sale({ amount: '1.00', ...cardOf(cardNumber) }),
        );
      } catch (error) {
        collector.add('error', error);
      }
    }
    expect(collector.places.length).toBeGreaterThan(0);
    expect(collector.leaks()).toEqual([]);
  });
});

/** A request as the service received it, to send back. */
interface ReceivedRequest {
  /** The unchanged request body. */
  readonly raw: string;
  readonly fields: Readonly<Record<string, string>>;
  /** A message in prose, with the card data and the key. */
  readonly message: string;
}

/** Separators between the groups of a card number. */
const separators = [' ', '-', '_', ':', ',', '|', '*', '–', '·', '\u200b'];

async function receive(request: Request): Promise<ReceivedRequest> {
  const copy = new Request(request as Request);
  const raw = await copy.clone().text();
  const form = await copy.formData();
  const fields = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
  const { ccnumber = '', cvv = '', ccexp = '', security_key = '' } = fields;
  const grouped = ccnumber.replace(/(\d{4})(?=\d)/g, '$1 ');
  const message =
    `Card ${ccnumber} (${separators.map((separator) => grouped.replaceAll(' ', separator)).join('; ')}) with code ${cvv}, cvv=${cvv}, ` +
    `expiring ${ccexp}, was refused for key ${security_key}`;
  return { raw, fields, message };
}

type Respond = (received: ReceivedRequest) => Response;

interface ResponseCase {
  readonly what: string;
  readonly respond: Respond;
  /** The error class of the call; `undefined` for a result. */
  readonly error?: abstract new (
    ...args: never[]
  ) => PaymentsError;
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const page = (title: string, body: string) =>
  `<!DOCTYPE html><html><head><title>${escapeHtml(title)}</title></head><body><pre>${escapeHtml(body)}</pre></body></html>`;
const json = (body: unknown, status: number) => Response.json(body, { status });
const echoHeaders = ({
  message,
  fields: { ccnumber = '', security_key = '', cvv = '' },
}: ReceivedRequest) => ({
  'x-request-id': `${ccnumber} ${cvv} ${security_key}`,
  // A header allows only Latin-1.
  'x-echo': message.replace(/[^ -~]/g, encodeURIComponent),
  location: `https://payments.test/?ccnumber=${ccnumber}&cvv=${cvv}&${form({ security_key })}`,
  'set-cookie': `key=${encodeURIComponent(security_key)}`,
});

const results: readonly ResponseCase[] = [
  {
    what: 'approved, url-encoded',
    respond: ({ raw, message }) => new Response(`response=1&${form({ responsetext: message })}&${raw}`),
  },
  {
    what: 'approved, not escaped',
    respond: ({ message }) => new Response(`response=1&responsetext=${message}`),
  },
  {
    what: 'approved, JSON',
    respond: ({ fields, message }) =>
      json({ ...fields, response: 1, responsetext: message, fields: { fields } }, 200),
  },
  {
    what: 'approved, with headers',
    respond: (received) => new Response('response=1', { headers: echoHeaders(received) }),
  },
];

const declines: readonly ResponseCase[] = [
  {
    what: 'declined, url-encoded',
    respond: ({ message }) => new Response(form({ response: '2', responsetext: message })),
    error: TransactionDeclinedError,
  },
  {
    what: 'declined, with the whole request',
    respond: ({ raw }) => new Response(form({ response: '3', responsetext: `bad request: ${raw}` })),
    error: TransactionDeclinedError,
  },
  {
    what: 'declined, not escaped',
    respond: ({ message }) => new Response(`response=3&responsetext=${message} REFID:316`),
    error: TransactionDeclinedError,
  },
  {
    what: 'JSON whose response code is the card number',
    respond: ({ fields: { ccnumber = '', cvv = '', security_key = '' } }) =>
      json({ response: `${ccnumber} ${cvv} ${security_key}`, responsetext: 'NO' }, 200),
    error: ResponseValidationError,
  },
];

const unreadable: readonly ResponseCase[] = [
  {
    what: '200 with the whole request',
    respond: ({ raw }) => new Response(raw),
    error: ResponseValidationError,
  },
  {
    what: '200 with a message',
    respond: ({ message }) => new Response(message),
    error: ResponseValidationError,
  },
  {
    what: '200 with HTML',
    respond: ({ message, raw }) => new Response(page(message, raw)),
    error: ResponseValidationError,
  },
  {
    what: '200 with two responses',
    respond: ({ raw }) => new Response(`response=1&response=2&${raw}`),
    error: ResponseValidationError,
  },
  {
    what: '200 with JSON that is not a response',
    respond: ({ fields }) => json({ fields, list: Object.values(fields) }, 200),
    error: ResponseValidationError,
  },
  {
    what: '200 with broken JSON',
    respond: ({ message }) => new Response(`{"${message}": ${message}`),
    error: ResponseValidationError,
  },
];

const refusals: readonly ResponseCase[] = [400, 500].flatMap((status): ResponseCase[] => [
  {
    what: `${status} with the whole request`,
    respond: ({ raw }) => new Response(raw, { status }),
    error: ApiError,
  },
  {
    what: `${status} with a message`,
    respond: ({ message }) => new Response(message, { status }),
    error: ApiError,
  },
  {
    what: `${status} with HTML`,
    respond: ({ message, raw }) => new Response(page(message, raw), { status }),
    error: ApiError,
  },
  {
    what: `${status} with a JSON error`,
    respond: ({ message }) => json({ error: { code: 'bad', message } }, status),
    error: ApiError,
  },
  {
    what: `${status} with JSON that quotes the request`,
    respond: ({ fields }) => json({ message: `cannot take ${JSON.stringify(fields)}` }, status),
    error: ApiError,
  },
  {
    what: `${status} with JSON errors by field`,
    respond: ({ fields: { cvv = '', ccnumber = '' } }) =>
      json({ cvv: [`${cvv} does not match`], ccnumber: [`${ccnumber} is wrong`] }, status),
    error: ApiError,
  },
  {
    what: `${status} with a card number as its code`,
    respond: ({ fields: { ccnumber = '' } }) => json({ code: Number(ccnumber), error: ccnumber }, status),
    error: ApiError,
  },
  {
    what: `${status} with a key as its code`,
    respond: ({ fields: { security_key = '' } }) => json({ code: security_key, error: security_key }, status),
    error: ApiError,
  },
  {
    what: `${status} with headers`,
    respond: (received) => new Response('', { status, headers: echoHeaders(received) }),
    error: ApiError,
  },
]);

const redirects: readonly ResponseCase[] = [
  {
    what: '302 with headers',
    respond: (received) => new Response(null, { status: 302, headers: echoHeaders(received) }),
    error: ApiError,
  },
];

/** What `fetch` throws with secrets: in its message, its fields, or its causes. */
const failures: readonly ResponseCase[] = [
  {
    what: 'a connection error with the request in its message',
    respond: ({ raw }) => {
      throw Object.assign(new TypeError(`fetch failed: ${raw}`), { code: 'ECONNRESET' });
    },
    error: ConnectionError,
  },
  {
    what: 'a connection error with a message in its cause',
    respond: ({ message, fields }) => {
      const cause = Object.assign(new Error(message), { code: 'ECONNRESET', fields });
      throw new TypeError('fetch failed', { cause });
    },
    error: ConnectionError,
  },
  {
    what: 'a connection error with the request in its fields and its name',
    respond: ({ raw, fields, message }) => {
      throw Object.assign(new Error('broken'), { name: message, request: { raw }, fields });
    },
    error: ConnectionError,
  },
  {
    what: 'a thrown value that is not an error',
    respond: ({ message }) => {
      throw message;
    },
    error: ConnectionError,
  },
  {
    what: 'a body error with the request in its message',
    respond: ({ raw }) =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new Error(raw)) })),
    error: ConnectionError,
  },
];

const responseCases = [...results, ...declines, ...unreadable, ...refusals, ...redirects, ...failures];

/** Each kind of transaction with each encoding and card. */
const settings = kinds.flatMap((kind) =>
  (['urlencoded', 'multipart'] as const).flatMap((formEncoding) =>
    cardNumbers.map((ccnumber) => ({ ...kind, formEncoding, ccnumber })),
  ),
);

describe('secrets that the service sends back are not output by the SDK', () => {
  it.each(responseCases)('$what', async (shape) => {
    const { respond, error: expected } = shape;
    const found = new Set<string>();
    const tried = everyNth(settings, 100, responseCases.indexOf(shape));
    for (const { call, required, formEncoding, ccnumber } of tried) {
      const collector = new OutputCollector();
      const params = { ...required, ...person, ...threeDSecure, ...cardOf(ccnumber) };
      const fetch = async (request: Request) => respond(await receive(request));
      const error = await collectCall(collector, { fetch, formEncoding, throwOnDecline: true }, (transact) =>
        call(transact, params),
      );
      if (expected === undefined) expect(error).toBeUndefined();
      else expect(error).toBeInstanceOf(expected);
      expect(collector.places).toEqual(expect.arrayContaining(['log.debug', 'hook.request', 'transact']));
      for (const leak of collector.leaks()) found.add(leak);
    }
    expect([...found]).toEqual([]);
  });
});

describe('long values', () => {
  const specialCharacters = '+/=&%-._~!\\"<>';
  const maxLengths = { cavv: 4096, xid: 4096, payment_token: 4096 } as const;
  type LongField = keyof typeof maxLengths;
  const fields = Object.keys(maxLengths) as LongField[];

  /** Makes a sale with a field of this length, and sends the whole request back. */
  async function saleWith(field: LongField, length: number, respond: Respond) {
    const collector = new OutputCollector();
    const value = specialCharacters.repeat(Math.ceil(length / specialCharacters.length)).slice(0, length);
    const card = field === 'payment_token' ? {} : cardOf(cardNumber);
    const params = { amount: '12.00', ...card, [field]: value };
    const fetch = async (request: Request) => respond(await receive(request));
    const options = { fetch, throwOnDecline: true };
    const error = await collectCall(collector, options, (transact) =>
      transact.submit({ type: 'sale', ...params }),
    );
    return { error, collector };
  }

  it.each(fields)('of 4,096 characters in %s are sent, and do not leak from any response', async (field) => {
    for (const { respond, error: expected } of everyNth(
      responseCases,
      fields.length * 6,
      fields.indexOf(field),
    )) {
      const { error, collector } = await saleWith(field, maxLengths[field], respond);
      if (expected === undefined) expect(error).toBeUndefined();
      else expect(error).toBeInstanceOf(expected);
      expect(collector.leaks()).toEqual([]);
    }
  });

  it.each(fields)('of more characters in %s are refused before sending', async (field) => {
    const unreachable = () => {
      throw new Error('it was sent');
    };
    for (const length of [maxLengths[field] + 1, 1_000_000]) {
      const { error, collector } = await saleWith(field, length, unreachable);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({
        issues: [
          { path: field, expected: 'at most 4096 characters', received: `a string of ${length} characters` },
        ],
      });
      expect(collector.leaks()).toEqual([]);
    }
  });

  it('such as a key of 100,000 characters do not break a call', async () => {
    const longKey = `${securityKey}${specialCharacters}`.repeat(2500);
    const collector = new OutputCollector();
    const fetch = async (request: Request) =>
      new Response(await receive(request).then(({ raw }) => raw), { status: 400 });
    const params = { amount: '12.00', ...cardOf(cardNumber) };
    const error = await collectCall(collector, { fetch, securityKey: longKey }, (transact) =>
      transact.sale(params),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(collector.leaks()).toEqual([]);
  });
});
