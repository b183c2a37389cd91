import { inspect } from 'node:util';
import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  isDecline,
  PaymentsClient,
  ResponseValidationError,
  Transact,
  TransactionDeclinedError,
} from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { saleParams } from '../support/fixtures.ts';
import {
  baseUrl,
  brokenConnection,
  createClient,
  secretKey,
  securityKey,
  text,
  useMockService,
} from '../support/mock-service.ts';

const service = useMockService();
const approved = 'response=1&responsetext=SUCCESS&transactionid=316';
const transact = new Transact({ baseUrl, securityKey });

describe('a request', () => {
  const unusual = { city: 'São Paulo & "Süd" +1%\r\nline', state: '', address1: '🍵=tea' };

  it('is url-encoded by default, with the security key first', async () => {
    service.answers(text(approved));
    await transact.sale({ ...saleParams, ...unusual, email: undefined });
    const [arrival] = service.arrivals;
    expect(arrival?.headers.get('content-type')).toBe('application/x-www-form-urlencoded;charset=UTF-8');
    expect(arrival?.headers.get('accept')).toBe('*/*');
    expect(arrival?.headers.has('authorization')).toBe(false);
    expect(arrival?.body.startsWith(`security_key=${securityKey}&type=sale&`)).toBe(true);
    expect(Object.fromEntries(new URLSearchParams(arrival?.body))).toEqual({
      security_key: securityKey,
      type: 'sale',
      ...saleParams,
      ...unusual,
    });
  });

  it('is multipart with formEncoding multipart', async () => {
    service.answers(text(approved));
    await new Transact({ baseUrl, securityKey, formEncoding: 'multipart' }).sale({
      ...saleParams,
      ...unusual,
    });
    const [arrival] = service.arrivals;
    const type = arrival?.headers.get('content-type') ?? '';
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
    const form = await new Response(arrival?.body, { headers: { 'content-type': type } }).formData();
    expect(Object.fromEntries(form)).toEqual({
      security_key: securityKey,
      type: 'sale',
      ...saleParams,
      ...unusual,
    });
  });

  it('has \\r\\n line breaks in multipart', async () => {
    service.answers(text(approved));
    await new Transact({ baseUrl, securityKey, formEncoding: 'multipart' }).submit({
      type: 'sale',
      note: 'a\rb\nc\r\nd',
    });
    expect(service.arrivals[0]?.body).toContain('name="note"\r\n\r\na\r\nb\r\nc\r\nd\r\n--');
  });

  it('includes the fields for finding a lost sale', async () => {
    service.answers(text(approved));
    const orderFields = { orderid: 'order-1', order_description: 'Tea', ponumber: 'po-1', currency: 'USD' };
    const buyer = {
      first_name: 'Ada',
      last_name: 'King',
      company: 'Tea Ltd',
      address2: '2nd floor',
      country: 'GB',
    };
    await transact.sale({ ...saleParams, ...orderFields, ...buyer });
    const sent = Object.fromEntries(new URLSearchParams(service.arrivals[0]?.body));
    expect(sent).toMatchObject({ ...orderFields, ...buyer });
  });

  it('sends any field of a type through submit', async () => {
    service.answers(text(approved));
    await transact.submit({ type: 'void', transactionid: '316' });
    expect(service.arrivals[0]?.body).toBe(`security_key=${securityKey}&type=void&transactionid=316`);
  });

  it('with an incomplete card, or a card and a token, is refused without repeating the card', async () => {
    const card = { amount: '1.00', ccnumber: '4111111111111111', ccexp: '1329', cvv: '12x' };
    for (const params of [card, { ...card, ccexp: undefined }, { ...card, payment_token: 'tok' }]) {
      const error = await failureOf(transact.sale(params as never), InvalidRequestError);
      // The places of a stack have digits of their own.
      const shown = inspect(error, { depth: 9 }).replaceAll(/\n +at .*/g, '');
      expect(shown).not.toMatch(/4111|1329|12x/);
    }
    expect(service.arrivals).toHaveLength(0);
  });
});

