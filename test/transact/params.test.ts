import currencyCodes from 'currency-codes';
import fc from 'fast-check';
import {
  cardNotPresentAdvice,
  InvalidRequestError,
  type SaleParams,
  Transact,
  toCardExpiry,
  toDecimalAmount,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { baseUrl, securityKey, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const transact = new Transact({ baseUrl, securityKey });
const token = { payment_token: 'tok_1' };
const sale = { amount: '12.00', ...token };
const card = { amount: '12.00', ccnumber: '4111111111111111', ccexp: '1229', cvv: '123' };

describe('toDecimalAmount', () => {
  /** Codes of the published list for funds, metals and tests, which have no minor unit. */
  const withoutMinorUnit = new Set([
    'XAG',
    'XAU',
    'XBA',
    'XBB',
    'XBC',
    'XBD',
    'XDR',
    'XPD',
    'XPT',
    'XSU',
    'XTS',
    'XUA',
    'XXX',
  ]);

  it('has the digits of the published list for each of its currencies', () => {
    expect(currencyCodes.codes().length).toBeGreaterThan(150);
    for (const code of currencyCodes.codes()) {
      const { digits = 0 } = currencyCodes.code(code) ?? {};
      if (withoutMinorUnit.has(code)) {
        expect(() => toDecimalAmount(1, code)).toThrow(InvalidRequestError);
      } else {
        expect(toDecimalAmount(1, code).split('.')[1] ?? '').toHaveLength(digits);
      }
    }
  });

  it.each([
    [0, 'USD', '0.00'],
    [5, 'usd', '0.05'],
    [1200, 'USD', '12.00'],
    [1200, 'JPY', '1200'],
    [5, 'KWD', '0.005'],
    [12345, 'CLF', '1.2345'],
    [9_007_199_254_740_991, 'EUR', '90071992547409.91'],
    [123_456_789_012_345_678_901n, 'EUR', '1234567890123456789.01'],
  ])('makes of %s %s exactly %s', (minorUnits, currency, expected) => {
    expect(toDecimalAmount(minorUnits, currency)).toBe(expected);
  });

  it('is exact for every amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.constantFrom('USD', 'JPY', 'KWD', 'UYW'),
        (amount, currency) => {
          expect(BigInt(toDecimalAmount(amount, currency).replace('.', ''))).toBe(amount);
        },
      ),
    );
  });

  it.each([
    ['minorUnits', 12.5, 'USD'],
    ['minorUnits', -1, 'USD'],
    ['minorUnits', Number.NaN, 'USD'],
    ['minorUnits', 2 ** 53, 'USD'],
    ['minorUnits', '1200' as never, 'USD'],
    ['currency', 1200, 'DOLLAR'],
    ['currency', 1200, 'XXX'],
    ['currency', 1200, undefined as never],
  ])('refuses a wrong %s (%s %s)', (path, minorUnits, currency) => {
    expect(() => toDecimalAmount(minorUnits, currency)).toThrow(
      new RegExp(`^toDecimalAmount: ${path}: expected`),
    );
  });
});

describe('toCardExpiry', () => {
  it.each([
    [1, 2030, '0130'],
    [12, 2029, '1229'],
    [4, 2009, '0409'],
  ])('makes of %i %i %s', (month, year, expected) => {
    expect(toCardExpiry(month, year)).toBe(expected);
  });

  it.each([
    [0, 2029],
    [13, 2029],
    [1.5, 2029],
    [1, 29],
    ['4' as never, 2029],
  ])('refuses %s %s', (month, year) => {
    expect(() => toCardExpiry(month, year)).toThrow(InvalidRequestError);
  });
});

describe('a card', () => {
  it.each([
    ['ccnumber', { ccnumber: '4111111111111112' }, 'check digit'],
    ['ccnumber', { ccnumber: '4111 1111 1111 1111' }, '12 to 19 digits'],
    ['ccnumber', { ccnumber: 4111111111111111 }, '12 to 19 digits'],
    ['ccexp', { ccexp: '1329' }, 'MMYY'],
    ['ccexp', { ccexp: '12/29' }, 'MMYY'],
    ['cvv', { cvv: '12' }, '3 or 4 digits'],
    ['(root)', { ccexp: undefined }, 'ccexp with a ccnumber'],
    ['(root)', { payment_token: 'tok' }, 'either payment_token or ccnumber'],
  ])('with a wrong %s is refused, and never repeated', async (path, wrong, expected) => {
    const error = await failureOf(transact.sale({ ...card, ...wrong } as never), InvalidRequestError);
    expect(error.issues[0]).toMatchObject({ path, expected: expect.stringContaining(expected) });
    expect(error.message).not.toMatch(/4111|1329|12\/29/);
    expect(service.arrivals).toHaveLength(0);
  });

  it.each([{ cvv: '123' }, { ccexp: '1229' }])('beside a token is refused in part too: %o', async (part) => {
    const error = await failureOf(transact.sale({ ...sale, ...part } as never), InvalidRequestError);
    expect(error.issues[0]?.expected).toContain('beside a payment_token');
  });

  it.each([
    '4111111111111111',
    '5555555555554444',
    '378282246310005',
    '6011111111111117',
    '4222222222222',
    '30569309025904',
  ])('that is right is sent', async (ccnumber) => {
    service.answers(text('response=1'));
    expect(await transact.sale({ ...card, ccnumber })).toMatchObject({ approved: true });
  });

  it('is refused for every change of one digit', () => {
    fc.assert(
      fc.asyncProperty(fc.nat({ max: 15 }), fc.integer({ min: 1, max: 9 }), async (place, change) => {
        const digits = [...card.ccnumber];
        digits[place] = String((Number(digits[place]) + change) % 10);
        await failureOf(transact.sale({ ...card, ccnumber: digits.join('') }), InvalidRequestError);
      }),
    );
  });
});

