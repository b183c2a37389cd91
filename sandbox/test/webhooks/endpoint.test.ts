/**
 * Where deliveries may go: an endpoint that is registered over HTTP must be on this machine, unless an option allows
 * others.
 */

import { ApiError, PaymentsClient } from 'payments-client';
import { type SandboxOptions } from 'payments-client-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../../../test/support/failure.ts';
import { idOf, read, refusal, start } from '../../../test/support/sandbox-requests.ts';
import { serve } from '../../../test/support/serve.ts';

const endpoints = '/v1/webhook_endpoints';

const local = [
  'http://localhost:3000/hook',
  'https://localhost/hook',
  'http://LOCALHOST/hook',
  'http://shop.localhost:3000/hook',
  'http://127.0.0.1:3000/hook',
  'http://127.8.9.1/hook',
  'http://127.0.0.1./hook',
  'http://0x7f.1/hook',
  'http://2130706433/hook',
  'http://[::1]:3000/hook',
  'http://[0:0:0:0:0:0:0:1]/hook',
];

const remote = [
  'https://shop.example/hook',
  'http://localhost.evil.example/hook',
  'http://localhost./hook',
  'http://evillocalhost/hook',
  'http://.localhost/hook',
  'http://127.0.0.1.nip.io/hook',
  'http://127.0.0.1.evil.example/hook',
  'http://[::ffff:127.0.0.1]/hook',
  'http://[::ffff:7f00:1]/hook',
  'http://[::]/hook',
  'http://0.0.0.0/hook',
  'http://0/hook',
  'http://10.0.0.1/hook',
  'http://192.168.1.1/hook',
  'http://169.254.169.254/latest/meta-data',
  'http://[fe80::1]/hook',
  'http://metadata.google.internal/hook',
  'http://localhost@evil.example/hook',
  'http://127.0.0.1:80@evil.example/hook',
  'http://evil.example#@localhost/hook',
  'http://evil.example\\@localhost/hook',
  'http://abc.handler.invalid/',
];

const withUser = ['http://user@localhost/hook', 'http://user:pass@127.0.0.1/hook', 'http://:pass@localhost/'];

describe('an endpoint that is registered over HTTP', () => {
  test('may be on this machine alone', async () => {
    const { sandbox, request, post } = start();
    const own = await post(endpoints, { url: local[0] });
    for (const url of local) {
      expect(await post(endpoints, { url }), url).toMatchObject({ url });
      expect(await post(`${endpoints}/${idOf(own)}`, { url }), url).toMatchObject({ url });
    }
    const before = sandbox.webhooks.endpoints();
    for (const url of remote) {
      for (const path of [endpoints, `${endpoints}/${idOf(own)}`]) {
        const refused = await request(path, { body: { url } });
        expect([url, ...(await refusal(refused))]).toEqual([url, 400, 'INVALID_PARAMETER']);
      }
    }
    expect(sandbox.webhooks.endpoints()).toEqual(before);
  });

  test.each(withUser)('may not be at %s, which is not a valid target', async (url) => {
    for (const options of [{}, { allowRemoteWebhooks: true }]) {
      const { request } = start(options);
      const response = await request(endpoints, { body: { url } });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('user name');
    }
  });

  test('is rejected with the option that allows it', async () => {
    const { sandbox } = start();
    const { url: baseUrl, secretKey, fetch } = sandbox;
    const payments = new PaymentsClient({ baseUrl, secretKey, fetch });
    const call = payments.webhookEndpoints.create({ url: 'https://shop.example/hook' }, { operationId: 'a' });
    const { body } = await failureOf(call, ApiError);
    expect(JSON.stringify(body)).toMatch(/url: expected a loopback address.*allowRemoteWebhooks/);
  });

  test('may be anywhere if that is allowed', async () => {
    const { post } = start({ allowRemoteWebhooks: true });
    for (const url of remote.filter((one) => !one.includes('@evil')))
      expect(await post(endpoints, { url }), url).toMatchObject({ url });
  });

  test('does not follow a redirect', async () => {
    const reached: string[] = [];
    const elsewhere = await serve((request, response) => {
      reached.push(request.url ?? '');
      response.end();
    });
    const shop = await serve((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
    onTestFinished(() => {
      shop.close();
      elsewhere.close();
    });
    const { sandbox, post } = start();
    await post(endpoints, { url: shop.url });
    sandbox.add('customer');
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries()).toMatchObject([{ status: 'pending', attempts: [{ status: 307 }] }]);
    expect(reached).toEqual([]);
  });
});

test('an endpoint registered in code may be anywhere, and everything but its URL can be changed over HTTP', async () => {
  const url = 'https://shop.example/hook';
  const options: SandboxOptions = { webhooks: [{ url }] };
  const { sandbox, post, request } = start(options);
  sandbox.webhooks.deliverTo('https://other.example/hook');
  expect(sandbox.webhooks.endpoints()).toHaveLength(2);
  const [{ id } = { id: '' }] = sandbox.webhooks.endpoints();
  expect(await post(`${endpoints}/${id}`, { url, status: 'disabled' })).toMatchObject({
    url,
    status: 'disabled',
  });
  const moved = await request(`${endpoints}/${id}`, { body: { url: 'https://third.example/hook' } });
  expect(await read(moved)).toMatchObject({ error: { param: 'url' } });
  for (const address of withUser) {
    expect(() => sandbox.webhooks.deliverTo(address)).toThrow(/user name/);
  }
});

test('the API registers an endpoint, shows its secret, and rejects an invalid one', async () => {
  const { sandbox, post, request } = start();
  const made = await post('/v1/webhook_endpoints', { url: 'http://localhost:3000/hook' });
  expect(made).toMatchObject({
    enabled_events: ['*'],
    secret: expect.stringMatching(/^whsec_/),
    status: 'enabled',
  });
  expect(sandbox.webhooks.endpoints()).toMatchObject([{ id: made['id'], secret: made['secret'] }]);
  const refused = {
    url: 'ftp://shop.example',
    enabled_events: 'all',
    status: 'open',
    secret: 'sk_v1_test_x',
  };
  for (const [field, value] of Object.entries(refused)) {
    const body = { url: 'http://localhost:3000/hook', [field]: value };
    expect(await refusal(await request('/v1/webhook_endpoints', { body }))).toEqual([
      400,
      'INVALID_PARAMETER',
    ]);
    const change = { body: { [field]: value } };
    expect((await request(`/v1/webhook_endpoints/${idOf(made)}`, change)).status).toBe(400);
  }
  const changed = await post(`/v1/webhook_endpoints/${idOf(made)}`, { enabled_events: ['refund.failed'] });
  expect(changed).toEqual({ ...made, enabled_events: ['refund.failed'] });
  expect(await read(await request('/v1/webhook_endpoints'))).toEqual({ data: [changed], has_more: false });
});

test('an endpoint that code registers must have a valid URL, secret and event types', () => {
  const { webhooks } = start().sandbox;
  const url = 'http://localhost/';
  expect(() => webhooks.deliverTo('nowhere')).toThrow(/url: expected/);
  expect(() => webhooks.deliverTo(url, { secret: 'sk_v1_test_x' })).toThrow(/secret: expected/);
  expect(() => webhooks.deliverTo(url, { events: [] })).toThrow(/enabled_events: expected/);
  expect(webhooks.endpoints()).toEqual([]);
});
