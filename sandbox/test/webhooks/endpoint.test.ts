/**
 * Where deliveries may go: an endpoint that is registered over HTTP must be on this machine, unless an option allows
 * others.
 */

import { ApiError, PaymentsClient } from 'payments-client';
import { createSandbox, type SandboxOptions } from 'payments-client-sandbox';
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
  test.each(local)('may be at %s', async (url) => {
    const { sandbox, post } = start();
    expect(await post(endpoints, { url })).toMatchObject({ url });
    expect(sandbox.webhooks.endpoints()).toHaveLength(1);
  });

  test.each(remote)('may not be at %s', async (url) => {
    const { sandbox, request, post } = start();
    expect(await refusal(await request(endpoints, { body: { url } }))).toEqual([400, 'INVALID_PARAMETER']);
    const own = await post(endpoints, { url: 'http://localhost:3000/hook' });
    const change = await request(`${endpoints}/${idOf(own)}`, { body: { url } });
    expect(await refusal(change)).toEqual([400, 'INVALID_PARAMETER']);
    expect(sandbox.webhooks.endpoints()).toMatchObject([{ url: 'http://localhost:3000/hook' }]);
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

  test.each(remote.filter((url) => !url.includes('@evil')))(
    'may be at %s if that is allowed',
    async (url) => {
      const { post } = start({ allowRemoteWebhooks: true });
      expect(await post(endpoints, { url })).toMatchObject({ url });
    },
  );

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

test('an allowRemoteWebhooks that is not a boolean is rejected', () => {
  const options: object = { allowRemoteWebhooks: 'yes' };
  expect(() => createSandbox(options)).toThrow(
    /^createSandbox\.allowRemoteWebhooks: expected true or false, got 'yes'\. /,
  );
});
