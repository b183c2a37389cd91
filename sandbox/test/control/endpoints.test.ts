import { expect, test } from 'vitest';
import { start } from './support.ts';

const url = 'http://localhost:3000/webhooks';

test('creates an endpoint whose secret is shown once', async () => {
  const { call, command, sandbox } = start();
  const made = (await command('webhooks.add', { url, events: ['refund.failed'] })).body;
  const [known] = sandbox.webhooks.endpoints();
  expect(made).toMatchObject({ id: known?.id, url, events: ['refund.failed'], enabled: true });
  expect(made.secret).toBe(known?.secret);
  const { data } = (await call('endpoints')).body;
  expect(data).toEqual([
    {
      id: made.id,
      url,
      events: ['refund.failed'],
      enabled: true,
      secret_hint: made.secret.slice(-4),
      delivered: 0,
      failed: 0,
      pending: 0,
      missed: 0,
      success_rate: null,
      last_at: null,
    },
  ]);
  expect((await command('webhooks.add', { url })).body.events).toEqual(['*']);
});

test.each([
  [{ url: 'localhost' }, 'url'],
  [{ url: 'https://shop.example/webhooks' }, 'url'],
  [{ url, events: [] }, 'events'],
  [{ url, events: ['refund.failed', 'refund.exploded'] }, 'events[1]'],
  [{ url, event: 'refund.failed' }, 'event'],
  [{}, 'url'],
])('rejects %j', async (body, param) => {
  const { command, sandbox } = start();
  const answer = await command('webhooks.add', body);
  expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  expect(sandbox.webhooks.endpoints()).toEqual([]);
});

test('allows an endpoint on another machine with allowRemoteWebhooks', async () => {
  const { command } = start({ allowRemoteWebhooks: true });
  expect((await command('webhooks.add', { url: 'https://shop.example/webhooks' })).status).toBe(200);
});

test('redelivers each event that is not taken, once and in order: given up, dropped, waiting for a retry', async () => {
  const { command, sandbox } = start();
  let status = 500;
  const bodies: string[] = [];
  sandbox.webhooks.deliverTo(async (request) => {
    if (status === 200) bodies.push(JSON.parse(await request.text()).data.object.id);
    return new Response(null, { status });
  });
  const givenUp = sandbox.add('customer');
  await sandbox.clock.advance('3 days');
  sandbox.faults.inject({ kind: 'drop_delivery' });
  const dropped = sandbox.add('customer');
  const retried = sandbox.add('customer');
  await sandbox.clock.advance('10 minutes');
  status = 200;
  const listed = async () => (await command('webhooks.list')).body;
  expect(await listed()).toMatchObject([{ status: 'enabled', missed: 3 }]);
  expect((await command('webhooks.redeliver')).body).toEqual({ count: 3 });
  await sandbox.settled();
  expect(bodies).toEqual([givenUp.id, dropped.id, retried.id]);
  expect(await listed()).toMatchObject([{ missed: 0 }]);
  expect((await command('webhooks.redeliver')).body).toEqual({ count: 0 });
  await sandbox.clock.advance('3 days');
  expect(bodies).toHaveLength(3);
  // An event that was taken once is not missed because a replay fails.
  status = 500;
  sandbox.webhooks.replay(sandbox.events[0]?.id ?? '');
  await sandbox.settled();
  expect(await listed()).toMatchObject([{ missed: 0 }]);
});

test('acts on the only endpoint, and asks for an id if there are several or none', async () => {
  const { command, sandbox } = start();
  const acting = ['rotate', 'drop', 'redeliver', 'enable', 'disable', 'delete'].map(
    (verb) => `webhooks.${verb}`,
  );
  for (const name of acting) {
    const { status, body } = await command(name);
    expect([name, status, body.error.message]).toEqual([
      name,
      404,
      "There is no webhook endpoint. Add one with 'webhooks add'.",
    ]);
  }
  const { id } = sandbox.webhooks.deliverTo(url);
  for (const name of acting) expect([name, (await command(name)).status]).toEqual([name, 200]);
  expect(sandbox.webhooks.endpoints()).toEqual([]);
  const several = [sandbox.webhooks.deliverTo(url), sandbox.webhooks.deliverTo(url)];
  for (const name of acting) {
    const { status, body } = await command(name);
    const message = `id: expected one of ${several.map((one) => one.id).join(', ')}, got nothing.`;
    expect([name, status, body.error.message]).toEqual([name, 400, message]);
  }
  expect(several.map((one) => one.id)).not.toContain(id);
});

test('disables and enables an endpoint, also one with an `enabled` field', async () => {
  const { call, command, sandbox } = start();
  const one = (await command('webhooks.add', { url })).body.id;
  const other = sandbox.add('webhook_endpoint', {
    url,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    enabled: false,
  }).id;
  await command('webhooks.disable', { id: one });
  await command('webhooks.enable', { id: other });
  expect((await call('endpoints')).body.data).toMatchObject([
    { id: one, enabled: false },
    { id: other, enabled: true },
  ]);
  sandbox.add('customer');
  expect(sandbox.webhooks.deliveries().map(({ endpointId }) => endpointId)).toEqual([other]);
  const refused = await command('webhooks.redeliver', { id: one });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'ENDPOINT_DISABLED']);
});

test('deletes an endpoint, and refuses an unknown one', async () => {
  const { command, sandbox } = start();
  const { id } = sandbox.webhooks.deliverTo(url);
  expect((await command('webhooks.delete', { id })).status).toBe(200);
  expect(sandbox.webhooks.endpoints()).toEqual([]);
  for (const [name, status] of [
    ['webhooks.delete', 404],
    ['webhooks.enable', 404],
    ['webhooks.disable', 404],
    ['webhooks.redeliver', 404],
    // As an argument of code is refused.
    ['webhooks.rotate', 400],
    ['webhooks.drop', 400],
  ] as const) {
    const answer = await command(name, { id });
    expect([name, answer.status, answer.body.error.message]).toEqual([
      name,
      status,
      expect.stringContaining(id),
    ]);
  }
});
