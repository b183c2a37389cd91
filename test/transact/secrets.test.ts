/** Reaches inside: the planted card numbers must pass the check that the SDK makes before it sends one.
 *
 * Canaries: recognisable card data and keys go into every field of every kind of transaction, the service sends them
 * back in every way it could, and then everything that the SDK shows by itself is searched. What a caller asks for by
 * name (`error.body`, `error.headers`, `error.result`, the result of a call) is the service's answer and not searched.
 */

import { inspect } from 'node:util';
import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  type PaymentsError,
  ResponseValidationError,
  TimeoutError,
  Transact,
  TransactionDeclinedError,
  type TransactOptions,
  type WebRequest,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { hasValidCheckDigit } from '../../src/transact/card.ts';
import { bySize, everyNth } from '../support/size.ts';
import { response, startWireServer } from '../support/socket-server.ts';

const baseUrl = 'https://payments.test';

/** Keys as services give them, and one with characters that each encoding writes in its own way. */
const keys = ['CANARYKEYplain0001', `CANARYKEY!odd~(1)*'+&=%41"<\\>`] as const;
const [plainKey] = keys;

/** Card numbers of each length that the SDK takes from the shortest to the longest. */
const cardNumbers = ['501234678909', '4929876512340988', '6304123456789012347'] as const;
const [, cardNumber] = cardNumbers;

/** Has all four digits, since three are found in too many harmless numbers. */
const securityCode = '9871';

/** Whose data it is, but no card and no key: looked at by people, not asserted. */
const person = {
  email: 'canary@mail.example',
  phone: '+15550177',
  address1: '77 Canary Road',
  city: 'Canaryville',
  state: 'CN',
  zip: '90909',
  ipaddress: '203.0.113.77',
};

const threeDSecure = { cardholder_auth: 'Y', cavv: 'CAVVcanary', xid: 'XIDcanary', eci: '05' };

const cardOf = (ccnumber: string) => ({ ccnumber, ccexp: '0399', cvv: securityCode });

type Params = Record<string, unknown>;
type Options = NonNullable<Parameters<Transact['submit']>[1]>;
type Call = (transact: Transact, params: Params, options?: Options) => PromiseLike<unknown>;

/** Each kind of transaction, with what it needs beside the canaries. */
const kinds: readonly { kind: string; needs: Params; call: Call }[] = [
  { kind: 'sale', needs: { amount: '12.00' }, call: (t, p, o) => t.sale(p as never, o) },
  { kind: 'auth', needs: { amount: '12.00' }, call: (t, p, o) => t.auth(p as never, o) },
  { kind: 'credit', needs: { amount: '12.00' }, call: (t, p, o) => t.credit(p as never, o) },
  { kind: 'validate', needs: {}, call: (t, p, o) => t.validate(p as never, o) },
  {
    kind: 'capture',
    needs: { transactionid: '316', amount: '5.00' },
    call: (t, p, o) => t.capture(p as never, o),
  },
  { kind: 'void', needs: { transactionid: '316' }, call: (t, p, o) => t.void(p as never, o) },
  {
    kind: 'refund',
    needs: { transactionid: '316', amount: '5.00' },
    call: (t, p, o) => t.refund(p as never, o),
  },
  { kind: 'submit', needs: { type: 'sale' }, call: (t, p, o) => t.submit(p as never, o) },
];

/** Names that a transaction may have, and one that the interface does not name. */
const fieldNames = [
  ...['type', 'amount', 'transactionid', 'payment_token', 'ccnumber', 'ccexp', 'cvv', 'security_key'],
  ...['ipaddress', 'email', 'phone', 'address1', 'city', 'state', 'zip', 'risk_session_id'],
  ...['cardholder_auth', 'cavv', 'xid', 'eci', 'threeDSecure', 'orderid'],
];

type Kind = 'card number' | 'security code' | 'security key';

/** What leaves a card number as readable as it was. */
const betweenDigits = '(?:%20|%2D|&nbsp;|[^0-9A-Za-z]){0,4}';

const canaryPatterns: Record<Kind, RegExp> = {
  'card number': new RegExp(cardNumbers.map((number) => [...number].join(betweenDigits)).join('|'), 'i'),
  // Neither in a longer number, such as a port, nor in a fraction, such as a duration.
  'security code': new RegExp(`(?<![\\d.])${securityCode}0?(?!\\d|\\.\\d)`),
  'security key': /CANARYKEY/,
};

