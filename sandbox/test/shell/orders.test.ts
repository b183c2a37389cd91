/** `orders` says of each order whether it was charged once, and what to do about it. */

import { stripVTControlCharacters } from 'node:util';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../../../test/support/sandbox.ts';
import { moreOrders, type Order, startShop, troubledOrders } from '../../../test/support/troubled-orders.ts';
import { endAll, parse, run, runOnTerminal } from './support.ts';

afterEach(endAll);

/** A sandbox with some of the troubled orders, made one hour after the other, and `orders` on it. */
async function startWith(...ids: readonly string[]) {
  const made = [...troubledOrders, ...moreOrders].filter(({ id }) => ids.includes(id));
  const sandbox = await startShop(made satisfies readonly Order[]);
  onTestFinished(() => sandbox.close());
  const where = ['--url', sandbox.url, '--secret-key', sandbox.secretKey];
  const orders = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(['orders', ...args, ...where]);
    return { code, stderr, text: stdout.replaceAll(/_\w{16}\b/g, '_1') };
  };
  return { sandbox, where, orders };
}

const twice = "$62.00 in total. → Refund 'order-105-second-click', if both are one purchase.";

test('lists the orders that need somebody first, then the others, newest first, in two lines each', async () => {
  const { orders } = await startWith('order-100', 'order-105-first-click', 'order-107', 'order-108');
  const { code, stderr, text } = await orders();
  expect([code, stderr]).toEqual([0, '']);
  expect(text).toBe(
    [
      'Charged twice?       order-105-second-click  $31.00  grace@example.com  1 d ago',
      `  $31.00 was charged. 'order-105-first-click' charged the same customer the same amount: ${twice}`,
      'Charged twice?       order-105-first-click   $31.00  grace@example.com  1 d ago',
      `  $31.00 was charged. 'order-105-second-click' charged the same customer the same amount: ${twice}`,
      'Unknown to your app  order-107               $64.00  1 d ago',
      '  $64.00 was charged once, but the app never received the reply to paymentIntents.confirm. → Let your app send paymentIntents.confirm again with the same operation id: the buyer is not charged again.',
      'Not charged          order-108               $12.00  1 d ago',
      '  Nothing was charged. The session expired.',
      'Charged once         order-100               $55.00  1 d ago',
      '  $55.00 was charged. A reply was lost; the app retried the request and got the same reply.',
      '',
    ].join('\n'),
  );
});

test('lists only those that need somebody, or the first few', async () => {
  const { orders } = await startWith('order-100', 'order-101', 'order-107');
  expect((await orders('--needs')).text).toMatch(/^Unknown to your app {2}order-107 .*\n.*\n$/);
  expect((await orders('--limit', '2')).text).toMatch(
    /^Unknown .*\n.*\nCharged once {2}.* order-101 .*\n.*\n$/,
  );
});

test('says so if there are none', async () => {
  const { orders } = await startWith();
  expect(await orders()).toEqual({ code: 0, stderr: 'There are no orders yet.\n', text: '' });
  expect(await orders('--needs')).toEqual({ code: 0, stderr: 'No order needs anybody.\n', text: '' });
});

test('shows one order with its figures, and what each request caused', async () => {
  const { orders } = await startWith('order-102');
  const { code, stderr, text } = await orders('order-102');
  expect([code, stderr]).toEqual([0, '']);
  const told = (type: string) => `${type} evt_1\n        → ${type} ✓ 200 _1.handler.invalid/ thanks`;
  expect(text.replaceAll(/\w{16}\.handler/g, '_1.handler')).toBe(
    [
      'order-102  Charged once  $80.00',
      '$80.00 was charged. $30.00 was refunded, after a failed attempt.',
      '',
      'charges   1, $50.00 kept',
      'attempts  1',
      'webhooks  5 of 5 delivered',
      'objects   pi_1 payment intent, succeeded, $80.00',
      '          ch_1 charge, succeeded, $80.00',
      '          rf_1 refund, succeeded, $30.00',
      '',
      '15 Jan 2026, UTC',
      '09:00 create            $80.00  ✓ created',
      `        ${told('payment_intent.created')}`,
      '09:00 confirm           $80.00  ✓ charged',
      `        ${told('payment_intent.succeeded')}`,
      '09:00 refund            $30.00  ✓ pending',
      `        ${told('refund.created')}`,
      `09:01 ${told('refund.failed')}`,
      '09:02 retry refund      $30.00  ✓ pending',
      `09:03 ${told('refund.succeeded')}`,
      '',
    ].join('\n'),
  );
});

