import { inspect } from 'node:util';
import fc from 'fast-check';
import { InvalidRequestError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { bySize } from '../support/size.ts';
import { card, cardNumber, sale, startEndpoint } from './endpoint.ts';

describe('a card', () => {
  it.each<[path: string, invalid: object, expected: string]>([
    ['ccnumber', { ccnumber: '4111111111111112' }, 'check digit'],
    ['ccnumber', { ccnumber: '4111 1111 1111 1112' }, 'check digit'],
    ['ccnumber', { ccnumber: '4111 1111 1111 111x' }, '12 to 19 digits'],
    ['ccnumber', { ccnumber: ' 4111111111111111' }, '12 to 19 digits'],
    ['ccnumber', { ccnumber: '4111.1111.1111.1111' }, '12 to 19 digits'],
    ['ccnumber', { ccnumber: 4111111111111111 }, '12 to 19 digits'],
    // Both have a valid check digit.
    ['ccnumber', { ccnumber: '41111111112' }, '12 to 19 digits'],
    ['ccnumber', { ccnumber: '41111111111111111115' }, '12 to 19 digits'],
    ['ccexp', { ccexp: '0029' }, 'MMYY'],
    ['ccexp', { ccexp: '1329' }, 'MMYY'],
    ['ccexp', { ccexp: '13/29' }, "such as '0129' (MMYY), '01/29' or YYYY-MM"],
    ['ccexp', { ccexp: '29/12' }, 'MMYY'],
    ['ccexp', { ccexp: '2/29' }, 'MMYY'],
    ['ccexp', { ccexp: '2029-13' }, 'MMYY'],
    ['ccexp', { ccexp: '1929-12' }, 'MMYY'],
    ['ccexp', { ccexp: '12/1929' }, 'MMYY'],
    ['ccexp', { ccexp: '122029' }, 'MMYY'],
    ['ccexp', { ccexp: '202912' }, 'MMYY'],
    ['ccexp', { ccexp: '2029/12' }, 'MMYY'],
    ['cvv', { cvv: '12' }, '3 or 4 digits'],
    ['cvv', { cvv: '12345' }, '3 or 4 digits'],
    ['(root)', { ccexp: undefined }, 'ccexp with a ccnumber'],
    ['(root)', { payment_token: 'tok-canary' }, 'either payment_token or ccnumber'],
  ])('with an invalid %s is refused, and the error does not repeat it', async (path, invalid, expected) => {
    const { transact, bodies } = startEndpoint();
    const error = await failureOf(transact.sale(anything({ ...card, ...invalid })), InvalidRequestError);
    expect(error.issues[0]).toMatchObject({ path, expected: expect.stringContaining(expected) });
    // The places of a stack and the id of a call have digits of their own.
    const shown = inspect(error, { depth: 9 }).replaceAll(/\n +at .*|callId: .*/g, '');
    for (const value of Object.values(invalid)) expect(shown).not.toContain(String(value ?? cardNumber));
    expect(bodies).toEqual([]);
  });

  it('is refused beside a token, even if it is an expiry alone', async () => {
    const { transact } = startEndpoint();
    const both = transact.sale(anything({ ...sale, ccexp: '1229' }));
    expect((await failureOf(both, InvalidRequestError)).issues).toMatchObject([
      { path: '(root)', expected: 'no ccexp beside a payment_token' },
    ]);
  });

  it.each([
    ['4111111111111111', '4111111111111111'],
    ['4111 1111 1111 1111', '4111111111111111'],
    ['4111-1111-1111-1111', '4111111111111111'],
    ['3782 822463 10005', '378282246310005'],
    ['30569309025904', '30569309025904'],
    ['4222222222222', '4222222222222'],
    ['411111111117', '411111111117'],
    ['4111111111111111110', '4111111111111111110'],
  ])('is sent as digits: %s', async (ccnumber, digits) => {
    const { transact, sent } = startEndpoint();
    await transact.sale({ ...card, ccnumber });
    expect(sent()).toMatchObject([{ ccnumber: digits }]);
  });

  it.each([
    ['1229', '1229'],
    ['0129', '0129'],
    ['12/29', '1229'],
    ['12 / 29', '1229'],
    ['12-29', '1229'],
    ['12/2029', '1229'],
    ['12 / 2029', '1229'],
    ['2029-12', '1229'],
    ['10/2020', '1020'],
    ['2020-10', '1020'],
    ['10/20', '1020'],
  ])('has its expiry sent as MMYY, by sale and by submit: %s', async (ccexp, month) => {
    const { transact, sent } = startEndpoint();
    await transact.sale({ ...card, ccexp });
    await transact.submit({ type: 'sale', ...card, ccexp });
    expect(sent()).toMatchObject([{ ccexp: month }, { ccexp: month }]);
  });

  it.each(['warn', 'off'] as const)(
    'is sent as it was written with validation %s, since the service may take another form',
    async (validation) => {
      const { transact, sent } = startEndpoint('response=1', { validation });
      const written = { ccnumber: '4111-1111-1111-1111', ccexp: '2029-12' };
      await transact.sale({ ...card, ...written });
      expect(sent()).toMatchObject([written]);
    },
  );

  it.each(['0123', '012', undefined])('may have the code %j, also beside a token', async (cvv) => {
    const { transact, sent } = startEndpoint();
    await transact.sale({ ...card, cvv });
    await transact.sale({ ...sale, cvv });
    expect(sent().map((fields) => fields['cvv'])).toEqual([cvv, cvv]);
  });

  it('is refused after any change of one digit', async () => {
    const { transact, bodies } = startEndpoint();
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 15 }), fc.integer({ min: 1, max: 9 }), async (position, change) => {
        const digits = [...card.ccnumber];
        digits[position] = String((Number(digits[position]) + change) % 10);
        await failureOf(transact.sale({ ...card, ccnumber: digits.join('') }), InvalidRequestError);
      }),
      { numRuns: bySize({ short: 40, all: 144 }) },
    );
    expect(bodies).toEqual([]);
  });
});