/** What is drawn by chance, so that now and then it would hold a security code: the boundaries of multipart. */
const randomText = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

const kindsOfCanary = Object.keys(canaryPatterns) as Kind[];

/** The place of a canary in a text, with what stands around it, or `undefined` where there is none. */
function findCanary(kind: Kind, text: string): string | undefined {
  const fixed = text.replace(randomText, '');
  const at = fixed.search(canaryPatterns[kind]);
  if (at === -1) return undefined;
  return JSON.stringify(fixed.slice(Math.max(0, at - 30), at + 40));
}

/** One thing that was shown, and where. */
type Showing = readonly [where: string, text: string];

function asText(value: unknown): string {
  try {
    return String(value);
  } catch (error) {
    return String(error);
  }
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch (error) {
    return String(error);
  }
}

/** The values below a value and itself: hidden fields too, as message, stack and cause of an error are such. */
function valuesOf(where: string, value: unknown, depth = 6): (readonly [where: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null || depth === 0) return [[where, value]];
  const below = Reflect.ownKeys(value).flatMap((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, name);
    return valuesOf(`${where}.${String(name)}`, descriptor?.value, depth - 1);
  });
  return [...below, [where, value]];
}

const everyDepth = { depth: Number.POSITIVE_INFINITY, maxStringLength: null, maxArrayLength: null };

/** Every text in which a value shows itself; what tells most of where a canary is comes first. */
function showingsOf(where: string, value: unknown): Showing[] {
  return [
    ...valuesOf(where, value).map(([place, one]) => [place, asText(one)] as const),
    [`JSON of ${where}`, asJson(value)],
    [`inspect of ${where}`, inspect(value)],
    [`inspect of ${where}, to every depth`, inspect(value, everyDepth)],
    [`inspect of ${where}, with what is hidden`, inspect(value, { ...everyDepth, showHidden: true })],
  ];
}

/** All that is shown while a transaction runs, whatever becomes of it. */
class Watch {
  readonly #seen: (readonly [where: string, value: unknown])[] = [];

  /** The options that let it see everything. */
  options(): Pick<TransactOptions, 'logger' | 'hooks'> {
    const see =
      (where: string) =>
      (...values: unknown[]) =>
        void this.#seen.push([where, values]);
    const [debug, info, warn, error] = ['debug', 'info', 'warn', 'error'].map((level) => see(`log.${level}`));
    const [onRequest, onResponse, onRetry, onError] = ['request', 'response', 'retry', 'error'].map((hook) =>
      see(`hook.${hook}`),
    );
    return {
      logger: { debug, info, warn, error },
      hooks: { request: onRequest, response: onResponse, retry: onRetry, error: onError },
    };
  }

  see(where: string, value: unknown): void {
    this.#seen.push([where, value]);
  }

  get places(): string[] {
    return this.#seen.map(([where]) => where);
  }

  /** Where canaries are shown: for each kind and each place that was watched, the nearest field or text. */
  leaks(): string[] {
    const leaks = new Map<string, string>();
    for (const [place, value] of this.#seen) {
      for (const [where, text] of showingsOf(place, value)) {
        for (const kind of kindsOfCanary) {
          const found = findCanary(kind, text);
          const known = leaks.has(`${kind} in ${place}`);
          if (found !== undefined && !known)
            leaks.set(`${kind} in ${place}`, `${kind} in ${where}: ${found}`);
        }
      }
    }
    return [...leaks.values()];
  }
}

/** Runs one call to its end and sees what is shown on the way; answers with its error, if it had one. */
async function watchCall(
  watch: Watch,
  options: TransactOptions,
  run: (transact: Transact) => PromiseLike<unknown>,
): Promise<unknown> {
  const transact = new Transact({ baseUrl, securityKey: plainKey, ...watch.options(), ...options });
  const promise = run(transact);
  watch.see('promise', promise);
  const error = await Promise.resolve(promise).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  watch.see('transact', transact);
  if (error !== undefined) watch.see('error', error);
  return error;
}

const approved = async () => new Response('response=1&responsetext=SUCCESS&transactionid=316');

