import fc from 'fast-check';
import { InvalidRequestError, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { baseUrl, securityKey, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const transact = new Transact({ baseUrl, securityKey });
const token = { payment_token: 'tok_1' };
const sale = { amount: '12.00', ...token };
const card = { amount: '12.00', ccnumber: '4111111111111111', ccexp: '1229', cvv: '123' };

describe('a card', () => {
  it.each([
    ['ccnumber', { ccnumber: '4111111111111112' }, 'check digit'],
    ['ccnumber', { ccnumber: '4111 1111 1111 1112' }, 'check digit'],
    ['ccnumber', { ccnumber: '4111 1111 1111 111x' }, '12 to 19 digits'],
    ['ccnumber', { ccnumber: ' 4111111111111111' }, '12 to 19 digits'],
    ['ccnumber', { ccnumber: '4111.1111.1111.1111' }, '12 to 19 digits'],
    ['ccnumber', { ccnumber: 4111111111111111 }, '12 to 19 digits'],
    ['ccexp', { ccexp: '1329' }, 'MMYY'],
    ['ccexp', { ccexp: '13/29' }, "such as '0129' (MMYY), '01/29' or YYYY-MM"],
    ['ccexp', { ccexp: '29/12' }, 'MMYY'],
    ['ccexp', { ccexp: '1/29' }, 'MMYY'],
    ['ccexp', { ccexp: '2029-13' }, 'MMYY'],
    ['ccexp', { ccexp: '1929-12' }, 'MMYY'],
    ['ccexp', { ccexp: '12/1929' }, 'MMYY'],
    ['ccexp', { ccexp: '122029' }, 'MMYY'],
    ['ccexp', { ccexp: '202912' }, 'MMYY'],
    ['ccexp', { ccexp: '2029/12' }, 'MMYY'],
    ['cvv', { cvv: '12' }, '3 or 4 digits'],
    ['(root)', { ccexp: undefined }, 'ccexp with a ccnumber'],
    ['(root)', { payment_token: 'tok' }, 'either payment_token or ccnumber'],
  ])('with an invalid %s is refused, and the error does not repeat it', async (path, invalid, expected) => {
    const error = await failureOf(transact.sale({ ...card, ...invalid } as never), InvalidRequestError);
    expect(error.issues[0]).toMatchObject({ path, expected: expect.stringContaining(expected) });
    expect(error.message).not.toMatch(/4111|1329|1[23]\/|29\/12|-1[23]|122029|202912|1929/);
    expect(service.arrivals).toHaveLength(0);
  });

  it('is refused beside a token, even if it is an expiry alone', async () => {
    const error = await failureOf(transact.sale({ ...sale, ccexp: '1229' } as never), InvalidRequestError);
    expect(error.issues[0]?.expected).toBe('no ccexp beside a payment_token');
  });

  it.each([
    '4111111111111111',
    '5555555555554444',
    '378282246310005',
    '6011111111111117',
    '4222222222222',
    '30569309025904',
  ])('is sent if it is valid: %s', async (ccnumber) => {
    service.answers(text('response=1'));
    expect(await transact.sale({ ...card, ccnumber })).toMatchObject({ approved: true });
  });

  it.each([
    ['4111 1111 1111 1111', '4111111111111111'],
    ['4111-1111-1111-1111', '4111111111111111'],
    ['3782 822463 10005', '378282246310005'],
  ])('is sent as digits: %s', async (ccnumber, digits) => {
    service.answers(text('response=1'));
    await transact.sale({ ...card, ccnumber });
    expect(new URLSearchParams(service.arrivals[0]?.body).get('ccnumber')).toBe(digits);
  });

  it.each(['1229', '12/29', '12 / 29', '12-29', '12/2029', '12 / 2029', '2029-12'])(
    'has its expiry sent as MMYY: %s',
    async (ccexp) => {
      service.answers(text('response=1'));
      await transact.submit({ type: 'sale', ...card, ccexp });
      expect(new URLSearchParams(service.arrivals[0]?.body).get('ccexp')).toBe('1229');
    },
  );

  it('is sent as it was written with validation off, since the service may take another form', async () => {
    service.answers(text('response=1'));
    const written = { ccnumber: '4111-1111-1111-1111', ccexp: '2029-12' };
    await new Transact({ baseUrl, securityKey, validation: 'off' }).sale({ ...card, ...written });
    expect(Object.fromEntries(new URLSearchParams(service.arrivals[0]?.body))).toMatchObject(written);
  });

  it('takes 2020 and 20 for the same year', async () => {
    service.answers(text('response=1'));
    for (const ccexp of ['12/20', '12/2020', '2020-12']) await transact.sale({ ...card, ccexp });
    expect(service.arrivals.map(({ body }) => new URLSearchParams(body).get('ccexp'))).toEqual([
      '1220',
      '1220',
      '1220',
    ]);
  });

  it('is refused after any change of one digit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 15 }), fc.integer({ min: 1, max: 9 }), async (position, change) => {
        const digits = [...card.ccnumber];
        digits[position] = String((Number(digits[position]) + change) % 10);
        await failureOf(transact.sale({ ...card, ccnumber: digits.join('') }), InvalidRequestError);
      }),
    );
  });
});
