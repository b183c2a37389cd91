import { postgresStore } from 'payments-client/stores';
import { advanceSnapshot } from 'payments-client/webhooks';
import { expect, it } from 'vitest';
import { emptyPglite } from '../../support/pglite.ts';

const event = (version: number) => ({
  livemode: false,
  data: { object: { id: 'acct_1', version, version_scope: 'account' } },
});

it('advanceSnapshot joins a transaction of PostgreSQL', async () => {
  const database = await emptyPglite();
  const store = postgresStore(database);
  await store.migrate();
  const undone = database.transaction(async (client) => {
    await advanceSnapshot(store, event(9), { client });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect(await advanceSnapshot(store, event(3))).toMatchObject({
    advanced: true,
    current: { version: 3 },
    previous: undefined,
  });
});