describe('the search', () => {
  it.each<[what: Kind, text: string]>([
    ['card number', `card ${cardNumber}.`],
    ['card number', 'card 4929 8765 1234 0988'],
    ['card number', 'card 4929-8765-1234-0988'],
    ['card number', 'card 4929%208765%201234%200988'],
    ['card number', 'ccnumber=4929+8765+1234+0988&x'],
    ['card number', '501234678909'],
    ['security code', 'cvv=9871&x'],
    ['security code', '{"cvv":9871}'],
    ['security key', new URLSearchParams({ k: keys[1] }).toString()],
    ['security key', JSON.stringify(keys[1])],
  ])('finds a %s in %s', (what, text) => {
    const watch = new Watch();
    watch.see('deep', { a: [{ b: new Error('outer', { cause: { text } }) }] });
    expect(watch.leaks()).toEqual([expect.stringContaining(`${what} in deep.a.0.b.cause.text`)]);
  });

  it('finds nothing in ports, durations and larger numbers', () => {
    const harmless =
      'http://127.0.0.1:49871 took 12.9871 ms or 9871.5 ms, 0.98710, id 198712, 49298765 12340';
    expect(kindsOfCanary.filter((kind) => findCanary(kind, harmless) !== undefined)).toEqual([]);
  });

  it('looks for card numbers that the SDK would send', () => {
    expect(cardNumbers.map(hasValidCheckDigit)).toEqual([true, true, true]);
  });
});

/** What stands in for a field: the canary itself, of the wrong type, badly written, or deep inside something. */
const wrappings: readonly (readonly [what: string, wrap: (canary: string) => unknown])[] = [
  ['as it is', (canary) => canary],
  ['with a blank', (canary) => ` ${canary}`],
  ['with more after it', (canary) => `${canary}x`],
  ['with one more digit', (canary) => `${canary}0`],
  ['in groups', (canary) => canary.replace(/(....)(?=.)/g, '$1 ')],
  ['in groups of another kind', (canary) => canary.replace(/(....)(?=.)/g, '$1.')],
  ['as a number', (canary) => (Number.isNaN(Number(canary)) ? [canary] : Number(canary))],
  ['as a bigint', (canary) => (/^\d+$/.test(canary) ? BigInt(canary) : { canary })],
  ['in an array', (canary) => [canary]],
  ['in an object', (canary) => ({ value: canary, [canary]: { deeper: [canary] } })],
  ['as a String object', (canary) => new String(canary)],
  ['as a function', (canary) => Object.assign(() => canary, { canary })],
  ['as a 3-D Secure result', (canary) => ({ authenticated: true, cavv: canary, xid: [canary], eci: {} })],
  ['as a failed 3-D Secure result', (canary) => ({ authenticated: false, cavv: canary })],
];

