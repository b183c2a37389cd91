import { PaymentsClient } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { advanceSnapshot } from 'payments-client/webhooks';
import { describe, expect, test } from 'vitest';
import { withEndpoint } from '../webhooks/support.ts';

/** Starts a sandbox with a new link of a platform. */
async function startWithLink(fields: object = { external_reference: 'shop-7' }) {
  const platform = withEndpoint();
  const { sandbox } = platform;
  const { url: baseUrl, secretKey, fetch } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, fetch });
  const link = await payments.accountLinks.create({ ...fields });
  return { ...platform, payments, link };
}

const newAccount = [
  'account_link.visited',
  'account.created',
  'connection.created',
  'account_link.completed',
];

describe('a visit', () => {
  test('creates an account and its connection, and emits its events in order', async () => {
    const { sandbox, payments, link, types } = await startWithLink();
    const { id: connection, account } = sandbox.visit(link.id);
    await sandbox.settled();
    expect(types()).toEqual(newAccount);
    expect(await payments.connections.retrieve(connection)).toMatchObject({ account, status: 'active' });
    expect(await payments.accounts.retrieve(String(account))).toMatchObject({ payments_enabled: false });
    const visited = await payments.accountLinks.retrieve(link.id);
    expect(visited).toMatchObject({ account, connection, status: 'completed', version: 3 });
  });

  test('of a merchant with an account emits no account.created', async () => {
    const { sandbox, link, types } = await startWithLink();
    const { id: account } = sandbox.add('account');
    expect(sandbox.visit(link.id, { account })).toMatchObject({ account });
    await sandbox.settled();
    expect(types()).toEqual(newAccount.filter((type) => type !== 'account.created'));
  });

  test('says nothing of the merchant before the consent, nor what the platform stored with the link', async () => {
    const { sandbox, link, received } = await startWithLink({ external_reference: 'shop-7', owner: 'Ada' });
    sandbox.visit(link.id);
    await sandbox.settled();
    const objects = received.map(({ data }) => Object.keys(Object(data.object)));
    expect(objects[0]).not.toContain('account');
    expect(objects.at(-1)).toContain('account');
    for (const names of objects) expect(names).not.toContain('owner');
  });

  test('is under review until the account is updated', async () => {
    const { sandbox, link } = await startWithLink();
    const id = String(sandbox.visit(link.id)['account']);
    const { object } = sandbox.trigger('account.updated', { id }).data;
    expect(object).toMatchObject({ id, payments_enabled: true, version: 2 });
    expect(object.version_scope).toMatch(/^application:app_/);
  });

  test('can be ordered by its snapshots, whatever the order of the deliveries', async () => {
    const { sandbox, link, received } = await startWithLink();
    sandbox.visit(link.id);
    await sandbox.settled();
    const store = memoryStore();
    const kept = new Map<string, number>();
    for (const event of received.toReversed()) {
      const { key, version } = (await advanceSnapshot(store, event)).current;
      kept.set(key, version);
    }
    expect([...kept.values()].toSorted()).toEqual([1, 1, 3]);
  });

  test('of a replacement link starts another sequence', async () => {
    const { sandbox, payments, link } = await startWithLink();
    sandbox.visit(link.id);
    const replacement = await payments.accountLinks.create({ external_reference: 'shop-7' });
    expect(replacement).toMatchObject({ version: 1, version_scope: 'account_link', status: 'open' });
    expect(replacement.id).not.toBe(link.id);
  });

  test('is refused for a visited link, an unknown one, and an unknown account, and changes nothing', async () => {
    const { sandbox, link } = await startWithLink();
    expect(() => sandbox.visit(link.id, { account: 'acct_none' })).toThrow(
      "sandbox.visit.account: expected the id of an account, got 'acct_none', which does not exist.",
    );
    expect(sandbox.events).toEqual([]);
    expect(sandbox.get('account_link', link.id)).toMatchObject({ status: 'open', version: 1 });
    sandbox.visit(link.id);
    expect(() => sandbox.visit(link.id)).toThrow(
      `sandbox.visit.id: expected the id of an open account link, got '${link.id}', which is 'completed'.`,
    );
    expect(() => sandbox.visit('alnk_none')).toThrow(/'alnk_none', which does not exist/);
  });
});