describe('a response', () => {
  it.each([
    [
      'a URL-encoded form',
      'response=1&responsetext=Approved+now%21&transactionid=316&avsresponse=Y&cvvresponse=M&risk_score=10&risk_decision=A',
    ],
    [
      'a form without escapes',
      'response=1&responsetext=Approved now!&transactionid=316&avsresponse=Y&cvvresponse=M&risk_score=10&risk_decision=A\n',
    ],
    [
      'JSON',
      '{"response":1,"responsetext":"Approved now!","transactionid":316,"avsresponse":"Y","cvvresponse":"M","risk_score":10,"risk_decision":"A","x":null}',
    ],
  ])('in %s is decoded', async (_encoding, body) => {
    service.answers(text(body));
    expect(await transact.sale(saleParams)).toMatchObject({
      approved: true,
      response: '1',
      responsetext: 'Approved now!',
      transactionid: '316',
      avs: { code: 'Y', street: true, zip: true, recommendation: 'accept' },
      cvv: { code: 'M', meaning: 'match', matched: true },
      risk: { score: 10, level: 'low', recommendation: 'approve', decision: 'A' },
    });
  });

  it.each([
    [
      'colons and brackets',
      'response=3&responsetext=Only transactions pending settlement can be voided [x]: REFID:3161234&authcode=&transactionid=0',
      'Only transactions pending settlement can be voided [x]: REFID:3161234',
    ],
    ['a bare percent sign', 'response=2&responsetext=100% declined&transactionid=1', '100% declined'],
    ['a bare percent sign between escapes', 'response=2&responsetext=100%+declined%21', '100% declined!'],
    ['a broken escape', 'response=2&responsetext=a%E0%A4%A+b%20c', 'a%E0%A4%A b c'],
    ['an ampersand', 'response=2&responsetext=Smith & Sons declined&type=sale', 'Smith & Sons declined'],
    [
      'an ampersand in the last field',
      'response=2&type=sale&responsetext=Smith & Sons declined',
      'Smith & Sons declined',
    ],
    ['an empty part after the text', 'response=2&responsetext=DECLINE&&type=sale', 'DECLINE'],
    ['a trailing ampersand', 'response=2&responsetext=DECLINE&', 'DECLINE'],
    ['a plus sign', 'response=2&responsetext=code 1+1', 'code 1+1'],
  ])('with %s is decoded', async (_what, body, responsetext) => {
    service.answers(text(body));
    expect(await transact.sale(saleParams)).toMatchObject({ approved: false, responsetext });
  });

  it.each([
    ['one field per line', 'response=1&\nresponsetext=SUCCESS&\r\ntransactionid=316\n'],
    ['an empty part', 'response=1&&responsetext=SUCCESS&transactionid=316'],
    ['a trailing ampersand', 'response=1&responsetext=SUCCESS&transactionid=316&'],
    ['a lone ampersand after the response', 'response=1& &responsetext=SUCCESS&transactionid=316'],
  ])('with %s is still an approval', async (_what, body) => {
    service.answers(text(body));
    expect(await transact.sale(saleParams)).toMatchObject({
      approved: true,
      transactionid: '316',
      responsetext: 'SUCCESS',
    });
  });

  it('keeps every field that the interface does not show', async () => {
    service.answers(text('response=1&authcode=A1&orderid=&__proto__=x&customer_vault_id=9'));
    const { fields } = await transact.sale(saleParams);
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
    service.answers(text(body));
    expect(await transact.sale(saleParams)).toMatchObject({ approved: true, fields: { note } });
  });

  it('in JSON keeps other types as JSON, and null as an empty string', async () => {
    service.answers(text('{"response":1,"a":null,"b":[1,{"c":"d"}],"e":true,"f":{}}'));
    const { fields } = await transact.sale(saleParams);
    expect(fields).toEqual({ response: '1', a: '', b: '[1,{"c":"d"}]', e: 'true', f: '{}' });
  });

  it('in JSON keeps every digit of a long number', async () => {
    const id = '12345678901234567891';
    service.answers(text(`{"response":1,"transactionid":${id},"amount":12.00,"a":[${id}]}`));
    const { transactionid, fields } = await transact.sale(saleParams);
    // Runtimes that do not pass the digits leave the number out.
    const kept = 'rawJSON' in JSON ? id : '';
    expect({ ...fields, transactionid }).toEqual({
      response: '1',
      transactionid: kept,
      amount: '12',
      a: `["${kept}"]`,
    });
  });

  it('in JSON leaves a long number out where it cannot keep its digits', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    service.answers(text(`{"response":1,"transactionid":12345678901234567891,"deep":${deep}}`));
    const { transactionid } = await transact.sale(saleParams);
    expect(['', '12345678901234567891']).toContain(transactionid);
  });

  it('in JSON that is nested too deeply to serialize is still an approval', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    service.answers(text(`{"response":1,"deep":${deep}}`));
    const { approved, fields } = await transact.sale(saleParams);
    expect(approved).toBe(true);
    // Some runtimes can serialize it.
    expect(fields['deep'] === '' || fields['deep'] === deep).toBe(true);
  });

  it('without a check has no result of it, and unknown codes are accepted', async () => {
    service.answers(
      text('response=1&avsresponse=&cvvresponse='),
      text('response=1&avsresponse=Q&cvvresponse=P&risk_score=999'),
    );
    expect(await transact.sale(saleParams)).toMatchObject({
      avs: undefined,
      cvv: undefined,
      risk: undefined,
      transactionid: '',
    });
    expect(await transact.sale(saleParams)).toMatchObject({
      avs: { code: 'Q', recommendation: 'review' },
      cvv: { code: 'P', matched: undefined },
      risk: { score: undefined, level: undefined },
    });
  });

  it.each([
    ['empty', '', 'response'],
    ['HTML', '<html><body>Sorry</body></html>', '(root)'],
    ['HTML with a link', '<html>Error: <a href="/pay?x=1&response=1&y=2">', '(root)'],
    ['separated by semicolons', 'response=1;responsetext=OK', 'response'],
    ['with a space as response', 'response=+&responsetext=OK', 'response'],
    ['JSON with an array as response', '{"response":[1]}', 'response'],
    ['JSON with a response written in two ways', '{"response":2,"\\u0072esponse":1}', 'response'],
    ['JSON with two transaction ids', '{"response":1,"transactionid":1,"transactionid":2}', 'transactionid'],
    ['without response', 'responsetext=OK&transactionid=5', 'response'],
    ['with an empty response', 'response=&responsetext=OK', 'response'],
    ['with two responses', 'response=2&responsetext=NO&response=1', 'response'],
    ['JSON with two responses', '{"response":2,"response":1}', 'response'],
    ['with two transaction ids', 'response=1&transactionid=1&transactionid=2', 'transactionid'],
    ['broken JSON', '{"response":1', '(root)'],
  ])('that is %s leaves the outcome unknown', async (_what, body, path) => {
    service.answers(text(body));
    const error = await failureOf(transact.sale(saleParams), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'unknown', body, issues: [{ path }] });
    expect(error.message).toContain('look the call up before you send it again');
    expect(service.arrivals).toHaveLength(1);
  });
});

