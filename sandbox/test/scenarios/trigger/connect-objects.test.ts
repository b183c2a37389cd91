import { memoryStore } from 'payments-client/stores';
import { advanceSnapshot, type WebhookEventType } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { withEndpoint } from '../../webhooks/support.ts';

const types = ({ events }: { readonly events: readonly { readonly type: string }[] }) =>
  events.map(({ type }) => type);

test.each(['account.created', 'connection.created', 'connection.activated'] as const)(
  '%s is triggered with its version',
  async (type) => {
    const { sandbox, received } = withEndpoint();
    const event = sandbox.trigger(type);
    expect(event.data.object.version).toBe(type === 'connection.activated' ? 2 : 1);
    expect(event.data.object.version_scope).toBe(type.split('.')[0]);
    await sandbox.settled();
    expect(received.at(-1)).toEqual(event);
    const alsoNew = type === 'connection.created' ? ['account.created'] : [];
    expect(received.map((one) => one.type)).toEqual([...alsoNew, type]);
  },
);

describe('account.created', () => {
  test('is not emitted when a new connection selects an existing account', () => {
    const sandbox = createSandbox();
    const { id: account } = sandbox.add('account');
    const selecting: object = { account };
    expect(sandbox.trigger('connection.created', selecting).data.object).toMatchObject({ account });
    expect(types(sandbox)).toEqual(['connection.created']);
  });

  test('is rejected for an existing account', () => {
    const sandbox = createSandbox();
    const { id } = sandbox.trigger('account.created').data.object;
    expect(() => sandbox.trigger('account.created', { id })).toThrow(
      `sandbox.trigger: 'account.created' needs a new account; '${id}' exists, and selecting it emits no event.`,
    );
    expect(types(sandbox)).toEqual(['account.created']);
  });
});

describe('connection.activated', () => {
  test('is rejected for a connection that was not suspended', () => {
    const sandbox = createSandbox();
    const { id } = sandbox.trigger('connection.created').data.object;
    expect(() => sandbox.trigger('connection.activated', { id })).toThrow(
      /needs a connection that is suspended, since it describes reactivation; suspend 'conn_/,
    );
    expect(types(sandbox)).toEqual(['account.created', 'connection.created']);
  });

  test('reactivates a suspended connection, with a snapshot that advances the stored one', async () => {
    const sandbox = createSandbox();
    const created = sandbox.trigger('connection.created');
    const { id } = created.data.object;
    sandbox.update('connection', id, { status: 'suspended' });
    const activated = sandbox.trigger('connection.activated', { id });
    expect(activated.data.object).toMatchObject({ id, status: 'active', version: 2 });
    const store = memoryStore();
    await advanceSnapshot(store, activated);
    expect(await advanceSnapshot(store, created)).toMatchObject({ version: 2, object: { status: 'active' } });
  });

  test('has the next version of a connection that a test added', () => {
    const sandbox = createSandbox();
    const { id, version } = sandbox.add('connection', { status: 'suspended' });
    expect(version).toBe(1);
    const { object } = sandbox.trigger('connection.activated', { id }).data;
    expect(object).toMatchObject({ id, status: 'active', version: 2, version_scope: 'connection' });
  });

  test('accepts only a higher version', () => {
    const sandbox = createSandbox();
    const { id } = sandbox.add('connection', { status: 'suspended', version: 7 });
    expect(() => sandbox.trigger('connection.activated', { id, version: 7 })).toThrow(
      `connection.version: expected a version above 7, got the number 7. It is that of '${id}'.`,
    );
    expect(sandbox.trigger('connection.activated', { id, version: 9 }).data.object.version).toBe(9);
  });
});

