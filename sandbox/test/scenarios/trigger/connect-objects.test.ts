/** The events of connected accounts: their versions, what they need, and what they never hold. */

import { memoryStore } from 'payments-client/stores';
import { advanceSnapshot, type WebhookEventType } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { withEndpoint } from '../../webhooks/support.ts';

const types = ({ events }: { readonly events: readonly { readonly type: string }[] }) =>
  events.map(({ type }) => type);

test.each([
  ['account.created', 1, 'account', ['account.created']],
  ['connection.created', 1, 'connection', ['account.created', 'connection.created']],
  ['connection.activated', 2, 'connection', ['connection.activated']],
] as const)('%s is triggered with its version %i of %s', async (type, version, version_scope, emitted) => {
  const { sandbox, received } = withEndpoint();
  const event = sandbox.trigger(type);
  expect(event.data.object).toMatchObject({ version, version_scope });
  await sandbox.settled();
  expect(received.at(-1)).toEqual(event);
  expect(received.map((one) => one.type)).toEqual(emitted);
});

test('a new connection of an existing account emits no account.created, which is rejected for it too', () => {
  const sandbox = createSandbox();
  const { id } = sandbox.add('account');
  const selecting: object = { account: id };
  expect(sandbox.trigger('connection.created', selecting).data.object).toMatchObject({ account: id });
  expect(() => sandbox.trigger('account.created', { id })).toThrow(/needs a new account; .* emits no event/);
  expect(types(sandbox)).toEqual(['connection.created']);
});

test('only a suspended connection is activated, with a snapshot that advances the stored one', async () => {
  const sandbox = createSandbox();
  const created = sandbox.trigger('connection.created');
  const { id } = created.data.object;
  expect(() => sandbox.trigger('connection.activated', { id })).toThrow(
    /needs a connection that is suspended/,
  );
  expect(types(sandbox)).toEqual(['account.created', 'connection.created']);
  sandbox.update('connection', id, { status: 'suspended' });
  const activated = sandbox.trigger('connection.activated', { id });
  expect(activated.data.object).toMatchObject({ id, status: 'active', version: 2 });
  const store = memoryStore();
  await advanceSnapshot(store, activated);
  expect(await advanceSnapshot(store, created)).toMatchObject({
    advanced: false,
    current: { version: 2, object: { status: 'active' } },
  });
});

test.each([
  ['connection', 'connection.activated', { status: 'suspended' }],
  ['account', 'account.updated', {}],
] as const)(
  'the next version of a %s is higher by one, or the higher one that is asked for',
  (kind, type, fields) => {
    const sandbox = createSandbox();
    const [one, other] = [
      sandbox.add(kind, { ...fields, version: 7 }),
      sandbox.add(kind, { ...fields, version: 7 }),
    ];
    expect(() => sandbox.trigger(type, { id: one.id, version: 7 })).toThrow(
      `${kind}.version: expected a version above 7, got the number 7. It is that of '${one.id}'.`,
    );
    expect(sandbox.trigger(type, { id: one.id, version: 9 }).data.object.version).toBe(9);
    expect(sandbox.trigger(type, { id: other.id }).data.object.version).toBe(8);
  },
);

test('an account.updated ends the review of an application in its scope, else it has that of the account', () => {
  const sandbox = createSandbox();
  const { object } = sandbox.trigger('account.updated').data;
  expect(object).toMatchObject({ object: 'account', payments_enabled: true, version: 2 });
  expect(object.version_scope).toMatch(/^application:app_/);
  expect(sandbox.get('account', object.id)).toMatchObject({
    payments_enabled: true,
    version_scope: 'account',
  });
  expect(types(sandbox)).toEqual(['account.updated']);
  const { id } = sandbox.trigger('account.created').data.object;
  const own = sandbox.trigger('account.updated', { id, external_reference: 'shop-7' }).data.object;
  expect(own).toMatchObject({ id, external_reference: 'shop-7', version: 2, version_scope: 'account' });
});

test('an account.updated of an application is rejected without an active connection', () => {
  const sandbox = createSandbox();
  const { id } = sandbox.add('account');
  const { id: connection } = sandbox.add('connection', { account: id, status: 'suspended' });
  sandbox.add('connection', { account: sandbox.add('account').id });
  const update = () => sandbox.trigger('account.updated', { id, version_scope: 'application:app_1' });
  expect(update).toThrow(/needs an active connection, since it goes to no other platform/);
  expect(types(sandbox)).toEqual([]);
  sandbox.update('connection', connection, { status: 'active' });
  expect(update().data.object.version_scope).toBe('application:app_1');
});

test('snapshots of an application are a sequence of their own, in any order', async () => {
  const sandbox = createSandbox();
  const created = sandbox.trigger('account.created');
  const { id } = created.data.object;
  sandbox.add('connection', { account: id });
  const update = (payments_enabled: boolean) =>
    sandbox.trigger('account.updated', { id, payments_enabled, version_scope: 'application:app_1' });
  const [one, two] = [update(false), update(true)];
  const store = memoryStore();
  await advanceSnapshot(store, two);
  expect((await advanceSnapshot(store, one)).current.object.payments_enabled).toBe(true);
  expect((await advanceSnapshot(store, created)).current.version).toBe(1);
});

test.each<[type: WebhookEventType, fields: object, name: string, held: string]>([
  ['account.created', { answers: [] }, 'answers', 'onboarding answers'],
  ['account.created', { legal: [{ owner_name: 'Ada' }] }, 'owner_name', 'owner identity'],
  ['connection.created', { bank_account: '1' }, 'bank_account', 'bank information'],
  ['connection.activated', { documents: ['a'] }, 'documents', 'documents'],
  ['connection.activated', { session_cookie: 'x' }, 'session_cookie', 'browser credentials'],
  ['account.created', { version: '1' }, 'version', 'a string of 1 character'],
])('%s is rejected with %j, and nothing has changed', (type, fields, name, held) => {
  const sandbox = createSandbox();
  const trigger = () => sandbox.trigger(type, fields);
  expect(trigger).toThrow(new RegExp(`\\.${name}: expected .*`));
  if (name !== 'version') expect(trigger).toThrow(`Payloads of Connect events never hold ${held}.`);
  expect(sandbox.events).toEqual([]);
});

test('private data of the existing object is rejected too, and flags and any other field are not', () => {
  const sandbox = createSandbox();
  const { id } = sandbox.add('connection', { status: 'suspended', owner: { name: 'Ada' } });
  expect(() => sandbox.trigger('connection.activated', { id })).toThrow(/never hold owner identity/);
  expect(sandbox.get('connection', id)).toMatchObject({ status: 'suspended' });
  const fields = { payments_enabled: false, external_reference: 'shop-7', documents_due: true };
  expect(sandbox.trigger('account.created', fields).data.object).toMatchObject(fields);
});
