/** The webhook examples handle each signed event once, and nothing else. */

import type { Sandbox } from 'payments-client-sandbox';
import { describe, expect, it, vi } from 'vitest';
import { secret, startMerchant } from './support.ts';

/** Makes a payment whose event is delivered twice, and a refund that fails. Returns what an example prints. */
async function createEvents(sandbox: Sandbox): Promise<readonly string[]> {
  sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'] });
  const paid = sandbox.trigger('checkout.session.completed').data.object;
  const failed = sandbox.trigger('refund.failed').data.object;
  await sandbox.settled();
  return [`ship what ${paid.id} paid for`, `look into ${failed.id}: ${failed.failure_message}`];
}

/** Returns the response status of each delivery attempt of an event. */
function attemptsOf(sandbox: Sandbox, eventId: string): readonly (number | null)[] {
  const deliveries = sandbox.webhooks.deliveries().filter((delivery) => delivery.eventId === eventId);
  return deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status));
}

describe.each(['express', 'fastify', 'hono'])('%s', (framework) => {
  it('handles a duplicate event once, and responds to all with 2xx', async () => {
    const { sandbox, serve } = await startMerchant();
    const server = await serve(`webhooks/${framework}`);
    sandbox.webhooks.deliverTo(`${server.url}/webhooks`, { secret });
    const expected = await createEvents(sandbox);
    expect(sandbox.webhooks.deliveries().every(({ status }) => status === 'delivered')).toBe(true);
    const { stdout, stderr } = await server.stop();
    expect(stdout.trim().split('\n').slice(1).toSorted()).toEqual([...expected].toSorted());
    expect(stderr).toBe('');
  });

  it('refuses a delivery with another secret, and never prints its own', async () => {
    const { sandbox, serve } = await startMerchant();
    const server = await serve(`webhooks/${framework}`);
    sandbox.webhooks.deliverTo(`${server.url}/webhooks`, { secret, events: ['checkout.session.completed'] });
    sandbox.faults.inject({ kind: 'forge_delivery', types: ['checkout.session.completed'] });
    const { id, data } = sandbox.trigger('checkout.session.completed');
    await sandbox.settled();
    expect(attemptsOf(sandbox, id)).toEqual([400]);
    await sandbox.clock.advance('5 s');
    expect(attemptsOf(sandbox, id)).toEqual([400, 200]);
    const { stdout, stderr } = await server.stop();
    expect(stdout.trim().split('\n').slice(1)).toEqual([`ship what ${data.object.id} paid for`]);
    expect(stderr).toMatch(/^refused .*no_match/s);
    expect(stdout + stderr).not.toContain(secret);
  });
});

describe('nextjs-route', () => {
  it('handles a duplicate event once', async () => {
    vi.stubEnv('PAYMENTS_WEBHOOK_SECRET', secret);
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    const { POST } = await import('../../examples/webhooks/nextjs-route.ts');
    const { sandbox } = await startMerchant();
    sandbox.webhooks.deliverTo(POST, { secret });
    const expected = await createEvents(sandbox);
    expect(printed.mock.calls.flat().toSorted()).toEqual([...expected].toSorted());
  });

  it('refuses an unsigned delivery', async () => {
    vi.stubEnv('PAYMENTS_WEBHOOK_SECRET', secret);
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { POST } = await import('../../examples/webhooks/nextjs-route.ts');
    const response = await POST(new Request('https://shop.example/webhooks', { method: 'POST', body: '{}' }));
    expect(response.status).toBe(400);
    expect(printed).toHaveBeenCalledWith('refused', expect.objectContaining({ reason: 'missing_header' }));
  });
});