describe('account.updated', () => {
  test('ends the review of an application, with the version scope of that application', () => {
    const sandbox = createSandbox();
    const event = sandbox.trigger('account.updated');
    expect(event.data.object).toMatchObject({ object: 'account', payments_enabled: true, version: 2 });
    expect(event.data.object.version_scope).toMatch(/^application:app_/);
    const account = sandbox.get('account', event.data.object.id);
    expect(account).toMatchObject({ payments_enabled: true, version_scope: 'account' });
    expect(types(sandbox)).toEqual(['account.updated']);
  });

  test('has the scope of the account if that has no application', () => {
    const sandbox = createSandbox();
    const { id } = sandbox.trigger('account.created').data.object;
    const { object } = sandbox.trigger('account.updated', { id, external_reference: 'shop-7' }).data;
    expect(object).toMatchObject({
      id,
      external_reference: 'shop-7',
      version: 2,
      version_scope: 'account',
    });
  });

  test('of an application is rejected without an active connection', () => {
    const sandbox = createSandbox();
    const { id } = sandbox.add('account');
    const { id: connection } = sandbox.add('connection', { account: id, status: 'suspended' });
    const update = () => sandbox.trigger('account.updated', { id, version_scope: 'application:app_1' });
    expect(update).toThrow(/needs an active connection, since it goes to no other platform/);
    expect(types(sandbox)).toEqual([]);
    sandbox.update('connection', connection, { status: 'active' });
    expect(update().data.object.version_scope).toBe('application:app_1');
  });

  test('is a snapshot of its own sequence, in any order', async () => {
    const sandbox = createSandbox();
    const created = sandbox.trigger('account.created');
    const { id } = created.data.object;
    sandbox.add('connection', { account: id });
    const [one, two] = [false, true].map((payments_enabled) =>
      sandbox.trigger('account.updated', { id, payments_enabled, version_scope: 'application:app_1' }),
    );
    const store = memoryStore();
    if (one === undefined || two === undefined) throw new Error('expected two events');
    await advanceSnapshot(store, two);
    expect((await advanceSnapshot(store, one)).object.payments_enabled).toBe(true);
    expect((await advanceSnapshot(store, created)).version).toBe(1);
  });

  test('accepts only a higher version', () => {
    const sandbox = createSandbox();
    const { id } = sandbox.add('account', { version: 7 });
    expect(() => sandbox.trigger('account.updated', { id, version: 7 })).toThrow(
      `account.version: expected a version above 7, got the number 7. It is that of '${id}'.`,
    );
  });
});

describe('a payload', () => {
  test.each<[type: WebhookEventType, fields: object, name: string, held: string]>([
    ['account.created', { answers: [] }, 'answers', 'onboarding answers'],
    ['account.created', { legal: [{ owner_name: 'Ada' }] }, 'owner_name', 'owner identity'],
    ['connection.created', { bank_account: '1' }, 'bank_account', 'bank information'],
    ['connection.activated', { documents: ['a'] }, 'documents', 'documents'],
    ['connection.activated', { session_cookie: 'x' }, 'session_cookie', 'browser credentials'],
  ])('of %s is rejected with %j', (type, fields, name, held) => {
    const sandbox = createSandbox();
    expect(() => sandbox.trigger(type, fields)).toThrow(
      `.${name}: expected no such field, got ${held}. Payloads of Connect events never hold ${held}.`,
    );
    expect(sandbox.events).toEqual([]);
  });

  test('is rejected for private data of the existing object', () => {
    const sandbox = createSandbox();
    const { id } = sandbox.add('connection', { status: 'suspended', owner: { name: 'Ada' } });
    expect(() => sandbox.trigger('connection.activated', { id })).toThrow(/never hold owner identity/);
    expect(sandbox.get('connection', id)).toMatchObject({ status: 'suspended' });
  });

  test('accepts flags and any other field', () => {
    const sandbox = createSandbox();
    const fields = { payments_enabled: false, external_reference: 'shop-7', documents_due: true };
    expect(sandbox.trigger('account.created', fields).data.object).toMatchObject(fields);
  });

  test('of another shape is rejected, and nothing has changed', () => {
    const sandbox = createSandbox();
    const fields: object = { version: '1' };
    expect(() => sandbox.trigger('account.created', fields)).toThrow(/^account\.version: expected /);
    expect(sandbox.events).toEqual([]);
  });
});