describe('what is planted in a field is not shown by the SDK', () => {
  const canaries: readonly (readonly [kind: Kind, canary: string])[] = [
    ...cardNumbers.map((number) => ['card number', number] as const),
    ['security code', securityCode],
    ['security key', plainKey],
  ];
  const plants = canaries.flatMap(([kind, canary]) =>
    wrappings.map(([how, wrap]) => ({ kind, how, value: wrap(canary) })),
  );

  /** What a call fails with, and what it showed, for each kind of transaction. */
  async function leaksOf(field: string, value: unknown): Promise<{ leaks: string[]; refusals: number }> {
    const watch = new Watch();
    let refusals = 0;
    for (const { needs, call } of kinds) {
      const card = field === 'payment_token' ? {} : { ccnumber: cardNumber, ccexp: '0399' };
      const params = { ...needs, ...card, [field]: value };
      const error = await watchCall(watch, { fetch: approved }, (transact) => call(transact, params));
      if (error instanceof InvalidRequestError) refusals += 1;
      else if (error !== undefined) throw error;
    }
    expect(watch.places).toContain('transact');
    return { leaks: watch.leaks(), refusals };
  }

  it.each(fieldNames)('in %s', { timeout: 60_000 }, async (field) => {
    const found: string[] = [];
    let refusals = 0;
    for (const { kind, how, value } of everyNth(plants, 9, fieldNames.indexOf(field))) {
      const outcome = await leaksOf(field, value);
      refusals += outcome.refusals;
      found.push(...outcome.leaks.map((leak) => `a ${kind} ${how}: ${leak}`));
    }
    expect(found).toEqual([]);
    // Values of a wrong type are refused wherever they stand, so the errors were looked at too.
    expect(refusals).toBeGreaterThan(kinds.length * bySize({ short: 2, all: 10 }));
  });

  it.each(['params', 'options'])('where the %s are something else altogether', async (which) => {
    const watch = new Watch();
    const strays = [...cardNumbers, securityCode, plainKey, [cardNumber], Number(cardNumber)];
    for (const stray of strays) {
      for (const { needs, call } of kinds) {
        await watchCall(watch, { fetch: approved }, (transact) =>
          which === 'params'
            ? call(transact, stray as never)
            : call(transact, { ...needs, ...cardOf(cardNumber) }, stray as never),
        );
      }
    }
    expect(watch.places.filter((place) => place === 'transact')).toHaveLength(strays.length * kinds.length);
    expect(watch.leaks()).toEqual([]);
  });

  it.each<[name: string, options: (canary: unknown) => object]>([
    ['securityKey', (canary) => ({ securityKey: [canary] })],
    ['securityKey, with a blank', (canary) => ({ securityKey: ` ${canary}` })],
    ['securityKey, from a function', (canary) => ({ securityKey: () => ` ${canary}` })],
    [
      'securityKey, from a function that throws',
      (canary) => ({ securityKey: () => Promise.reject(new Error(String(canary))) }),
    ],
    ['formEncoding', (canary) => ({ formEncoding: canary })],
    ['throwOnDecline', (canary) => ({ throwOnDecline: canary })],
    ['baseUrl', (canary) => ({ baseUrl: canary })],
    ['baseUrl, as its user', (canary) => ({ baseUrl: `https://user:${canary}@payments.test` })],
    ['baseUrl, in its query', (canary) => ({ baseUrl: `https://payments.test/?key=${canary}` })],
    ['timeout', (canary) => ({ timeout: canary })],
    ['validation', (canary) => ({ validation: canary })],
    ['headers', (canary) => ({ headers: canary })],
    ['headers, as a value', (canary) => ({ headers: { 'x-api-key': `${canary}\n` } })],
    ['headers, as a value of a harmless name', (canary) => ({ headers: { 'x-trace': `t ${canary}` } })],
    ['logger', (canary) => ({ logger: { debug: canary } })],
  ])('in the option %s', async (_name, optionsOf) => {
    const watch = new Watch();
    for (const canary of [plainKey, cardNumber, [plainKey]]) {
      const options = { fetch: approved, ...optionsOf(canary) };
      try {
        await watchCall(watch, options as never, (transact) =>
          transact.sale({ amount: '1.00', ...cardOf(cardNumber) }),
        );
      } catch (error) {
        watch.see('error', error);
      }
    }
    expect(watch.places.length).toBeGreaterThan(0);
    expect(watch.leaks()).toEqual([]);
  });
});

/** What the service received, for it to send back. */
interface Received {
  /** The request's body as it came. */
  readonly raw: string;
  readonly fields: Readonly<Record<string, string>>;
  /** A sentence as a person would write it. */
  readonly sentence: string;
}

/** What may stand between the groups of a card number. */
const separators = [' ', '-', '_', ':', ',', '|', '*', '–', '·', '\u200b'];

async function receive(request: WebRequest): Promise<Received> {
  const copy = new Request(request as Request);
  const raw = await copy.clone().text();
  const form = await copy.formData();
  const fields = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
  const { ccnumber = '', cvv = '', ccexp = '', security_key = '' } = fields;
  const grouped = ccnumber.replace(/(\d{4})(?=\d)/g, '$1 ');
  const sentence =
    `Card ${ccnumber} (${separators.map((sign) => grouped.replaceAll(' ', sign)).join('; ')}) with code ${cvv}, cvv=${cvv}, ` +
    `expiring ${ccexp}, was refused for key ${security_key}`;
  return { raw, fields, sentence };
}

type Answer = (received: Received) => Response;

