/** The two copies that one process can have are in the built package: `scripts/package/copies.mjs`. */

import { NotFoundError, PaymentsClient, PaymentsError, Transact } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { expect, it } from 'vitest';

const options = { baseUrl: 'https://payments.test', secretKey: 'sk_v1_test_1', securityKey: 'key' };
const classes = { PaymentsClient, PaymentsError, Transact, Webhooks };

it.each(Object.entries(classes))('%s recognizes an instance of another copy by its brand', (name, type) => {
  const ofOtherCopy = { [Symbol.for(`payments-client/${name}`)]: true };
  expect(ofOtherCopy instanceof type).toBe(true);
  expect(Object.create(ofOtherCopy) instanceof type).toBe(true);
  for (const other of [{}, null, undefined, 1, `payments-client/${name}`, () => {}])
    expect(other instanceof type).toBe(false);
});

it('tells a subclass of a program from its base, also one with a brand of its own', () => {
  class Mine extends PaymentsClient {}
  class Branded extends NotFoundError {
    static override readonly brand: symbol = Symbol('mine');
  }
  const mine = new Mine(options);
  expect(mine).toBeInstanceOf(PaymentsClient);
  expect(mine).toBeInstanceOf(Mine);
  expect(new PaymentsClient(options) instanceof Mine).toBe(false);
  expect(new Branded('x')).toBeInstanceOf(NotFoundError);
  expect(mine.transact).toBeInstanceOf(Transact);
  expect(mine.transact instanceof PaymentsClient).toBe(false);
});
