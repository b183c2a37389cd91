import { ResponseValidationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient, text } from '../support/mock-service.ts';
import { listOpen, options } from './shop.ts';

it('keeps a sale open whose response ends early', async () => {
  const fetch = async () => text('response=1&responsetext=OK', { headers: { 'content-length': '99' } });
  const payments = createClient({ fetch, journal: { store: memoryStore() } });
  const sale = payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' }, options);
  expect((await failureOf(sale, ResponseValidationError)).outcome).toBe('unknown');
  expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
});