interface Shape {
  readonly what: string;
  readonly answer: Answer;
  /** What becomes of it; `undefined` for a result. */
  readonly error?: abstract new (
    ...args: never[]
  ) => PaymentsError;
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const page = (title: string, body: string) =>
  `<!DOCTYPE html><html><head><title>${escapeHtml(title)}</title></head><body><pre>${escapeHtml(body)}</pre></body></html>`;
const json = (body: unknown, status: number) => Response.json(body, { status });
const echoHeaders = ({ sentence, fields: { ccnumber = '', security_key = '', cvv = '' } }: Received) => ({
  'x-request-id': `${ccnumber} ${cvv} ${security_key}`,
  // A header holds Latin letters alone.
  'x-echo': sentence.replace(/[^ -~]/g, encodeURIComponent),
  location: `https://payments.test/?ccnumber=${ccnumber}&cvv=${cvv}&${form({ security_key })}`,
  'set-cookie': `key=${encodeURIComponent(security_key)}`,
});

const results: readonly Shape[] = [
  {
    what: 'approved, url-encoded',
    answer: ({ raw, sentence }) => new Response(`response=1&${form({ responsetext: sentence })}&${raw}`),
  },
  {
    what: 'approved, not escaped',
    answer: ({ sentence }) => new Response(`response=1&responsetext=${sentence}`),
  },
  {
    what: 'approved, JSON',
    answer: ({ fields, sentence }) =>
      json({ ...fields, response: 1, responsetext: sentence, fields: { fields } }, 200),
  },
  {
    what: 'approved, with headers',
    answer: (received) => new Response('response=1', { headers: echoHeaders(received) }),
  },
];

const declines: readonly Shape[] = [
  {
    what: 'declined, url-encoded',
    answer: ({ sentence }) => new Response(form({ response: '2', responsetext: sentence })),
    error: TransactionDeclinedError,
  },
  {
    what: 'declined, with the request as it came',
    answer: ({ raw }) => new Response(form({ response: '3', responsetext: `bad request: ${raw}` })),
    error: TransactionDeclinedError,
  },
  {
    what: 'declined, not escaped',
    answer: ({ sentence }) => new Response(`response=3&responsetext=${sentence} REFID:316`),
    error: TransactionDeclinedError,
  },
  {
    what: 'JSON, with a response that is the card itself',
    answer: ({ fields: { ccnumber = '', cvv = '', security_key = '' } }) =>
      json({ response: `${ccnumber} ${cvv} ${security_key}`, responsetext: 'NO' }, 200),
    error: ResponseValidationError,
  },
];

const unreadable: readonly Shape[] = [
  {
    what: '200 with the request as it came',
    answer: ({ raw }) => new Response(raw),
    error: ResponseValidationError,
  },
  {
    what: '200 with a sentence',
    answer: ({ sentence }) => new Response(sentence),
    error: ResponseValidationError,
  },
  {
    what: '200 with HTML',
    answer: ({ sentence, raw }) => new Response(page(sentence, raw)),
    error: ResponseValidationError,
  },
  {
    what: '200 with two answers',
    answer: ({ raw }) => new Response(`response=1&response=2&${raw}`),
    error: ResponseValidationError,
  },
  {
    what: '200 with JSON that is no answer',
    answer: ({ fields }) => json({ fields, list: Object.values(fields) }, 200),
    error: ResponseValidationError,
  },
  {
    what: '200 with broken JSON',
    answer: ({ sentence }) => new Response(`{"${sentence}": ${sentence}`),
    error: ResponseValidationError,
  },
];

const refusals: readonly Shape[] = [400, 500].flatMap((status): Shape[] => [
  {
    what: `${status} with the request as it came`,
    answer: ({ raw }) => new Response(raw, { status }),
    error: ApiError,
  },
  {
    what: `${status} with a sentence`,
    answer: ({ sentence }) => new Response(sentence, { status }),
    error: ApiError,
  },
  {
    what: `${status} with HTML`,
    answer: ({ sentence, raw }) => new Response(page(sentence, raw), { status }),
    error: ApiError,
  },
  {
    what: `${status} with a JSON error`,
    answer: ({ sentence }) => json({ error: { code: 'bad', message: sentence } }, status),
    error: ApiError,
  },
  {
    what: `${status} with JSON that quotes the request`,
    answer: ({ fields }) => json({ message: `cannot take ${JSON.stringify(fields)}` }, status),
    error: ApiError,
  },
  {
    what: `${status} with JSON errors by field`,
    answer: ({ fields: { cvv = '', ccnumber = '' } }) =>
      json({ cvv: [`${cvv} does not match`], ccnumber: [`${ccnumber} is wrong`] }, status),
    error: ApiError,
  },
  {
    what: `${status} with a card number for a code`,
    answer: ({ fields: { ccnumber = '' } }) => json({ code: Number(ccnumber), error: ccnumber }, status),
    error: ApiError,
  },
  {
    what: `${status} with a key for a code`,
    answer: ({ fields: { security_key = '' } }) => json({ code: security_key, error: security_key }, status),
    error: ApiError,
  },
  {
    what: `${status} with headers`,
    answer: (received) => new Response('', { status, headers: echoHeaders(received) }),
    error: ApiError,
  },
]);

const redirects: readonly Shape[] = [
  {
    what: '302 with headers',
    answer: (received) => new Response(null, { status: 302, headers: echoHeaders(received) }),
    error: ApiError,
  },
];

/** What a `fetch` throws that tells too much: in its message, in its fields, in its causes. */
const failures: readonly Shape[] = [
  {
    what: 'a connection that breaks with the request in its message',
    answer: ({ raw }) => {
      throw Object.assign(new TypeError(`fetch failed: ${raw}`), { code: 'ECONNRESET' });
    },
    error: ConnectionError,
  },
  {
    what: 'a connection that breaks with a sentence in its cause',
    answer: ({ sentence, fields }) => {
      const cause = Object.assign(new Error(sentence), { code: 'ECONNRESET', fields });
      throw new TypeError('fetch failed', { cause });
    },
    error: ConnectionError,
  },
  {
    what: 'a connection that breaks with the request in its fields and its name',
    answer: ({ raw, fields, sentence }) => {
      throw Object.assign(new Error('broken'), { name: sentence, request: { raw }, fields });
    },
    error: ConnectionError,
  },
  {
    what: 'something thrown that is no error',
    answer: ({ sentence }) => {
      throw sentence;
    },
    error: ConnectionError,
  },
  {
    what: 'a body that breaks with the request in its message',
    answer: ({ raw }) =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new Error(raw)) })),
    error: ConnectionError,
  },
];

