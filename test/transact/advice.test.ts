import { cardNotPresentAdvice, type SaleParams } from 'payments-client';
import { describe, expect, it } from 'vitest';

const token = { payment_token: 'tok_1' };
const sale = { amount: '12.00', ...token };
const card = { amount: '12.00', ccnumber: '4111111111111111', ccexp: '1229', cvv: '123' };

describe('cardNotPresentAdvice', () => {
  it('lists the recommended fields that are missing', () => {
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

  it('accepts a token instead of the security code only', () => {
    expect(cardNotPresentAdvice({ ...token, email: 'a@b.test', zip: '77777' })).toEqual([
      'ipaddress',
      'phone',
      'address1',
      'city',
      'state',
    ]);
  });
});
