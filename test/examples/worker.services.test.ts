/** The Worker example, in workerd with a database: one shipment for each payment, although isolates share no memory. */

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';
import { hasWorkerd } from '../support/workerd.ts';
import { type RunningWorker, startWorker } from '../webhooks/receiver/worker-server.ts';
import { secret } from './support.ts';

/** In CI this suite must not be skipped: there the start of workerd fails with the reason. */
const isSkipped = !hasWorkerd() && (process.env['CI'] ?? '') === '';
const reason = 'skipped: workerd does not run here; set CI to make this fail';
if (isSkipped) process.stderr.write(`test/examples/worker.services.test.ts: ${reason}\n`);

const entry = fileURLToPath(new URL('../../examples/webhooks/worker.ts', import.meta.url));

describe.skipIf(isSkipped)(`webhooks/worker${isSkipped ? ` (${reason})` : ''}`, () => {
  let running: RunningWorker | undefined;
  beforeAll(async () => {
    running = await startWorker({ entry, bindings: { PAYMENTS_WEBHOOK_SECRET: secret } });
    await running.query('CREATE TABLE shipments (session TEXT PRIMARY KEY)');
  });
  afterAll(() => running?.stop());

  async function startShop() {
    if (running === undefined) throw new Error('The Worker did not start.');
    const worker = running;
    await worker.query('DELETE FROM shipments');
    const sandbox = await startSandbox({ startsAt: undefined });
    sandbox.webhooks.deliverTo(worker.url, { secret });
    return { sandbox, shipments: () => worker.query('SELECT session FROM shipments') };
  }

  it('ships a paid session once if the event is delivered twice', async () => {
    const { sandbox, shipments } = await startShop();
    sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'] });
    const { data } = sandbox.trigger('checkout.session.completed');
    await sandbox.settled();
    expect(await shipments()).toEqual([{ session: data.object.id }]);
    expect(sandbox.webhooks.deliveries().every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('ships once if another isolate has already shipped', async () => {
    const { sandbox, shipments } = await startShop();
    const { data } = sandbox.trigger('checkout.session.completed');
    await sandbox.settled();
    // A second event of the same session replaces the first one, which this isolate would remember.
    sandbox.update('checkout_session', data.object.id, { status: 'open' });
    sandbox.trigger('checkout.session.completed', { id: data.object.id });
    await sandbox.settled();
    expect(await shipments()).toEqual([{ session: data.object.id }]);
    expect(sandbox.webhooks.deliveries().every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('does not ship after a delivery with another secret', async () => {
    const { sandbox, shipments } = await startShop();
    sandbox.faults.inject({ kind: 'forge_delivery', types: ['checkout.session.completed'] });
    sandbox.trigger('checkout.session.completed');
    await sandbox.settled();
    expect(await shipments()).toEqual([]);
  });
});
