import { ConfigurationError } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { afterEach, expect, test } from 'vitest';
import { json, overHttp, readPage } from '../../../../test/support/sandbox-requests.ts';

const open: Sandbox[] = [];
const intent = { amount: 1200, currency: 'usd' };
const path = '/v1/payment_intents';

async function listening() {
  const sandbox = createSandbox();
  open.push(sandbox);
  const same = await sandbox.listen();
  return { sandbox, same, send: overHttp(sandbox) };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

test('a sandbox listens on a loopback port, and reports its URL', async () => {
  const { sandbox, same, send } = await listening();
  expect(same).toBe(sandbox);
  expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const created = await send(path, json(sandbox, { body: intent, key: 'order-1' }));
  expect(created.status).toBe(200);
  const inProcess = await sandbox.fetch(new Request(`${sandbox.url}${path}`, json(sandbox)));
  expect(await inProcess.json()).toMatchObject({ data: [await created.json()] });
});

test("a caller's abort does not cancel the execution", async () => {
  const { sandbox, send } = await listening();
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.create' });
  const controller = new AbortController();
  const call = send(path, json(sandbox, { body: intent, key: 'order-1', signal: controller.signal }));
  await hold.reached;
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  hold.release();
  const retry = await send(path, json(sandbox, { body: intent, key: 'order-1' }));
  expect(retry.headers.get('idempotent-replayed')).toBe('true');
});

test('close stops the server, ends held requests, and can be repeated', async () => {
  const { sandbox, send } = await listening();
  const { url } = sandbox;
  const hold = sandbox.faults.inject({ kind: 'hold' });
  const held = send(path, json(sandbox, { body: intent })).then(
    () => 'ended',
    () => 'ended',
  );
  await hold.reached;
  await Promise.all([sandbox.close(), sandbox.close()]);
  expect(await held).toBe('ended');
  await sandbox.close();
  expect(sandbox.url).toBe('http://localhost');
  await expect(fetch(`${url}${path}`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('a sandbox can listen again after close, with its state', async () => {
  const { sandbox, send } = await listening();
  await send(path, json(sandbox, { body: intent }));
  await sandbox.close();
  await sandbox.listen();
  expect((await readPage(await send(path, json(sandbox)))).data).toHaveLength(1);
});

test('a sandbox that is closed while it starts does not listen', async () => {
  const sandbox = createSandbox();
  const starting = sandbox.listen();
  await sandbox.close();
  await starting;
  expect(sandbox.url).toBe('http://localhost');
});

test('listen rejects a second call, a taken port and a network address', async () => {
  const { sandbox } = await listening();
  await expect(sandbox.listen()).rejects.toThrow(/expected a sandbox that is not listening/);
  const other = createSandbox();
  await expect(other.listen({ port: Number(new URL(sandbox.url).port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  const everywhere: object = { host: '0.0.0.0' };
  await expect(other.listen(everywhere)).rejects.toThrow(ConfigurationError);
  await expect(other.listen({ host: '0.0.0.0', allowRemote: false })).rejects.toThrow(
    'sandbox.listen.host: expected one of 127.0.0.1, ::1, localhost, got a string of 7 characters. Pass allowRemote',
  );
  await other.close();
});

test('a sandbox with allowRemote listens at every address, and reports a loopback URL', async () => {
  const sandbox = await createSandbox().listen({ host: '0.0.0.0', allowRemote: true });
  open.push(sandbox);
  expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await overHttp(sandbox)(path, json(sandbox))).status).toBe(200);
});
