/** Bun's own runner inspects the state of a promise, and waits forever for one that never settles by itself. */

import { expect, test } from 'bun:test';
import { PaymentsClient } from 'payments-client';

const payments = new PaymentsClient({
  baseUrl: 'https://payments.test',
  secretKey: 'sk_v1_test_bun',
  maxRetries: 0,
  fetch: async () => Response.json({ code: 'gone' }, { status: 404 }),
});

test('calls and lists reject by themselves', async () => {
  await expect(payments.refunds.retrieve('rf_1')).rejects.toThrow('404');
  await expect(payments.refunds.list()).rejects.toThrow('404');
});