const shapes = [...results, ...declines, ...unreadable, ...refusals, ...redirects, ...failures];

/** Each shape, by each kind of transaction, in each encoding, with each card and each key. */
const settings = kinds.flatMap((kind) =>
  (['urlencoded', 'multipart'] as const).flatMap((formEncoding) =>
    [
      { securityKey: keys[0], ccnumber: cardNumbers[1] },
      { securityKey: keys[1], ccnumber: cardNumbers[0] },
      { securityKey: keys[0], ccnumber: cardNumbers[2] },
    ].map((secrets) => ({ ...kind, formEncoding, ...secrets })),
  ),
);

describe('what the service sends back is not shown by the SDK', () => {
  it.each(shapes)('$what', { timeout: 60_000 }, async (shape) => {
    const { answer, error: expected } = shape;
    const found = new Set<string>();
    const tried = everyNth(settings, 5, shapes.indexOf(shape));
    for (const { call, needs, formEncoding, securityKey, ccnumber } of tried) {
      const watch = new Watch();
      const params = { ...needs, ...person, ...threeDSecure, ...cardOf(ccnumber) };
      const fetch = async (request: WebRequest) => answer(await receive(request));
      const error = await watchCall(
        watch,
        { fetch, formEncoding, securityKey, throwOnDecline: true },
        (transact) => call(transact, params),
      );
      if (expected === undefined) expect(error).toBeUndefined();
      else expect(error).toBeInstanceOf(expected);
      expect(watch.places).toEqual(expect.arrayContaining(['log.debug', 'hook.request', 'transact']));
      for (const leak of watch.leaks()) found.add(leak);
    }
    expect([...found]).toEqual([]);
  });
});

