/**
 * JSON that no honest service sends: nested very deeply, with names of prototypes, or with numbers beyond a double. Every failure
 * is a PaymentsError, no prototype is polluted, and a payment that took effect is reported as executed.
 */

import { ResponseValidationError, unknownField } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { checkoutSession, intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { bySize, everyNth, thorough } from '../support/size.ts';
import { response, startWireServer } from '../support/socket-server.ts';
import { clientOf } from '../support/transports.ts';

const by = { operationId: 'order-1' };

/** Returns the client of a service that sends this body in every response. */
async function clientOfBody(body: string, status = '200 OK') {
  const { url } = await startWireServer(({ write }) => write(response(status, body)));
  return clientOf(url);
}

/** Returns the JSON of a payment intent with further fields. Of two fields with the same name, the later one counts. */
const intentWith = (more: string) => `${JSON.stringify(paymentIntent).slice(0, -1)},${more}}`;

async function create(body: string) {
  return (await clientOfBody(body)).paymentIntents.create(intentParams, by);
}

async function sell(body: string) {
  return (await clientOfBody(body)).transact.sale(saleParams);
}

const levels = 100_000;
const nested = {
  arrays: '['.repeat(levels) + ']'.repeat(levels),
  objects: `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
};

describe.each(everyNth(Object.entries(nested), 2))('100,000 nested %s', (_what, deep) => {
  it('in an unknown field are kept', async () => {
    const intent = await create(intentWith(`"x":${deep}`));
    expect(intent.id).toBe('pi_1');
    expect(typeof unknownField(intent, 'x')).toBe('object');
  });

  it('in a known field are invalid, and the outcome is executed', async () => {
    const error = await failureOf(create(intentWith(`"amount":${deep}`)), ResponseValidationError);
    expect(error.outcome).toBe('executed');
    expect(error.issues.map(({ path }) => path)).toEqual(['amount']);
  });

  it('as the whole body are invalid, and the outcome is executed', async () => {
    expect((await failureOf(create(deep), ResponseValidationError)).outcome).toBe('executed');
  });

  it('in the body of a refusal do not hide its code', async () => {
    const payments = await clientOfBody(`{"error":${deep},"code":"card_declined"}`, '402 Payment Required');
    const call = payments.paymentIntents.create(intentParams, by);
    await expect(call).rejects.toMatchObject({ status: 402, code: 'card_declined', outcome: 'not_executed' });
  });

  it('in another field of the response do not hide that a sale was approved', async () => {
    const result = await sell(`{"response":1,"transactionid":"316","x":${deep}}`);
    expect(result).toMatchObject({ approved: true, transactionid: '316', fields: { x: '' } });
  });

  it('in the field `response` leave the sale unknown', async () => {
    const error = await failureOf(sell(`{"response":${deep}}`), ResponseValidationError);
    expect(error.outcome).toBe('unknown');
  });

  it('in the body of a webhook do not make verification fail', async () => {
    const webhooks = new Webhooks({ secret: `whsec_${btoa('a secret of the tests of webhooks')}` });
    const body = `{"id":"evt_1","type":"tea.poured","data":{"object":${deep}}}`;
    const event = await webhooks.verify(body, await webhooks.sign(body));
    expect(event.type).toBe('tea.poured');
  });
});

describe('names of prototypes', () => {
  const poison = '{"polluted":true,"toString":"polluted","then":1}';
  const names = `"__proto__":${poison},"constructor":{"prototype":${poison}},"prototype":${poison}`;

  afterEach(() => {
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(String({})).toBe('[object Object]');
  });

  it('are ordinary fields of a result', async () => {
    const intent = await create(intentWith(`${names},"metadata":{"__proto__":"a","constructor":"b"}`));
    expect(Object.getPrototypeOf(intent)).toBe(Object.prototype);
    expect(Object.hasOwn(intent, '__proto__')).toBe(true);
    expect(Reflect.get(intent, 'polluted')).toBeUndefined();
    expect(Object.entries(intent.metadata)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  it('do not supply a missing field', async () => {
    const error = await failureOf(
      create(`{"id":"pi_1","object":"payment_intent","__proto__":${JSON.stringify(paymentIntent)}}`),
      ResponseValidationError,
    );
    expect(error.issues.map(({ path }) => path)).toContain('amount');
  });

  it('are not accepted as a page', async () => {
    const page = '{"__proto__":{"data":[],"has_more":false}}';
    const { products } = await clientOfBody(page);
    await failureOf(products.list(), ResponseValidationError);
  });

  it('do not supply the code and message of an error', async () => {
    const payments = await clientOfBody(
      `{"__proto__":{"code":"forged","message":"forged"}}`,
      '400 Bad Request',
    );
    const error = await payments.paymentIntents.retrieve('pi_1').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 400, code: undefined });
    expect(String(error)).not.toContain('forged');
  });

  it('are ordinary fields in the response to a sale', async () => {
    for (const body of [
      `{"response":"2",${names},"avsresponse":"constructor","cvvresponse":"__proto__"}`,
      'response=2&__proto__=1&constructor=2&avsresponse=constructor&cvvresponse=__proto__&risk_decision=toString',
    ]) {
      const result = await sell(body);
      expect(result.approved).toBe(false);
      expect(Object.getPrototypeOf(result.fields)).toBe(Object.prototype);
      expect(Object.hasOwn(result.fields, '__proto__')).toBe(true);
      expect(typeof result.avs?.meaning).toBe('string');
      expect(typeof result.cvv?.meaning).toBe('string');
    }
  });

  it('cannot approve a sale', async () => {
    for (const body of ['{"__proto__":{"response":"1"}}', '__proto__=response=1', '__proto__[response]=1']) {
      expect((await failureOf(sell(body), ResponseValidationError)).outcome).toBe('unknown');
    }
  });

  it('are ordinary fields in a webhook event', async () => {
    const webhooks = new Webhooks({ secret: `whsec_${btoa('a secret of the tests of webhooks')}` });
    const body = `{"id":"evt_1","type":"tea.poured",${names},"data":{"object":{${names}},${names}}}`;
    const event = await webhooks.verify(body, await webhooks.sign(body));
    expect(event).toMatchObject({ id: 'evt_1', type: 'tea.poured' });
    expect(Reflect.get(event, 'polluted')).toBeUndefined();
    expect(Reflect.get(event.data, 'polluted')).toBeUndefined();
  });
});

describe('a number', () => {
  it.each(['9007199254740993', '1e400', '-1e400', '0.1', '12.000000000000001', '1E999999999'])(
    'that is not an exact amount (%s) is invalid, and the outcome is executed',
    async (number) => {
      const error = await failureOf(create(intentWith(`"amount":${number}`)), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'executed', issues: [{ path: 'amount' }] });
    },
  );

  it.each([
    ['9007199254740991', 9007199254740991],
    ['1.2e3', 1200],
    ['1200.0', 1200],
    ['-0', -0],
  ])('that is exact in another notation (%s) is accepted', async (number, value) => {
    expect((await create(intentWith(`"amount":${number}`))).amount).toBe(value);
  });

  it('of any size is accepted in an unknown field', async () => {
    const intent = await create(intentWith('"big":9007199254740993,"huge":1e400,"zero":-0'));
    expect(unknownField(intent, 'huge')).toBe(Number.POSITIVE_INFINITY);
    expect(unknownField(intent, 'zero')).toBe(-0);
  });
});

/**
 * `JSON.parse` keeps the last of two equal names. The JSON API accepts that: the payment took effect, and an error would turn an
 * unimportant duplicate into a failure. The form endpoint's response decides about an approval, so there a duplicate is refused.
 */
describe('a duplicate field', () => {
  it('has its last value in an object, amounts too', async () => {
    const intent = await create(intentWith('"amount":700,"metadata":{"a":"1","a":"2"}'));
    expect(intent).toMatchObject({ amount: 700, metadata: { a: '2' } });
  });

  it('with a wrong last value is invalid, and the outcome is executed', async () => {
    const error = await failureOf(create(intentWith('"amount":"700"')), ResponseValidationError);
    expect(error.outcome).toBe('executed');
  });

  it.each([
    '{"response":"1","response":"2"}',
    '{"response":"2","x":"\\"","r\\u0065sponse":"1"}',
    '{"x":{"response":"2"},"response":"2","y":["}"],"response"\n:"1"}',
    `{"response":"2","x":"${'\\\\'.repeat(100_000)}","response":"1"}`,
  ])('in the response to a sale leaves it unknown (case %#)', async (body) => {
    const error = await failureOf(sell(body), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'unknown', issues: [{ path: 'response', received: 'two' }] });
  });

  it.each([
    '{"response":"1","x":{"response":"2"}}',
    '{"response":"1","x":"response\\":\\"2"}',
    '{"response":"1","x":["response","response"],"y":"response"}',
  ])('inside another field or a string does not count as a duplicate (case %#)', async (body) => {
    expect((await sell(body)).approved).toBe(true);
  });
});

describe('a string', () => {
  it.each<[what: string, written: string, value: string]>([
    ['with half a surrogate pair', '"\\ud83c"', '\ud83c'],
    ['with a NUL', '"a\\u0000b"', 'a\u0000b'],
    ['with line breaks and an escape', '"\\r\\n\\u001b[31m"', '\r\n\u001b[31m'],
    ['with a right-to-left override', '"\u202egnp.exe"', '\u202egnp.exe'],
  ])('%s is kept unchanged', async (_what, written, value) => {
    const intent = await create(intentWith(`"currency":${written},"x":${written}`));
    expect(intent.currency).toBe(value);
    expect(unknownField(intent, 'x')).toBe(value);
  });

  it.each([
    '"a\u0000b"',
    '"a\nb"',
    '"\\x41"',
    "'a'",
    '"\\ud83"',
    'NaN',
    'Infinity',
    '01',
    '+1',
    '1.',
    '0x10',
  ])('that is invalid JSON (%j) makes the response invalid, with the outcome executed', async (written) => {
    const error = await failureOf(create(intentWith(`"x":${written}`)), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'executed', issues: [{ path: '(root)' }] });
  });

  it.each([
    ['{}{}', 'executed'],
    ['{}\u0000', 'executed'],
    ['{} //', 'executed'],
    [")]}',\n{}", 'unknown'],
  ])('followed by more data (%j) makes the outcome %s', async (body, outcome) => {
    expect((await failureOf(create(body), ResponseValidationError)).outcome).toBe(outcome);
  });
});

describe('huge JSON', () => {
  const long = 'a'.repeat(bySize({ short: 5_000_000, all: 25_000_000 }));

  it('is accepted as a string of many megabytes in a known field', async () => {
    expect((await create(intentWith(`"currency":"${long}"`))).currency).toHaveLength(long.length);
  });

  it('does not hide that a sale was approved', async () => {
    for (const body of [
      `{"response":1,"x":"${long}"}`,
      `response=1&x=${long}`,
      `response=1&responsetext=${long} ok`,
    ]) {
      expect((await sell(body)).approved).toBe(true);
    }
  });

  it('does not make the message of a refusal huge', thorough, async () => {
    for (const body of [
      `{"code":"${long}","message":"${long}"}`,
      `{"${long}":["${long}"]}`,
      `<title>${long}`,
      long,
    ]) {
      const payments = await clientOfBody(body, '400 Bad Request');
      const error = await payments.paymentIntents.retrieve('pi_1').catch((reason: unknown) => reason);
      expect(error).toMatchObject({ status: 400 });
      expect(String(error).length).toBeLessThan(2_000);
    }
  });

  it('with very many invalid items does not make the error huge', async () => {
    const items = `[${'{},'.repeat(bySize({ short: 99_999, all: 999_999 }))}{}]`;
    const body = `${JSON.stringify(checkoutSession).slice(0, -1)},"line_items":${items}}`;
    const payments = await clientOfBody(body);
    const error = await failureOf(payments.checkoutSessions.retrieve('cs_1'), ResponseValidationError);
    expect(error.issues[0]?.path).toMatch(/^line_items\[0\]/);
    expect(error.issues.length).toBeLessThan(100);
    expect(error.message.length).toBeLessThan(20_000);
  });

  it('with a long name does not make the message huge', thorough, async () => {
    const error = await failureOf(create(intentWith(`"metadata":{"${long}":1}`)), ResponseValidationError);
    expect(error.issues).toHaveLength(1);
    expect(error.message.length).toBeLessThan(1_000);
  });

  it('is accepted as a page of half a million items', thorough, async () => {
    const count = 500_000;
    const items = Array.from({ length: count }, (_, number) => `{"id":"p${number}","object":"product"}`);
    const { products } = await clientOfBody(`{"data":[${items}],"has_more":false}`);
    expect((await products.list()).items).toHaveLength(count);
  });

  it('with a number of 5 million digits is invalid', async () => {
    const error = await failureOf(
      create(intentWith(`"amount":${'9'.repeat(5_000_000)}`)),
      ResponseValidationError,
    );
    expect(error.outcome).toBe('executed');
  });
});
