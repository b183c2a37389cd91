/** The two copies that one process can have are in the built package: `scripts/package/copies.mjs`. */

import {
  ApiError,
  NotFoundError,
  PaymentsClient,
  PaymentsError,
  ServerError,
  Transact,
} from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { expect, it } from 'vitest';

const classes = { ApiError, PaymentsClient, PaymentsError, Transact, Webhooks };

it.each(Object.entries(classes))('%s recognizes an instance of another copy by its brand', (name, type) => {
  const ofOtherCopy = { [Symbol.for(`payments-client/${name}`)]: true };
  expect(ofOtherCopy instanceof type).toBe(true);
  expect(Object.create(ofOtherCopy) instanceof type).toBe(true);
  expect(ofOtherCopy instanceof ServerError).toBe(false);
  for (const other of [{}, new Error('x'), null, undefined, 1, `payments-client/${name}`, () => {}])
    expect(other instanceof type).toBe(false);
});

it('tells a subclass of a program from its base, also one with a brand of its own', () => {
  class Mine extends NotFoundError {}
  class Branded extends NotFoundError {
    static override readonly brand: symbol = Symbol('mine');
  }
  const mine = new Mine('mine');
  for (const type of [Mine, NotFoundError, ApiError, PaymentsError]) expect(mine).toBeInstanceOf(type);
  expect(new NotFoundError('theirs') instanceof Mine).toBe(false);
  expect(new Branded('x')).toBeInstanceOf(NotFoundError);
  const payments = new PaymentsClient({ baseUrl: 'https://payments.test', secretKey: 'a', securityKey: 'b' });
  expect(payments.transact).toBeInstanceOf(Transact);
  expect(payments.transact instanceof PaymentsClient).toBe(false);
});
