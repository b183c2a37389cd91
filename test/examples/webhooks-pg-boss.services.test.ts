import { exampleDatabase } from './database.ts';
import { describeQueue } from './postgres-queue.ts';

const jobs = "SELECT count(*)::int FROM pgboss.job WHERE name = 'webhooks'";

describeQueue(
  {
    name: 'pg-boss',
    schema: 'pgboss',
    unended: `${jobs} AND state < 'completed'`,
    waiting: `${jobs} AND state = 'retry'`,
    refuse: 'ALTER SCHEMA pgboss RENAME TO gone',
    accept: 'ALTER SCHEMA gone RENAME TO pgboss',
    // After 15 minutes.
    reassign: "UPDATE pgboss.job SET state = 'retry' WHERE state = 'active'",
  },
  exampleDatabase('test/examples/webhooks-pg-boss.services.test.ts'),
);