describe('a wrong security key', () => {
  it('is an AuthenticationError, not a decline, with the sandbox too', async () => {
    const sandbox = createSandbox();
    const { url, fetch } = sandbox;
    const wrongKey = new Transact({ baseUrl: url, securityKey: 'wrong-key-1', fetch });
    const error = await failureOf(wrongKey.sale(saleParams), AuthenticationError);
    expect(error).toMatchObject({ status: 200, outcome: 'not_executed', retryable: false });
    expect(isDecline(error)).toBe(false);
    expect(error.message).toContain('The service says: Authentication Failed');
  });

  it.each([
    'response=2&responsetext=Authentication Failed',
    'response=3&responsetext=Authentication Failed&transactionid=316',
    'response=3&responsetext=3-D Secure: authentication failed',
    'response=3&responsetext=Invalid Credit Card Number',
  ])('is not assumed from other refusals: %s', async (body) => {
    service.answers(text(body));
    expect((await transact.sale(saleParams)).approved).toBe(false);
  });
});

describe('a decline', () => {
  const declinedResponse = () => text('response=2&responsetext=DECLINE&transactionid=7');

  it('is a result by default', async () => {
    service.answers(declinedResponse());
    const result = await transact.sale(saleParams);
    expect(result).toMatchObject({ approved: false, response: '2', transactionid: '7' });
  });

  it('is an error with throwOnDecline on the client or the call', async () => {
    service.answers(declinedResponse());
    const throwing = new Transact({ baseUrl, securityKey, throwOnDecline: true });
    const error = await failureOf(throwing.sale(saleParams), TransactionDeclinedError);
    expect(error).toMatchObject({
      outcome: 'not_executed',
      code: 'DECLINED',
      result: { transactionid: '7' },
    });
    expect(isDecline(error)).toBe(true);
    await failureOf(transact.sale(saleParams, { throwOnDecline: true }), TransactionDeclinedError);
    expect(await throwing.sale(saleParams, { throwOnDecline: false })).toMatchObject({ approved: false });
  });

  it('is not what a transaction is that could not be processed, though it is the same error', async () => {
    service.answers(text('response=3&responsetext=Duplicate transaction&transactionid=8'));
    const throwing = new Transact({ baseUrl, securityKey, throwOnDecline: true });
    const error = await failureOf(throwing.sale(saleParams), TransactionDeclinedError);
    expect(error.result.errored).toBe(true);
    expect(isDecline(error)).toBe(false);
  });
});

