/** `orders` says of each order whether it was charged once, and what to do about it. */

import { stripVTControlCharacters } from 'node:util';
import type { Sandbox } from 'payments-client-sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../../../test/support/sandbox.ts';
import { moreOrders, startShop, troubledOrders } from '../../../test/support/troubled-orders.ts';
import { recordShop } from '../stories/support.ts';
import { endAll, parse, run, runOnTerminal } from './support.ts';

afterEach(endAll);

/** A sandbox with some of the troubled orders, made one after the other. */
const shopWith = (...ids: readonly string[]) =>
  startShop([...troubledOrders, ...moreOrders].filter(({ id }) => ids.includes(id)));

/** The options that lead to a sandbox. */
const whereIs = ({ url, secretKey }: Sandbox) => ['--url', url, '--secret-key', secretKey];

/** Runs `orders`. Ids are short. */
async function ordersOf(sandbox: Sandbox, ...args: readonly string[]) {
  const { code, stdout, stderr } = await run(['orders', ...args, ...whereIs(sandbox)]);
  return {
    code,
    stderr,
    text: stdout.replaceAll(/_\w{16}\b/g, '_1').replaceAll(/\w{16}\.handler/g, '_1.handler'),
  };
}

describe('in a shop', () => {
  let shop: Sandbox;
  beforeAll(async () => {
    shop = await shopWith(
      'order-100',
      'order-102',
      'order-103',
      'order-105-first-click',
      'order-107',
      'order-108',
    );
  });
  afterAll(() => shop.close());

  const twice = "$62.00 in total. → Refund 'order-105-second-click', if both are one purchase.";
  const urgent = [
    'Charged once         order-103               $49.99  grace@example.com  2 d ago',
    '  $49.99 was charged. The buyer disputes $49.99. → Answer the dispute of $49.99 by 31 January 2026.',
    'Charged twice?       order-105-second-click  $31.00  grace@example.com  1 d ago',
    `  $31.00 was charged. 'order-105-first-click' charged the same customer the same amount: ${twice}`,
    'Charged twice?       order-105-first-click   $31.00  grace@example.com  1 d ago',
    `  $31.00 was charged. 'order-105-second-click' charged the same customer the same amount: ${twice}`,
    'Unknown to your app  order-107               $64.00  1 d ago',
    '  $64.00 was charged once, but the app never received the reply to paymentIntents.confirm. → Let your app send paymentIntents.confirm again with the same operation id: the buyer is not charged again.',
  ];
  const calm = [
    'Not charged          order-108               $12.00  1 d ago',
    '  Nothing was charged. The session expired.',
    'Charged once         order-102               $80.00  2 d ago',
    '  $80.00 was charged. $30.00 was refunded, after a failed attempt.',
    'Charged once         order-100               $55.00  2 d ago',
    '  $55.00 was charged. A reply was lost; the app retried the request and got the same reply.',
  ];

  test.each([
    ['those that need somebody first, then the others, newest first', [], [...urgent, ...calm]],
    ['only those that need somebody', ['--needs'], urgent],
    ['the first few', ['--limit', '5'], [...urgent, ...calm.slice(0, 2)]],
  ])('lists %s, in two lines each', async (_, args, lines) => {
    expect(await ordersOf(shop, ...args)).toEqual({ code: 0, stderr: '', text: `${lines.join('\n')}\n` });
  });

  test('shows one order with its figures, and what each request caused', async () => {
    const told = (type: string) => `${type} evt_1\n        → ${type} ✓ 200 _1.handler.invalid/ thanks`;
    expect((await ordersOf(shop, 'order-102')).text).toBe(
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
        '10:00 create            $80.00  ✓ created',
        `        ${told('payment_intent.created')}`,
        '10:00 confirm           $80.00  ✓ charged',
        `        ${told('payment_intent.succeeded')}`,
        '10:00 refund            $30.00  ✓ pending',
        `        ${told('refund.created')}`,
        `10:01 ${told('refund.failed')}`,
        '10:02 retry refund      $30.00  ✓ pending',
        `10:03 ${told('refund.succeeded')}`,
        '',
      ].join('\n'),
    );
  });

  test('shows what to do and by when', async () => {
    const { text } = await ordersOf(shop, 'order-103');
    expect(text).toContain(
      '\n→ Answer the dispute of $49.99 by 31 January 2026.\n\ndue       31 Jan 2026\nbuyer  ',
    );
    expect(text).toMatch(
      /\n16 Jan 2026, UTC\n\d\d:\d\d trigger chargeback\.received\n {8}chargeback\.received evt_1\n/,
    );
  });

  test('finds an order by the id of an object, and suggests a near one for an unknown id', async () => {
    const paid = shop.events.find(({ type }) => type === 'payment_intent.succeeded');
    const { latest_charge_id: charge } = Object(paid?.data.object);
    expect((await ordersOf(shop, charge)).text).toMatch(/^order-100 {2}Charged once {2}\$55\.00\n/);
    expect(await ordersOf(shop, 'order-08')).toEqual({
      code: 1,
      stderr: expect.stringContaining("There is no order 'order-08' (did you mean 'order-108'?)."),
      text: '',
    });
  });

  test('writes JSON: a summary in each line, or one order with its entries', async () => {
    const where = whereIs(shop);
    const { stdout } = await run(['orders', '--json', '--limit', '4', ...where]);
    expect(stdout.trim().split('\n').map(parse).at(-1)).toMatchObject({
      id: 'order-107',
      verdict: 'unknown_to_app',
      needs: { why: 'unknown' },
    });
    const one = await run(['orders', 'order-100', '--json', ...where]);
    expect(parse(one.stdout)).toMatchObject({ id: 'order-100', needs: null, entries: expect.any(Array) });
    const unknown = await run(['orders', 'order-9', '--json', ...where]);
    expect(parse(unknown.stderr)).toMatchObject({ error: { code: 'OBJECT_NOT_FOUND' } });
  });

  test('colours the verdict on a terminal', async () => {
    const shown = await runOnTerminal(['orders', ...whereIs(shop)]);
    expect(shown).toContain('\u001b[33mUnknown to your app\u001b[39m ');
    const plain = (await run(['orders', ...whereIs(shop)])).stdout;
    expect(stripVTControlCharacters(shown)).toBe(plain);
    expect(await runOnTerminal(['orders', ...whereIs(shop)], { NO_COLOR: '1' })).toBe(plain);
  });
});

