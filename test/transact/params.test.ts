import { InvalidRequestError, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { baseUrl, securityKey, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const transact = new Transact({ baseUrl, securityKey });
const token = { payment_token: 'tok_1' };
const sale = { amount: '12.00', ...token };

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
  ])('of type %s is sent with its parameters', async (_type, call, body) => {
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
    ['a field that is not a string', () => transact.submit({ type: 'sale', orderid: 7 as never })],
    ['an empty type', () => transact.submit({ type: '' })],
  ])('is refused: %s', async (_what, call) => {
    await failureOf(call(), InvalidRequestError);
    expect(service.arrivals).toHaveLength(0);
  });

  it.each([
    ['1', true, false],
    ['2', false, false],
    ['3', false, true],
    ['9', false, false],
  ])('with response code %s has approved %s and errored %s', async (response, approved, errored) => {
    service.answers(text(`response=${response}&responsetext=x`));
    expect(await transact.sale(sale)).toMatchObject({ approved, errored });
  });
});