describe('a 3-D Secure result', () => {
  const result = { authenticated: true, cardholder_auth: 'Y', cavv: 'AAAB', xid: 'x1', eci: '05' };
  const sent = () => Object.fromEntries(new URLSearchParams(service.arrivals[0]?.body));

  it('gives its fields', async () => {
    service.answers(text('response=1'));
    await transact.sale({ ...sale, threeDSecure: result });
    expect(sent()).toEqual({
      security_key: securityKey,
      type: 'sale',
      ...sale,
      cardholder_auth: 'Y',
      cavv: 'AAAB',
      xid: 'x1',
      eci: '05',
    });
  });

  it('may have nulls, which are left out', async () => {
    service.answers(text('response=1'));
    await transact.sale({ ...sale, threeDSecure: { authenticated: true, cavv: null } });
    expect(sent()).toEqual({ security_key: securityKey, type: 'sale', ...sale });
  });

  it('that failed is refused unless the caller allows it', async () => {
    const failed = { ...sale, threeDSecure: { authenticated: false } };
    const error = await failureOf(transact.sale(failed), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path: 'threeDSecure.authenticated' }]);
    expect(service.arrivals).toHaveLength(0);
    service.answers(text('response=1'));
    expect(await transact.sale(failed, { allowFailedAuthentication: true })).toMatchObject({
      approved: true,
    });
  });

  it('beside one of its own fields, or that is none, is refused', async () => {
    const twice = await failureOf(
      transact.sale({ ...sale, threeDSecure: result, eci: '07' }),
      InvalidRequestError,
    );
    expect(twice.issues).toMatchObject([{ path: 'eci' }]);
    const none = await failureOf(transact.sale({ ...sale, threeDSecure: 'Y' as never }), InvalidRequestError);
    expect(none.issues).toMatchObject([{ path: 'threeDSecure' }]);
  });
});

describe('cardNotPresentAdvice', () => {
  it('names the recommended fields that are missing', () => {
    expect(cardNotPresentAdvice({})).toEqual([
      'cvv',
      'ipaddress',
      'email',
      'phone',
      'address1',
      'city',
      'state',
      'zip',
    ]);
    expect(cardNotPresentAdvice({ ...card, email: 'a@b.test', zip: '' })).toEqual([
      'ipaddress',
      'phone',
      'address1',
      'city',
      'state',
      'zip',
    ]);
    const whole = {
      ipaddress: '192.0.2.7',
      email: 'a',
      phone: 'b',
      address1: 'c',
      city: 'd',
      state: 'e',
      zip: 'f',
    };
    const params: SaleParams = { ...sale, ...whole };
    expect(cardNotPresentAdvice(params)).toEqual([]);
  });

  it('counts a token for the security code, and for nothing else', () => {
    expect(cardNotPresentAdvice({ ...token, email: 'a@b.test', zip: '77777' })).toEqual([
      'ipaddress',
      'phone',
      'address1',
      'city',
      'state',
    ]);
  });
});

describe('a transaction', () => {
  it.each([
    ['auth', () => transact.auth(sale), 'type=auth&amount=12.00&payment_token=tok_1'],
    ['capture', () => transact.capture({ transactionid: '7' }), 'type=capture&transactionid=7'],
    [
      'capture in part',
      () => transact.capture({ transactionid: '7', amount: '1.50' }),
      'type=capture&transactionid=7&amount=1.50',
    ],
    ['void', () => transact.void({ transactionid: '7' }), 'type=void&transactionid=7'],
    [
      'refund',
      () => transact.refund({ transactionid: '7', amount: '1.50' }),
      'type=refund&transactionid=7&amount=1.50',
    ],
    ['credit', () => transact.credit(sale), 'type=credit&amount=12.00&payment_token=tok_1'],
    ['validate', () => transact.validate(token), 'type=validate&payment_token=tok_1'],
  ])('of type %s is sent as such', async (_type, call, body) => {
    service.answers(text('response=1'));
    await call();
    expect(service.arrivals[0]?.body).toBe(`security_key=${securityKey}&${body}`);
  });

  it.each([
    ['a refund of nothing', () => transact.refund({ transactionid: '7', amount: '0.00' })],
    ['a refund without an amount', () => transact.refund({ transactionid: '7' } as never)],
    ['a void of a part', () => transact.void({ transactionid: '7', amount: '1.00' } as never)],
    ['a void of nothing', () => transact.void({ transactionid: '' })],
    ['a validation of an amount', () => transact.validate(sale as never)],
    ['a field that is no text', () => transact.submit({ type: 'sale', orderid: 7 as never })],
    ['a type that is none', () => transact.submit({ type: '' })],
  ])('that is %s is refused', async (_what, call) => {
    await failureOf(call(), InvalidRequestError);
    expect(service.arrivals).toHaveLength(0);
  });

  it.each([
    ['1', true, false],
    ['2', false, false],
    ['3', false, true],
    ['9', false, false],
  ])('answered with response %s is approved: %s, errored: %s', async (response, approved, errored) => {
    service.answers(text(`response=${response}&responsetext=x`));
    expect(await transact.sale(sale)).toMatchObject({ approved, errored });
  });
});
