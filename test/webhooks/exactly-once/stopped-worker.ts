/**
 * A process of a merchant whose receiver runs its handlers in a transaction. The handler of `evt_stopped` stops the
 * process, as an operating system does, if the task asks for it.
 */

import { createServer } from 'node:http';
import { postgresStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import pg from 'pg';
import { inTransaction } from '../../support/pg-transaction.ts';
import type { StoppedTask } from './stopped-task.ts';

const { connection, secret, lease, stops }: StoppedTask = JSON.parse(process.argv[2] ?? '');
const pool = new pg.Pool({ ...connection, max: 4 });
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));

const receiver = new Webhooks({ secret }).receiver({
  store: postgresStore(pool),
  lease,
  onError: () => {},
  transaction: (run) => inTransaction(pool, run),
  on: {
    'refund.failed': async ({ id }, { client }) => {
      await client.query('INSERT INTO effects (event) VALUES ($1)', [id]);
      if (stops && id === 'evt_stopped') process.kill(process.pid, 'SIGSTOP');
    },
  },
});

const server = createServer(receiver.node);
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
