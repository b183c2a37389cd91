/** Reaches inside: the table of routes is what the reference is written from, and each route answers as it says. */

import { afterEach, expect, test } from 'vitest';
import { readRoutes } from '../../src/control/control.ts';
import { start } from './support.ts';

const { call, payments, sandbox } = start();

afterEach(() => sandbox.close());

/** Returns the names at the top of a form: `{ data: [{ id }], has_more }` has `data` and `has_more`. */
function namesIn(form: string): readonly string[] {
  return form
    .slice(1, -1)
    .replaceAll(/: \[.*?\](?=,|\s*$)/g, '')
    .split(',')
    .map((name) => name.trim());
}

test('each route answers the fields in the table', async () => {
  await sandbox.listen();
  const intent = await payments.paymentIntents.create(
    { amount: 1200, currency: 'usd' },
    { operationId: 'order-1' },
  );
  const [event] = sandbox.events;
  const paths: Readonly<Record<string, string>> = {
    '/stories/:id': '/stories/order-1',
    '/entries/:number': '/entries/1',
    '/objects': '/objects?kind=payment_intent',
    '/objects/:kind/:id': `/objects/payment_intent/${intent.id}`,
    '/events/:id': `/events/${event?.id}`,
  };
  for (const { path, body: form } of readRoutes) {
    if (form === 'text') continue;
    const { status, body } = await call((paths[path] ?? path).slice(1));
    expect(status, path).toBe(200);
    const names = namesIn(form);
    const known = names.filter((name) => name !== '…');
    expect(Object.keys(body), path).toEqual(names.includes('…') ? expect.arrayContaining(known) : known);
  }
});

test('each route refuses a parameter that is not in the table, and names those that are', async () => {
  for (const { path, query } of readRoutes) {
    const { status, body } = await call(`${path.slice(1)}?colour=red`);
    expect([status, body.error.param], path).toEqual([400, 'colour']);
    expect(body.error.message, path).toContain(query?.join(', ') ?? 'expected no parameter');
  }
});
