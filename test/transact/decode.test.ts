/** What a response of the form endpoint means. `test/bytes/parsers/form-responses.ts` attacks the same decoder with any bytes. */

import { readFileSync } from 'node:fs';
import { AuthenticationError, isDecline, ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { type Answer, sale, startEndpoint } from './endpoint.ts';

const resultOf = (answer: Answer) => startEndpoint(answer).transact.sale(sale);

const recordings = readFileSync(new URL('./gateway-responses.txt', import.meta.url), 'utf8')
  .split('\n# ')
  .slice(1)
  .map((entry) => {
    const [what = '', body = ''] = entry.split('\n');
    return { what, body };
  });

/** Reads the fields of a recorded response, with no code of the SDK. */
function fieldsOf(body: string): Record<string, string> {
  const isEscaped = /[+%]/.test(body) && !body.includes(' ');
  if (isEscaped) return Object.fromEntries(new URLSearchParams(body));
  // What follows an `&` and is no pair belongs to the text before it.
  return Object.fromEntries(body.split(/&(?=\w+=)/).map((pair) => pair.split(/=(.*)/, 2)));
}

describe('a recorded gateway response', () => {
  it.each(recordings)('is read: $what', async ({ what, body }) => {
    const fields = fieldsOf(body);
    const { response, responsetext = '', transactionid = '', avsresponse, cvvresponse } = fields;
    const call = resultOf(() => new Response(body, { headers: { 'content-type': 'text/html' } }));
    if (what.startsWith('wrong credentials')) {
      const error = await failureOf(call, AuthenticationError);
      expect(error).toMatchObject({ status: 200, outcome: 'not_executed', retryable: false, attempts: 1 });
      expect(error.message).toMatch(/^The service rejected the security_key\. /);
      expect(error.message).toContain(`The service says: ${responsetext}`);
      expect([error.body, isDecline(error)]).toEqual([fields, false]);
      return;
    }
    const result = await call;
    expect(result).toMatchObject({
      approved: response === '1',
      errored: response === '3',
      response,
      responsetext,
      transactionid: transactionid === '0' ? '' : transactionid,
      risk: undefined,
    });
    expect([result.avs?.code ?? '', result.cvv?.code ?? '']).toEqual([avsresponse ?? '', cvvresponse ?? '']);
    expect(Object.entries(result.fields)).toEqual(Object.entries(fields));
  });
});

describe('a response', () => {
  const checks = 'transactionid=316&avsresponse=Y&cvvresponse=M&risk_score=10&risk_decision=A';

  it.each([
    ['a URL-encoded form', `response=1&responsetext=Approved+now%21&${checks}`],
    ['a form without escapes', `response=1&responsetext=Approved now!&${checks}\n`],
    [
      'JSON',
      '{"response":1,"responsetext":"Approved now!","transactionid":316,"avsresponse":"Y","cvvresponse":"M","risk_score":10,"risk_decision":"A","x":null}',
    ],
  ])('in %s has its checks beside its result', async (_encoding, body) => {
    expect(await resultOf(body)).toMatchObject({
      approved: true,
      errored: false,
      response: '1',
      responsetext: 'Approved now!',
      transactionid: '316',
      avs: { code: 'Y', street: true, zip: true, recommendation: 'accept' },
      cvv: { code: 'M', meaning: 'match', matched: true },
      risk: { score: 10, level: 'low', recommendation: 'approve', decision: 'A' },
    });
  });

  it.each([
    ['1', true, false],
    ['2', false, false],
    ['3', false, true],
    ['9', false, false],
    ['11', false, false],
  ])('with response %s has approved %s and errored %s', async (response, approved, errored) => {
    expect(await resultOf(`response=${response}`)).toMatchObject({ approved, errored, response });
  });

  it('without a check has no result of it, and accepts unknown codes', async () => {
    const none = { avs: undefined, cvv: undefined, risk: undefined, transactionid: '', responsetext: '' };
    expect(await resultOf('response=1&avsresponse=&cvvresponse=&risk_score=')).toMatchObject(none);
    expect(await resultOf('response=1&avsresponse=Q&cvvresponse=P&risk_score=999')).toMatchObject({
      avs: { code: 'Q', recommendation: 'review' },
      cvv: { code: 'P', matched: undefined },
      risk: { score: undefined, level: undefined },
    });
  });

  it.each([
    ['brackets and colons', 'can be voided [x]: REFID:316&authcode=', 'can be voided [x]: REFID:316'],
    ['a bare percent sign', '100% declined&transactionid=1', '100% declined'],
    ['a bare percent sign between escapes', '100%+declined%21', '100% declined!'],
    ['a broken escape', 'a%E0%A4%A+b%20c', 'a%E0%A4%A b c'],
    ['an ampersand', 'Smith & Sons declined&type=sale', 'Smith & Sons declined'],
    ['an ampersand at the end', 'Smith & Sons', 'Smith & Sons'],
    ['an empty part after it', 'DECLINE&&type=sale', 'DECLINE'],
    ['a trailing ampersand', 'DECLINE&', 'DECLINE'],
    ['a plus sign', 'code 1+1', 'code 1+1'],
    ['a byte order mark', '\uFEFF', ''],
  ])('keeps a text with %s', async (_what, text, responsetext) => {
    const result = await resultOf(`response=2&responsetext=${text}`);
    expect(result).toMatchObject({ approved: false, responsetext });
  });

  it.each([
    ['one field per line', 'response=1&\nresponsetext=SUCCESS&\r\ntransactionid=316\n'],
    ['an empty part', 'response=1&&responsetext=SUCCESS&transactionid=316'],
    ['a trailing ampersand', 'response=1&responsetext=SUCCESS&transactionid=316&'],
    ['a lone ampersand after the response', 'response=1& &responsetext=SUCCESS&transactionid=316'],
    ['a line break at the end', 'response=1&responsetext=SUCCESS&transactionid=316\r\n'],
    ['blanks around values', '\uFEFFresponse= 1 &responsetext= SUCCESS &transactionid= 316 '],
    ['an ampersand after an id', 'response=1&responsetext=SUCCESS&transactionid=316&7'],
    [
      'JSON after a byte order mark',
      '\uFEFF {"response":1,"responsetext":"SUCCESS","transactionid":316}\r\n',
    ],
    [
      'JSON with others inside',
      '{"response" : 1,"a":{"response":2},"b":[{"response":3}],"responsetext":"SUCCESS","c":"response","transactionid":"316"}',
    ],
    [
      'JSON with quotes inside',
      '{"a":"\\\\\\"response\\":2","note":"{","response":"1","responsetext":"SUCCESS","transactionid":"316"}',
    ],
  ])('with %s is still an approval', async (_what, body) => {
    const approval = { approved: true, transactionid: '316', responsetext: 'SUCCESS' };
    expect(await resultOf(body)).toMatchObject(approval);
  });

  it('keeps every field that the interface does not show, in its order', async () => {
    const { fields } = await resultOf('response=1&authcode=A1&orderid=&__proto__=x&customer_vault_id=9');
    expect(Object.entries(fields)).toEqual([
      ['response', '1'],
      ['authcode', 'A1'],
      ['orderid', ''],
      ['__proto__', 'x'],
      ['customer_vault_id', '9'],
    ]);
  });

  it.each([
    ['a form', 'response=1&note=first&note=second', 'first'],
    ['JSON', '{"response":1,"note":"first","note":"second"}', 'second'],
  ])('in %s may repeat a field that decides nothing', async (_encoding, body, note) => {
    expect(await resultOf(body)).toMatchObject({ approved: true, fields: { note } });
  });

  it('in JSON keeps other types as JSON, and null as an empty string', async () => {
    const { fields } = await resultOf('{"response":1,"a":null,"b":[1,{"c":"d"}],"e":true,"f":{}}');
    expect(fields).toEqual({ response: '1', a: '', b: '[1,{"c":"d"}]', e: 'true', f: '{}' });
  });

  it('in JSON keeps every digit of a long number', async () => {
    const id = '12345678901234567891';
    const body = `{"response":1,"transactionid":${id},"amount":12.00,"a":[${id}]}`;
    const { transactionid, fields } = await resultOf(body);
    // Runtimes that do not pass the digits leave the number out.
    const kept = 'rawJSON' in JSON ? id : '';
    expect(transactionid).toBe(kept);
    expect(fields).toEqual({ response: '1', transactionid: kept, amount: '12', a: `["${kept}"]` });
  });

  it('in JSON that is nested too deeply to serialize is still an approval, with no id that was rounded', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const body = `{"response":1,"transactionid":12345678901234567891,"deep":${deep}}`;
    const { approved, transactionid, fields } = await resultOf(body);
    expect(approved).toBe(true);
    // Some runtimes can serialize it.
    expect(['', deep]).toContain(fields['deep']);
    expect(['', '12345678901234567891']).toContain(transactionid);
  });
});

