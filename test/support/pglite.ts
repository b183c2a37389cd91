import { PGlite } from '@electric-sql/pglite';

/** To start a PGlite takes seconds of processor time, and to empty one takes milliseconds. */
let shared: Promise<PGlite> | undefined;

// A failed test may leave a transaction open.
const empty = `
ROLLBACK;
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
    EXECUTE format('DROP SCHEMA %I CASCADE', name);
  END LOOP;
END $$;
CREATE SCHEMA public;`;

/** Returns the PGlite that the tests of this process share, without tables. One test uses it at a time. */
export async function emptyPglite(): Promise<PGlite> {
  shared ??= PGlite.create();
  const database = await shared;
  await database.exec(empty);
  return database;
}
