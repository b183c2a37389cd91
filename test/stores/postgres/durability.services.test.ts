/** How a server commits what a store writes, as its tables see it. */

import { postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimOf, day, freshKey } from '../time.ts';
import { usePostgres } from './database.ts';

const { isSkipped, why, pool, server } = usePostgres('postgres/durability');

/** Notes how each change of the claims and the documents is committed. */
const noting = `
CREATE TABLE IF NOT EXISTS noted (setting text);
CREATE OR REPLACE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO noted VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
CREATE OR REPLACE TRIGGER note BEFORE INSERT OR UPDATE ON payments_claims FOR EACH ROW EXECUTE FUNCTION note();
CREATE OR REPLACE TRIGGER note BEFORE INSERT OR UPDATE ON payments_claims_documents FOR EACH ROW EXECUTE FUNCTION note();
TRUNCATE noted;`;

/** A store whose connections are set to commit in a way. */
async function open(setting: string) {
  const own = new pg.Pool({ ...server().connection, options: `-c synchronous_commit=${setting}`, max: 2 });
  onTestFinished(() => own.end());
  const store = postgresStore(own);
  await store.migrate();
  await own.query(noting);
  const noted = async () => {
    const { rows } = await own.query<{ setting: string }>('DELETE FROM noted RETURNING setting');
    return rows.map((row) => row.setting);
  };
  return { own, store, noted };
}

describe.skipIf(isSkipped)(`the durability of PostgreSQL${why}`, () => {
  it.each([
    ['off', 'on'],
    ['local', 'on'],
    ['remote_write', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('of a connection set to %s is %s for what has a text', async (setting, expected) => {
    const { own, store, noted } = await open(setting);
    const key = `operation/${freshKey()}`;
    const { token } = claimOf(await store.claim(key, day, { data: 'planned' }));
    await store.renew(key, token, day, { data: 'sent' });
    await store.release(key, token, { data: 'refused' });
    const again = claimOf(await store.claim(key, day, { data: 'sent' }));
    await store.complete(key, again.token, day, { data: 'done' });
    await store.save(`orders/${freshKey()}`, 0, 'paid', { wakeAt: null });
    expect(new Set(await noted())).toEqual(new Set([expected]));
    expect((await own.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: setting }]);
  });

  it('of a claim without a text is none: its lease may end early', async () => {
    const { store, noted } = await open('remote_apply');
    await store.claim(freshKey(), day);
    expect(await noted()).toEqual(['off']);
  });

  it.each(['off', 'remote_write'])('of your transaction stays %s', async (setting) => {
    const { own, store, noted } = await open(setting);
    const client = await own.connect();
    onTestFinished(() => client.release());
    await client.query('BEGIN');
    const key = freshKey();
    const { token } = claimOf(await store.claim(key, day, { data: 'sent', client }));
    await store.complete(key, token, day, { data: 'done', client });
    await client.query('COMMIT');
    await store.transaction(async (_client, documents) => {
      await documents.save(`orders/${freshKey()}`, 0, 'paid', { wakeAt: null });
    });
    expect(await noted()).toEqual([setting, setting, setting]);
  });

  it('takes one statement a claim', async () => {
    const statements: string[] = [];
    const counting = {
      query: (text: string, values: unknown[]) => {
        statements.push(text);
        return pool().query(text, values);
      },
    };
    const store = postgresStore(counting);
    await store.migrate();
    statements.length = 0;
    await store.claim(freshKey(), day, { data: 'sent' });
    expect(statements).toHaveLength(1);
  });
});
