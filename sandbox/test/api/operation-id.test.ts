/** What is shown of the operation ids in keys: orders of `payments-client/orders` by their own ids, and never the number of a card. */

import { deriveIdempotencyKey } from 'payments-client';
import { expect, it } from 'vitest';
import { fails, recordShop } from '../stories/support.ts';

const createdAt = Date.UTC(2026, 0, 15, 10);
/** With the signs around it written as digits, it looks like a card number. */
const unlucky = '33c2fbdd-eca0-4dbe-a059-c5e5a2af50e6';
/** With the time of its row behind it, it has the digits of a card. */
const besideATime = '600005';
const placeholder = '[redacted]';

it.each([unlucky, besideATime, 'order-1042', '20260115-1042', 'Bestellung 7/2 @ Müller', '12:34:56'])(
  'finds the order %s by its own id, and names it so',
  async (id) => {
    const { pay, sandbox, story, stories } = recordShop({ createdAt });
    await pay(id);
    const [listed] = await stories();
    expect(listed).toMatchObject({ id, title: id, verdict: 'charged_once', charges: 1 });
    expect(sandbox.story(id)).toEqual(listed);
    const whole = await story(id);
    const [operationId = ''] = whole.operationIds;
    expect(operationId).toContain(`/order/${id}@`);
    expect((await story(operationId)).id).toBe(id);
    const keys = whole.entries.flatMap((entry) =>
      entry.kind === 'request' ? (entry.idempotencyKey ?? []) : [],
    );
    expect(keys).toEqual([deriveIdempotencyKey('checkoutSessions.create', operationId)]);
  },
);

it('offers to repeat a request of an order whose reply was lost', async () => {
  const { orders, sandbox, story } = recordShop({ createdAt });
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
  await fails(orders.charge(unlucky, 'pm_1'));
  expect((await story(unlucky)).actions.map(({ name }) => name)).toContain('requests.repeat');
});

it.each(['4242424242424242', 'order 4242-4242-4242-4242'])(
  'shows no card number %s in place of an id, and finds its order',
  async (id) => {
    const { pay, story, stories, entries } = recordShop({ createdAt });
    await pay(id);
    const [listed] = await stories();
    expect(listed?.title).toContain(placeholder);
    expect((await story(id)).id).toBe(listed?.id);
    const keys = (await entries()).flatMap((entry) =>
      entry.kind === 'request' ? (entry.idempotencyKey ?? []) : [],
    );
    expect(keys).not.toEqual([]);
    expect(JSON.stringify([await stories(), keys])).not.toMatch(/4242.?4242/);
  },
);

it.each([
  ['of another operation', 'pc1:refunds.create:4242~00404242~00404242~00404242'],
  ['in front of an order', `pc1:4242424242424242:orders~003ashop~002forder~002f1~00401~002f${unlucky}~002f1`],
  [
    'in the place of an account',
    `pc1:refunds.create:orders~003a4242424242424242~002forder~002f1~00401~002f${unlucky}~002f1`,
  ],
  [
    'in the place of a number',
    `pc1:refunds.create:orders~003ashop~002forder~002f1~00401~002f${unlucky}~002f4242424242424242`,
  ],
  [
    'in another spelling',
    `pc1:refunds.create:orders~003ashop~002forder~002f${[...'4242424242424242'].map((digit) => `~003${digit}`).join('')}~00401~002f${unlucky}~002f1`,
  ],
])('records no card number %s', async (_, key) => {
  const { sandbox, entries } = recordShop({ createdAt });
  const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'idempotency-key': key };
  await sandbox.fetch(new Request(`${sandbox.url}/v1/refunds`, { method: 'POST', headers, body: '{}' }));
  const [entry] = await entries();
  expect(entry).toMatchObject({ kind: 'request', idempotencyKey: expect.stringContaining(placeholder) });
  expect(JSON.stringify(entry)).not.toMatch(/4242(?:~0040)?4242|~0034~0032/);
});