describe('payments.transact', () => {
  it('is a Transact with the options of the client', async () => {
    service.answers(text(approved));
    const payments = createClient({ formEncoding: 'multipart', routes: {}, itemsField: 'data' });
    expect(payments.transact).toBe(payments.transact);
    await payments.transact.sale(saleParams);
    expect(service.arrivals[0]?.headers.get('content-type')).toContain('multipart');
  });

  it('reads its key from the environment', async () => {
    service.answers(text(approved));
    vi.stubEnv('PAYMENTS_SECURITY_KEY', 'key-of-the-environment');
    await new Transact({ baseUrl, formEncoding: 'urlencoded' }).sale(saleParams);
    expect(service.arrivals[0]?.body).toContain('security_key=key-of-the-environment&');
  });

  it('throws and names a missing key', () => {
    const payments = new PaymentsClient({ baseUrl, secretKey });
    expect(() => payments.transact).toThrow(ConfigurationError);
    expect(() => payments.transact).toThrow(
      /securityKey: expected .*, got nothing \(pass it, or set PAYMENTS_SECURITY_KEY\)/,
    );
  });
});

describe('a program without type checks', () => {
  it('cannot change the type of a sale, or pass invalid options', async () => {
    const otherType = await failureOf(
      transact.sale({ ...saleParams, type: 'refund' } as never),
      InvalidRequestError,
    );
    expect(otherType.issues).toMatchObject([{ path: 'type' }]);
    for (const options of [null, 'nonsense', 5]) {
      const error = await failureOf(transact.sale(saleParams, options as never), InvalidRequestError);
      expect(error.issues).toMatchObject([{ path: 'options' }]);
    }
    const wrongOption = await failureOf(
      transact.sale(saleParams, { throwOnDecline: 1 } as never),
      InvalidRequestError,
    );
    expect(wrongOption.issues).toMatchObject([{ path: 'options.throwOnDecline' }]);
    const noParams = await failureOf(transact.sale(undefined as never), InvalidRequestError);
    expect(noParams.issues).toMatchObject([{ path: 'params' }]);
    expect(service.arrivals).toHaveLength(0);
  });
});

describe('a connection error', () => {
  it('after the request was sent is unknown, and not retried', async () => {
    service.answers(brokenConnection());
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(service.arrivals).toHaveLength(1);
  });
});
