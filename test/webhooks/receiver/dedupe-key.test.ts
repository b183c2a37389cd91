/** Deliveries belong to one event if they have the same consumer, scope, mode and id. */

import { createServer } from 'node:http';
import { memoryStore, type Store } from 'payments-client/stores';
import type { ReceiverContext, ReceiverOptions, WebhooksOptions } from 'payments-client/webhooks';
import { expect, it } from 'vitest';
import {
  chargeback,
  delivery,
  envelope,
  eventOf,
  otherSecret,
  secret,
  webhooksAt,
} from '../../support/deliveries.ts';
import { listen } from './running.ts';
import { send } from './send.ts';

/** A server with a receiver that records the operation ids it handles. */
async function start(options: Partial<ReceiverOptions> = {}, settings: Partial<WebhooksOptions> = {}) {
  const handled: string[] = [];
  const record = (_event: unknown, { operationId }: ReceiverContext) => handled.push(operationId);
  const receiver = webhooksAt(settings).receiver({
    store: memoryStore(),
    on: { 'refund.failed': record, 'chargeback.received': record },
    onEvent: record,
    ...options,
  });
  const url = await listen(createServer(receiver.node));
  const deliver = async (value: unknown, signingSecret = secret) =>
    (await send(url, await delivery(value, webhooksAt({ secret: signingSecret })))).outcome;
  return { handled, deliver };
}

const failed = eventOf('refund.failed');

it('handles an event once for each consumer on one store', async () => {
  const store = memoryStore();
  const billing = await start({ store, consumer: 'billing' });
  const mail = await start({ store, consumer: 'mail' });
  const unnamed = await start({ store });
  for (const { deliver } of [billing, mail, unnamed]) {
    expect(await deliver(failed)).toBe('handled');
    expect(await deliver(failed)).toBe('duplicate');
  }
  expect([billing, mail, unnamed].map(({ handled }) => handled)).toEqual([
    ['webhook.billing/test//evt_1'],
    ['webhook.mail/test//evt_1'],
    ['webhook.default/test//evt_1'],
  ]);
});

it('handles the same chargeback id once for each merchant', async () => {
  const { handled, deliver } = await start({}, { secrets: { acct_1: secret, acct_2: otherSecret } });
  for (const signingSecret of [secret, otherSecret]) {
    expect(await deliver(chargeback, signingSecret)).toBe('handled');
    expect(await deliver(chargeback, signingSecret)).toBe('duplicate');
  }
  expect(handled).toEqual([
    'webhook.default/none/acct_1/chargeback.received~003acb_1',
    'webhook.default/none/acct_2/chargeback.received~003acb_1',
  ]);
});

it('handles an event id once in each scope and mode', async () => {
  const { handled, deliver } = await start({}, { secrets: { platform: secret, connected: otherSecret } });
  for (const signingSecret of [secret, otherSecret]) {
    for (const livemode of [true, false]) {
      expect(await deliver({ ...failed, livemode }, signingSecret)).toBe('handled');
      expect(await deliver({ ...failed, livemode }, signingSecret)).toBe('duplicate');
    }
  }
  expect(handled.map((id) => id.split('/').slice(1, 3).join(' '))).toEqual([
    'live platform',
    'test platform',
    'live connected',
    'test connected',
  ]);
});

const hostileIds = [
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
  ' ',
  '__proto__',
  'é'.repeat(255),
  `${'é'.repeat(254)}e`,
  'x'.repeat(255),
];

it('derives different keys from different ids and scopes, which every store and queue accepts', async () => {
  const keys = new Set<string>();
  const store: Store = memoryStore();
  const scopes = ['', '~', 'a', 'a/b', 'a:b', 'é'.repeat(300), 'long', undefined];
  for (const scope of scopes) {
    const secrets = scope === undefined ? [secret] : { [scope]: secret };
    const { handled, deliver } = await start({ store }, { secrets });
    for (const id of hostileIds) {
      expect(await deliver(envelope('account.updated', {}, { id }))).toBe('handled');
      expect(await deliver(envelope('account.updated', {}, { id }))).toBe('duplicate');
    }
    for (const key of handled) {
      expect(key).toMatch(/^[A-Za-z0-9._~/-]{1,512}$/);
      keys.add(key);
    }
  }
  expect(keys.size).toBe(scopes.length * hostileIds.length);
});
