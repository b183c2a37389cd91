import { exampleDatabase } from './database.ts';
import { describeQueue } from './postgres-queue.ts';

describeQueue(
  {
    name: 'graphile-worker',
    schema: 'graphile_worker',
    unended: 'SELECT count(*)::int FROM graphile_worker.jobs',
    waiting: 'SELECT attempts FROM graphile_worker.jobs WHERE locked_at IS NULL',
    refuse: 'ALTER FUNCTION graphile_worker.add_job RENAME TO gone',
    accept: 'ALTER FUNCTION graphile_worker.gone RENAME TO add_job',
    // After 4 hours.
    reassign: `SELECT graphile_worker.force_unlock_workers(ARRAY(
      SELECT locked_by FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL))`,
  },
  exampleDatabase('test/examples/webhooks-graphile-worker.services.test.ts'),
);