describe('what breaks on the wire is not shown by the SDK', () => {
  const params = { amount: '12.00', ...person, ...cardOf(cardNumber) };

  /** What is shown where the wire answers so; the request is sent back as it came. */
  async function watchWire(
    handler: Parameters<typeof startWireServer>[0],
    options: TransactOptions = {},
  ): Promise<{ error: unknown; leaks: string[] }> {
    const server = await startWireServer(handler);
    const watch = new Watch();
    const wired = { baseUrl: server.url, securityKey: keys[1], ...options };
    const error = await watchCall(watch, wired, (transact) => transact.sale(params));
    // A short time-out may be over before the request arrives.
    if (options.timeout === undefined) expect(server.requests[0]).toContain(cardNumber);
    return { error, leaks: watch.leaks() };
  }

  it('a reset', async () => {
    const { error, leaks } = await watchWire((connection) => connection.reset());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(leaks).toEqual([]);
  });

  it('a reset in the middle of a body', async () => {
    const { error, leaks } = await watchWire((connection) => {
      connection.write(`${response('200 OK', connection.request).slice(0, -20)}`);
      connection.end();
    });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(leaks).toEqual([]);
  });

  it('an answer that is no HTTP', async () => {
    const { error, leaks } = await watchWire((connection) => {
      connection.write(connection.request);
      connection.end();
    });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(leaks).toEqual([]);
  });

  it('a header that HTTP does not allow', async () => {
    const { error, leaks } = await watchWire((connection) => {
      connection.write(`HTTP/1.1 200 OK\r\n${cardNumber} ${keys[1]} cvv=${securityCode}\r\n\r\n`);
      connection.end();
    });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(leaks).toEqual([]);
  });

  it('a status line that says too much', async () => {
    const { error, leaks } = await watchWire((connection) => {
      connection.write(response(`400 ${cardNumber} cvv=${securityCode} ${plainKey}`, ''));
    });
    expect(error).toBeInstanceOf(ApiError);
    expect(leaks).toEqual([]);
  });

  it('a time-out before the answer', async () => {
    const { error, leaks } = await watchWire(() => {}, { timeout: 50 });
    expect(error).toBeInstanceOf(TimeoutError);
    expect(leaks).toEqual([]);
  });

  it('a time-out in the middle of a body', async () => {
    const { error, leaks } = await watchWire(
      (connection) => connection.write(response('200 OK', connection.request).slice(0, -20)),
      { timeout: 200 },
    );
    expect(error).toBeInstanceOf(TimeoutError);
    expect(leaks).toEqual([]);
  });
});

describe('long fields of a browser', () => {
  const signs = '+/=&%-._~!\\"<>';
  const long = { cavv: 4096, xid: 4096, payment_token: 4096 } as const;
  type LongField = keyof typeof long;
  const fields = Object.keys(long) as LongField[];

  /** A sale with a field of a length, whose service repeats the whole request. */
  async function saleWith(field: LongField, length: number, answer: Answer) {
    const watch = new Watch();
    const value = signs.repeat(Math.ceil(length / signs.length)).slice(0, length);
    const means = field === 'payment_token' ? {} : cardOf(cardNumber);
    const params = { amount: '12.00', ...means, [field]: value };
    const fetch = async (request: WebRequest) => answer(await receive(request));
    const options = { fetch, securityKey: keys[1], throwOnDecline: true };
    const error = await watchCall(watch, options, (transact) => transact.submit({ type: 'sale', ...params }));
    return { error, watch };
  }

  it.each(fields)(
    '%s of 4,096 characters is sent, and whatever becomes of it is said as it is',
    async (field) => {
      for (const { answer, error: expected } of everyNth(shapes, fields.length, fields.indexOf(field))) {
        const { error, watch } = await saleWith(field, long[field], answer);
        if (expected === undefined) expect(error).toBeUndefined();
        else expect(error).toBeInstanceOf(expected);
        expect(watch.leaks()).toEqual([]);
      }
    },
  );

  it.each(fields)('%s that is longer is refused before sending', async (field) => {
    const unreachable = () => {
      throw new Error('it was sent');
    };
    for (const length of [long[field] + 1, 1_000_000]) {
      const { error, watch } = await saleWith(field, length, unreachable);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({
        issues: [
          { path: field, expected: 'at most 4096 characters', received: `a string of ${length} characters` },
        ],
      });
      expect(watch.leaks()).toEqual([]);
    }
  });

  it('and a key of 100,000 characters breaks no call', async () => {
    const securityKey = `CANARYKEY${signs}`.repeat(5000);
    const watch = new Watch();
    const fetch = async (request: WebRequest) =>
      new Response(await receive(request).then(({ raw }) => raw), { status: 400 });
    const params = { amount: '12.00', ...cardOf(cardNumber) };
    const error = await watchCall(watch, { fetch, securityKey }, (transact) => transact.sale(params));
    expect(error).toBeInstanceOf(ApiError);
    expect(watch.leaks()).toEqual([]);
  });
});
