/** A process of a merchant: it hands each delivery to a queue. A message makes it a worker too, until the queue is empty. */

import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { openQueue } from '../../support/queues.ts';
import type { Drained, EndpointTask } from './task.ts';

const { engine, place, name, secret }: EndpointTask = JSON.parse(process.argv[2] ?? '');
const queue = await openQueue(engine, place, name);
const handled = new Set<string>();
let calls = 0;

const receiver = new Webhooks({ secret }).receiver({
  store: memoryStore({ maxEntries: 1_000_000 }),
  enqueue: queue.add,
  onEvent: ({ id }) => {
    handled.add(id);
    calls += 1;
  },
});

const server = createServer(receiver.node);
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.once('message', async () => {
  await queue.work((job) => receiver.dispatch(job));
  while ((await queue.unended()) > 0) await wait(100);
  const drained: Drained = { events: handled.size, calls };
  process.send?.(drained);
});
process.once('disconnect', () => process.exit());