test('says so if there are none', async () => {
  const sandbox = await shopWith();
  onTestFinished(() => sandbox.close());
  expect(await ordersOf(sandbox)).toEqual({ code: 0, stderr: 'There are no orders yet.\n', text: '' });
  expect(await ordersOf(sandbox, '--needs')).toEqual({
    code: 0,
    stderr: 'No order needs anybody.\n',
    text: '',
  });
});

test('shows what an order lost that was both refunded and disputed', async () => {
  const sandbox = await shopWith('order-103');
  onTestFinished(() => sandbox.close());
  const [sale] = sandbox.transactions;
  await clientOf(sandbox).transact.refund({ transactionid: sale?.id ?? '', amount: '49.99' });
  expect((await ordersOf(sandbox, 'order-103')).text).toContain('\ncharges   1, -$49.99 kept\n');
});

test('shows how much later a delivery was tried again, and how to deliver what was given up', async () => {
  const sandbox = await shopWith('order-104', 'order-224');
  onTestFinished(() => sandbox.close());
  const { text } = await ordersOf(sandbox, 'order-104');
  expect(text).toMatch(/\n {8}→ payment_intent\.succeeded ✗ 503 \S+ down\n/);
  expect(text).toMatch(/\n\+35 min → payment_intent\.succeeded ✗ 503 attempt 4 \S+ down\n/);
  expect(text).toMatch(/\n\+2 h {4}→ payment_intent\.succeeded ✓ 200 attempt 5 \S+ thanks\n/);
  const command = 'npx payments-client webhooks redeliver';
  expect((await ordersOf(sandbox)).text).toContain(
    `Fix your webhook endpoint, then redeliver 2 events. Run: ${command}\n`,
  );
  const missing = `0 of 2 delivered, 2 failing. To deliver now: ${command}\n`;
  expect((await ordersOf(sandbox, 'order-224')).text).toContain(`webhooks  ${missing}`);
});

test('counts no failing delivery whose event the endpoint has taken since', async () => {
  const sandbox = await shopWith('order-225');
  onTestFinished(() => sandbox.close());
  expect((await ordersOf(sandbox, 'order-225')).text).toMatch(/\nwebhooks {2}2 of 4 delivered\n/);
  expect((await ordersOf(sandbox, '--needs')).stderr).toBe('No order needs anybody.\n');
});

test('names an order of `createOrders` by its own id, and finds it by that, whatever its digits look like', async () => {
  const { sandbox, pay } = recordShop({ createdAt: Date.UTC(2026, 0, 15, 10) });
  await sandbox.listen();
  onTestFinished(() => sandbox.close());
  const ids = ['order-1042', '33c2fbdd-eca0-4dbe-a059-c5e5a2af50e6'];
  for (const id of ids) {
    await pay(id);
    expect((await ordersOf(sandbox, id)).text).toMatch(
      new RegExp(`^${id}  Charged once  \\$12\\.00\n\\$12\\.00 was charged\\.\n`),
    );
  }
  const { text } = await ordersOf(sandbox);
  expect(text.match(/(?<=Charged once +)\S+/g)).toEqual(ids.toReversed());
});
