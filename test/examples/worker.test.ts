/** The example of a Worker, in workerd with a database: one shipment for a payment, though an isolate remembers nothing. */

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';
import { hasWorkerd } from '../support/workerd.ts';
import { type RunningWorker, startWorker } from '../webhooks/receiver/worker-server.ts';
import { secret } from './support.ts';

/** A machine that decides over a change must not skip; there the start of the runtime fails and says why. */
const isSkipped = !hasWorkerd() && (process.env['CI'] ?? '') === '';
const reason = 'skipped: workerd does not run here; set CI to make this fail';
if (isSkipped) process.stderr.write(`test/examples/worker.test.ts: ${reason}\n`);

const entry = fileURLToPath(new URL('../../examples/webhooks/worker.ts', import.meta.url));

describe.skipIf(isSkipped)(`webhooks/worker${isSkipped ? ` (${reason})` : ''}`, () => {
  let running: RunningWorker | undefined;
  beforeAll(async () => {
    running = await startWorker({ entry, bindings: { WEBHOOK_SECRET: secret } });
    await running.query('CREATE TABLE shipments (session TEXT PRIMARY KEY)');
  }, 60_000);
  afterAll(() => running?.stop());

  async function startShop() {
    if (running === undefined) throw new Error('The Worker did not start.');
    const worker = running;
    await worker.query('DELETE FROM shipments');
    const sandbox = await startSandbox({ startsAt: undefined });
    sandbox.webhooks.deliverTo(worker.url, { secret });
    return { sandbox, shipments: () => worker.query('SELECT session FROM shipments') };
  }

  it('ships what is paid, once, though the event comes twice', async () => {
    const { sandbox, shipments } = await startShop();
    sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'] });
    const { data } = sandbox.trigger('checkout.session.completed');
    await sandbox.settled();
    expect(await shipments()).toEqual([{ session: data.object.id }]);
    expect(sandbox.webhooks.deliveries().every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('ships once, though another isolate shipped before: this one knows nothing of the event', async () => {
    const { sandbox, shipments } = await startShop();
    const { data } = sandbox.trigger('checkout.session.completed');
    await sandbox.settled();
    // A second event about the same session stands in for the first, which this isolate would remember.
    sandbox.update('checkout_session', data.object.id, { status: 'open' });
    sandbox.trigger('checkout.session.completed', { id: data.object.id });
    await sandbox.settled();
    expect(await shipments()).toEqual([{ session: data.object.id }]);
    expect(sandbox.webhooks.deliveries().every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('ships nothing that is not signed by its secret', async () => {
    const { sandbox, shipments } = await startShop();
    sandbox.faults.inject({ kind: 'forge_delivery', types: ['checkout.session.completed'] });
    sandbox.trigger('checkout.session.completed');
    await sandbox.settled();
    expect(await shipments()).toEqual([]);
  });
});