test('shows what to do and by when, and how much later a delivery was tried again', async () => {
  const { orders } = await startWith('order-103', 'order-104');
  const disputed = (await orders('order-103')).text;
  expect(disputed).toContain(
    '\n→ Answer the dispute of $49.99 by 31 January 2026.\n\ndue       31 Jan 2026\nbuyer  ',
  );
  expect(disputed).toContain(
    '\n16 Jan 2026, UTC\n09:00 trigger chargeback.received\n        chargeback.received evt_1\n',
  );
  const { text } = await orders('order-104');
  expect(text).toMatch(/\n {8}→ payment_intent\.succeeded ✗ 503 \S+ down\n/);
  expect(text).toMatch(/\n\+35 min → payment_intent\.succeeded ✗ 503 attempt 4 \S+ down\n/);
  expect(text).toMatch(/\n\+2 h {4}→ payment_intent\.succeeded ✓ 200 attempt 5 \S+ thanks\n/);
});

test('shows what an order lost that was both refunded and disputed', async () => {
  const { orders, sandbox } = await startWith('order-103');
  const [sale] = sandbox.transactions;
  await clientOf(sandbox).transact.refund({ transactionid: sale?.id ?? '', amount: '49.99' });
  expect((await orders('order-103')).text).toContain('\ncharges   1, -$49.99 kept\n');
});

test('says how to deliver what an endpoint has not taken', async () => {
  const { orders, where, sandbox } = await startWith('order-224');
  const command = 'npx payments-client webhooks redeliver';
  expect((await orders()).text).toContain(
    `Fix your webhook endpoint, then redeliver 2 events. Run: ${command}\n`,
  );
  const missing = `0 of 2 delivered, 2 failing. To deliver now: ${command}\n`;
  expect((await orders('order-224')).text).toContain(`webhooks  ${missing}`);
  const [endpoint] = sandbox.webhooks.endpoints();
  const list = async () => (await run(['webhooks', 'list', ...where])).stdout;
  expect(await list()).toBe(
    `1 webhook endpoint:\n  ${endpoint?.id}  ${endpoint?.url}  enabled, misses 2 events\n`,
  );
  const redelivered = await run(['webhooks', 'redeliver', ...where, '--json']);
  expect(redelivered).toMatchObject({ code: 0, stdout: '{"count":2}\n' });
});

test('counts no failing delivery whose event the endpoint has taken since', async () => {
  const { orders } = await startWith('order-225');
  expect((await orders('order-225')).text).toMatch(/\nwebhooks {2}\d of \d delivered\n/);
});

test('finds an order by the id of an object, and suggests a near one for an unknown id', async () => {
  const { orders, sandbox } = await startWith('order-106');
  const [charge] = sandbox.events.map(({ data }) => Object(data.object).latest_charge_id).filter(Boolean);
  expect((await orders(charge)).text).toMatch(/^order-106 {2}Charged once {2}\$42\.00\n/);
  expect(await orders('order-16')).toEqual({
    code: 1,
    stderr: expect.stringContaining("There is no order 'order-16' (did you mean 'order-106'?)."),
    text: '',
  });
});

test('writes JSON: a summary in each line, or one order with its entries', async () => {
  const { where } = await startWith('order-100', 'order-107');
  const list = await run(['orders', '--json', ...where]);
  expect(list.stdout.trim().split('\n').map(parse)).toMatchObject([
    { id: 'order-107', verdict: 'unknown_to_app', needs: { why: 'unknown' } },
    { id: 'order-100', verdict: 'charged_once', needs: null },
  ]);
  const one = await run(['orders', 'order-100', '--json', ...where]);
  expect(parse(one.stdout)).toMatchObject({ id: 'order-100', entries: expect.any(Array) });
  const unknown = await run(['orders', 'order-9', '--json', ...where]);
  expect(parse(unknown.stderr)).toMatchObject({ error: { code: 'OBJECT_NOT_FOUND' } });
});

test('colours the verdict on a terminal', async () => {
  const { where, orders } = await startWith('order-107');
  const shown = await runOnTerminal(['orders', ...where]);
  expect(shown).toContain('\u001b[33mUnknown to your app\u001b[39m ');
  expect(stripVTControlCharacters(shown)).toBe((await orders()).text);
  expect(await runOnTerminal(['orders', ...where], { NO_COLOR: '1' })).toBe((await orders()).text);
});