/** A response of these headers, with an approval in it. */
const partial = (status: number, headers: Record<string, string>, body = 'response=1&orderid=é') => {
  return () => new Response(body, { status, headers });
};

describe('a response that cannot be read', () => {
  const none = 'a field that says whether it was approved';
  const checks = ['avsresponse', 'cvvresponse', 'risk_score', 'risk_decision'];
  const decisive = ['responsetext', 'transactionid', ...checks];

  it.each<[path: string, expected: string, received: string, body: string]>([
    ['(root)', 'a form or a JSON object', 'an HTML or XML page', '<html>response=1</html>'],
    ['(root)', 'a form or a JSON object', 'an HTML or XML page', ' <a href="/pay?x=1&response=1&y=2">'],
    ['(root)', 'a form or a JSON object', 'broken JSON', ' \uFEFF{"response":'],
    ['response', 'text or a number', 'something else', '{"response":[1]}'],
    ['response', 'text or a number', 'something else', '{"response":true}'],
    ['response', 'one value', 'two', '{"response":1,"a":{"response":2},"response" : 2}'],
    ['response', 'one value', 'two', '{"response":2,"\\u0072esponse":1}'],
    ...decisive.flatMap((name): [string, string, string, string][] => [
      [name, 'one value', 'two', `response=1&${name}=1&${name}=2`],
      [name, 'one value', 'two', `{"${name}":"1","response":1,"${name}":"2"}`],
    ]),
    ['response', 'one value', 'two', 'response=2&responsetext=NO&response=1'],
    ['response', none, 'none', ''],
    ['response', none, 'none', '{}'],
    ['response', none, 'none', 'response=+&responsetext=x'],
    ['response', none, 'none', 'responsetext=APPROVED'],
    ['response', 'one short word', 'something longer', 'response=1;responsetext=OK'],
    ['response', 'one short word', 'something longer', 'response=1 and a lot of other words'],
  ])('says what is wrong with its %s: expected %s, got %s', async (path, expected, received, body) => {
    const { transact, bodies } = startEndpoint(body, { maxRetries: 3 });
    const error = await failureOf(transact.sale(sale), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, body, attempts: 1 });
    expect(error.issues).toEqual([{ path, expected: expect.stringContaining(expected), received }]);
    expect(error.message).toContain('Money may have moved: look the call up before you send it again.');
    expect(bodies).toHaveLength(1);
  });

  it.each<[what: string, answer: Answer]>([
    ['a part of a response', partial(206, {})],
    ['one byte less than it announces', partial(200, { 'content-length': '22' })],
  ])('leaves open whether money moved: %s', async (_what, answer) => {
    const error = await failureOf(resultOf(answer), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, body: 'response=1&orderid=é' });
    expect(error.issues).toMatchObject([{ path: '(root)', expected: 'a whole answer' }]);
    expect(error.message).toContain('look the call up before you send it again');
  });

  it.each<[what: string, answer: Answer]>([
    [
      'as many bytes as it announces, which are more than characters',
      partial(200, { 'content-length': '21' }),
    ],
    [
      'more than the bytes of its packed form',
      partial(200, { 'content-length': '99', 'content-encoding': 'x' }),
    ],
  ])('is not assumed of one that has %s', async (_what, answer) => {
    expect(await resultOf(answer)).toMatchObject({ approved: true, fields: { orderid: 'é' } });
  });
});

describe('a wrong security key', () => {
  it.each(['Invalid Security Key', 'invalid api_key', 'INVALID LOGIN', 'Invalid credentials: x'])(
    'is recognized by: %s',
    async (words) => {
      await failureOf(resultOf(`response=3&responsetext=${words}`), AuthenticationError);
    },
  );

  it.each([
    'response=2&responsetext=Authentication Failed',
    'response=3&responsetext=Authentication Failed&transactionid=316',
    'response=3&responsetext=3-D Secure: authentication failed',
    'response=3&responsetext=Invalid Credit Card Number',
    'response=3&responsetext=Invalid Loginname',
  ])('is not assumed from other refusals: %s', async (body) => {
    expect(await resultOf(body)).toMatchObject({ approved: false });
  });
});
