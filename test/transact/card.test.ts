import fc from 'fast-check';
import { ConfigurationError, InvalidRequestError, Transact, toCardExpiry } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { baseUrl, securityKey, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const transact = new Transact({ baseUrl, securityKey });
const token = { payment_token: 'tok_1' };
const sale = { amount: '12.00', ...token };
const card = { amount: '12.00', ccnumber: '4111111111111111', ccexp: '1229', cvv: '123' };

describe('toCardExpiry', () => {
  it.each([
    [1, 2030, '0130'],
    [12, 2029, '1229'],
    [4, 2009, '0409'],
  ])('formats month %i of year %i as %s', (month, year, expected) => {
    expect(toCardExpiry(month, year)).toBe(expected);
  });

  it.each([
    [0, 2029],
    [13, 2029],
    [1.5, 2029],
    [1, 29],
    ['4' as never, 2029],
  ])('refuses %s %s', (month, year) => {
    expect(() => toCardExpiry(month, year)).toThrow(ConfigurationError);
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
  ])('with an invalid %s is refused, and the error does not repeat it', async (path, invalid, expected) => {
    const error = await failureOf(transact.sale({ ...card, ...invalid } as never), InvalidRequestError);
    expect(error.issues[0]).toMatchObject({ path, expected: expect.stringContaining(expected) });
    expect(error.message).not.toMatch(/4111|1329|12\/29/);
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
