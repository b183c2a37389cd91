import { PaymentsClient } from 'payments-client';
import { afterEach, expect, test } from 'vitest';
import { endAll, parse, run, runSandbox } from './support.ts';

afterEach(endAll);

/** A sandbox with an open checkout session, and `pay` on it. */
async function openSession() {
  const { url, ready } = await runSandbox();
  const secretKey = String(ready['secret_key']);
  const payments = new PaymentsClient({ baseUrl: url, secretKey });
  const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
  const { id } = await payments.checkoutSessions.create(
    { mode: 'payment', line_items },
    { operationId: 'order-1' },
  );
  const pay = (...args: readonly string[]) => run(['pay', ...args, '--url', url, '--secret-key', secretKey]);
  return { id, pay, stateOf: async () => (await payments.checkoutSessions.retrieve(id)).payment_status };
}

test('declines a session, and then pays it', async () => {
  const { id, pay, stateOf } = await openSession();
  const declined = await pay(id, '--payment-method', 'pm_card_declined');
  expect(declined.stdout).toMatch(
    /^Declined: the buyer may use another card\. The payment intent pi_\w+ has the status requires_payment_method\.\n$/,
  );
  expect(await stateOf()).toBe('unpaid');
  expect(parse((await pay(id, '--json')).stdout)).toMatchObject({
    object: 'payment_intent',
    status: 'succeeded',
  });
  expect(await stateOf()).toBe('paid');
});

test.each([
  [['cs_none'], "that waits for a payment, got 'cs_none', which does not exist."],
  [['pi_none'], "that waits for a payment, got 'pi_none', which does not exist."],
  [['pi_none', '--payment-method', 'card'], "payment_method: expected an id that starts with 'pm_', got "],
])('refuses %j', async (args, problem) => {
  const { pay } = await openSession();
  const { code, stderr } = await pay(...args);
  expect([code, stderr.includes(problem)]).toEqual([1, true]);
});
