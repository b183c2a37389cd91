/** The key of an event, which is also the operation id of its handler: `suite-of-modes.ts` has its consumers, scopes and modes. */

import { deriveIdempotencyKey } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { ReceiverOptions, WebhooksOptions } from 'payments-client/webhooks';
import { expect, it } from 'vitest';
import { delivery, envelope, eventOf, secret, webhooksAt } from '../../support/deliveries.ts';

/** Delivers to a receiver, and returns the operation id of its handler. */
function keysOf(settings: Partial<WebhooksOptions> = {}, options: Partial<ReceiverOptions> = {}) {
  const { handle } = webhooksAt(settings).receiver({
    store: memoryStore(),
    onEvent: (_event, { operationId }) => void (last = operationId),
    onError: () => {},
    ...options,
  });
  let last: string | undefined;
  return async (value: unknown) => {
    last = undefined;
    await handle(await delivery(value));
    return last;
  };
}

it.each([
  ['webhook.default/test//evt_1', eventOf('refund.failed'), undefined],
  ['webhook.default/live/acct_1/evt_1', eventOf('refund.failed', { livemode: true }), 'acct_1'],
  [
    'webhook.default/none/a~002fb/evt~002f1',
    envelope('a.b', {}, { id: 'evt/1', livemode: undefined }),
    'a/b',
  ],
  ['webhook.default/none/~/evt_1', envelope('a.b', {}, { livemode: 'yes' }), ''],
])('stays %s in every release', async (key, event, scope) => {
  const settings = scope === undefined ? {} : { secrets: { [scope]: secret } };
  expect(await keysOf(settings)(event)).toBe(key);
});

it('is an operation id that the calls of this package accept', () => {
  expect(deriveIdempotencyKey('refunds.retry', 'webhook.default/test//evt_1')).toBe(
    'pc1:refunds.retry:webhook.default~002ftest~002f~002fevt_1',
  );
});

const ids = [
  'evt_1',
  'EVT_1',
  'evt/1',
  'evt~1',
  'evt~002f1',
  'évt',
  'e\u0301vt',
  'a\0b',
  '\ud83c',
  '\udf75',
  '🍵',
];
const longIds = [' ', '__proto__', 'é'.repeat(255), `${'é'.repeat(254)}e`, 'x'.repeat(255)];
const scopes = ['', '~', 'a', 'a/b', 'a:b', 'é'.repeat(300), `${'é'.repeat(299)}e`, 'long', undefined];

it('differs for different ids and scopes, and every store and queue accepts it', async () => {
  const keys: unknown[] = [];
  const store = memoryStore();
  for (const scope of scopes) {
    const keyOf = keysOf(scope === undefined ? {} : { secrets: { [scope]: secret } }, { store });
    for (const id of [...ids, ...longIds]) {
      const key = await keyOf(envelope('refund.escalated', {}, { id }));
      expect(key).toMatch(/^[A-Za-z0-9._~/-]{1,512}$/);
      keys.push(key);
    }
  }
  expect(new Set(keys).size).toBe(scopes.length * (ids.length + longIds.length));
});

it('of a body without an event differs by scope and bytes, whatever the length of the scope', async () => {
  const store = memoryStore();
  for (const scope of [...scopes.filter((one) => one !== undefined), 'é'.repeat(80)]) {
    const webhooks = webhooksAt({ secrets: { [scope]: secret } });
    const { handle } = webhooks.receiver({ store, on: {}, onError: () => {} });
    for (const body of ['[]', '[] ']) await handle({ body, headers: await webhooks.sign(body) });
  }
  const { claims } = await store.open({ space: 'webhook.default', limit: 100 });
  expect(claims).toHaveLength(2 * scopes.length);
  for (const { key } of claims)
    expect(key).toMatch(/^webhook\.default\/unreadable\/[A-Za-z0-9._~/-]{1,490}$/);
});
