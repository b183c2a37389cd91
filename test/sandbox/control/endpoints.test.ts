import { expect, test } from 'vitest';
import { start, startsAt } from './support.ts';

const url = 'http://localhost:3000/webhooks';

test('creates an endpoint whose secret is shown once', async () => {
  const { call, sandbox } = start();
  const made = (await call('endpoints', 'POST', { url, events: ['refund.failed'] })).body;
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
      success_rate: null,
      last_at: null,
    },
  ]);
  expect((await call('endpoints', 'POST', { url })).body.events).toEqual(['*']);
});

test.each([
  [{ url: 'localhost' }, 'url'],
  [{ url: 'https://shop.example/webhooks' }, 'url'],
  [{ url, events: [] }, 'events'],
  [{ url, events: ['refund.failed', 'refund.exploded'] }, 'events[1]'],
  [{ url, event: 'refund.failed' }, 'event'],
  [{}, 'url'],
])('rejects %j', async (body, param) => {
  const { call, sandbox } = start();
  const answer = await call('endpoints', 'POST', body);
  expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  expect(sandbox.webhooks.endpoints()).toEqual([]);
});

test('allows an endpoint on another machine with allowRemoteWebhooks', async () => {
  const { call } = start({ allowRemoteWebhooks: true });
  expect((await call('endpoints', 'POST', { url: 'https://shop.example/webhooks' })).status).toBe(200);
});

test('counts deliveries, and redelivers failed ones, oldest first', async () => {
  const { call, sandbox } = start();
  let status = 204;
  const bodies: string[] = [];
  const { id } = sandbox.webhooks.deliverTo(async (request) => {
    if (status === 204) bodies.push(JSON.parse(await request.text()).data.object.id);
    return new Response(null, { status });
  });
  const first = sandbox.add('customer');
  await sandbox.settled();
  status = 500;
  const [second, third] = [sandbox.add('customer'), sandbox.add('customer')];
  await sandbox.clock.advance('3 days');
  status = 204;
  sandbox.add('customer');
  const figures = async () => (await call('endpoints')).body.data[0];
  expect(await figures()).toMatchObject({ delivered: 1, failed: 2, pending: 1, success_rate: 1 / 3 });
  expect((await figures()).last_at).toBeGreaterThan(startsAt);
  expect((await call(`endpoints/${id}/redeliver-failed`, 'POST')).body).toEqual({ count: 2 });
  await sandbox.settled();
  expect(await figures()).toMatchObject({ delivered: 4, failed: 2, pending: 0 });
  expect([bodies[0], ...bodies.slice(-2)]).toEqual([first.id, second.id, third.id]);
});

test('disables and enables an endpoint, also one with an `enabled` field', async () => {
  const { call, sandbox } = start();
  const one = (await call('endpoints', 'POST', { url })).body.id;
  const other = sandbox.add('webhook_endpoint', {
    url,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    enabled: false,
  }).id;
  expect((await call(`endpoints/${one}`, 'POST', { enabled: false })).body.enabled).toBe(false);
  expect((await call(`endpoints/${other}`, 'POST', { enabled: true })).body.enabled).toBe(true);
  sandbox.add('customer');
  expect(sandbox.webhooks.deliveries().map(({ endpointId }) => endpointId)).toEqual([other]);
  const refused = await call(`endpoints/${one}/redeliver-failed`, 'POST');
  expect([refused.status, refused.body.error.code]).toEqual([409, 'ENDPOINT_DISABLED']);
  expect((await call(`endpoints/${one}`, 'POST', { enabled: 'no' })).body.error.param).toBe('enabled');
});

test('rotates a secret: both sign until the old one is dropped', async () => {
  const { call, sandbox } = start();
  const signatures: string[] = [];
  const { id } = sandbox.webhooks.deliverTo((request) => {
    signatures.push(request.headers.get('webhook-signature') ?? '');
    return new Response();
  });
  const { secret } = (await call(`endpoints/${id}/rotate`, 'POST')).body;
  expect(sandbox.webhooks.endpoints()[0]?.secret).toBe(secret);
  sandbox.add('customer');
  await sandbox.settled();
  expect((await call(`endpoints/${id}/drop-old-secrets`, 'POST')).body).toEqual({ dropped: true });
  sandbox.add('customer');
  await sandbox.settled();
  expect(signatures.map((one) => one.split(' ').length)).toEqual([2, 1]);
});

test('deletes an endpoint, and responds 404 for an unknown one', async () => {
  const { call, sandbox } = start();
  const { id } = sandbox.webhooks.deliverTo(url);
  expect((await call(`endpoints/${id}`, 'DELETE')).body).toEqual({ deleted: true });
  expect(sandbox.webhooks.endpoints()).toEqual([]);
  for (const [path, method, body] of [
    ['', 'DELETE', undefined],
    ['', 'POST', { enabled: true }],
    ['/rotate', 'POST', undefined],
    ['/drop-old-secrets', 'POST', undefined],
    ['/redeliver-failed', 'POST', undefined],
  ] as const) {
    const answer = await call(`endpoints/${id}${path}`, method, body);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'OBJECT_NOT_FOUND']);
  }
});
