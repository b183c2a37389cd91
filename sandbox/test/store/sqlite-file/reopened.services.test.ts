import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { openSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inProcess, json, refusal } from '../../../../test/support/sandbox-requests.ts';
import { temporaryFile } from '../../../../test/support/temporary-file.ts';
import { kill, startServer } from './processes.ts';

const intent = { amount: 1200, currency: 'usd' };
const startsAt = Date.UTC(2026, 0, 1);

async function open(file: string, options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await openSandbox(file, { startsAt, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function create(sandbox: Sandbox, key: string): Promise<Response> {
  return inProcess(sandbox)('/v1/payment_intents', json(sandbox, { body: intent, key }));
}

test('a seed does not repeat the ids of the file', async () => {
  const file = await temporaryFile();
  const first = await open(file, { seed: 7, webhooks: [{ url: 'http://shop.example/hooks' }] });
  const { id } = first.add('customer');
  await first.close();
  expect((await open(file, { seed: 7 })).add('customer').id).not.toBe(id);
});

test('a partially written unit is dropped, and the next one replaces it', async () => {
  const file = await temporaryFile();
  const first = await open(file);
  const kept = first.add('customer');
  const whole = await readFile(`${file}-wal`);
  const lost = first.add('customer');
  const full = await readFile(`${file}-wal`);
  expect(full.length).toBeGreaterThan(whole.length);
  for (const length of [whole.length + 1, Math.floor((whole.length + full.length) / 2), full.length - 1]) {
    // The file that a crash of the machine would leave.
    const copy = await temporaryFile();
    await copyFile(file, copy);
    await writeFile(`${copy}-wal`, full.subarray(0, length));
    const sandbox = await open(copy);
    expect(sandbox.get('customer', kept.id)).toEqual(kept);
    expect(sandbox.get('customer', lost.id)).toBeUndefined();
    expect(sandbox.events).toHaveLength(1);
    const next = sandbox.add('customer');
    await sandbox.close();
    const again = await open(copy);
    expect(again.get('customer', next.id)).toEqual(next);
    await again.close();
  }
});

test('a truncated file is rejected and not changed', async () => {
  const file = await temporaryFile();
  const first = await open(file);
  for (let count = 0; count < 100; count += 1) first.add('customer');
  await first.close();
  const whole = await readFile(file);
  const damaged = whole.subarray(0, whole.length - 4096);
  await writeFile(file, damaged);
  await expect(openSandbox(file)).rejects.toThrow(
    /^openSandbox: expected '.*' to be a data file of a sandbox/,
  );
  expect((await readFile(file)).equals(damaged)).toBe(true);
  // The rejection has released the file.
  await writeFile(file, whole);
  expect((await open(file)).events).toHaveLength(100);
});

test('a file is locked for this and other processes until it is closed', async () => {
  const file = await temporaryFile();
  const first = await open(file);
  await expect(openSandbox(file)).rejects.toThrow(`'${file}' is open already`);
  await first.close();
  const server = await startServer(file);
  onTestFinished(() => kill(server));
  await expect(openSandbox(file)).rejects.toThrow(`'${file}' is open already`);
  await kill(server);
  // A dead process holds no lock.
  await open(file);
});

test('the file does not grow with changes of the same objects', async () => {
  const file = await temporaryFile();
  const first = await open(file);
  const { id } = first.add('product');
  for (let count = 0; count < 45_000; count += 1) first.update('product', id, { count });
  await first.close();
  expect((await stat(file)).size).toBeLessThan(100_000);
  const second = await open(file);
  expect(second.get('product', id)).toMatchObject({ count: 44_999 });
});

test('obsolete schedule entries leave the file', async () => {
  const file = await temporaryFile();
  const first = await open(file);
  const { id } = first.add('refund');
  await first.clock.advance('1 min');
  expect(first.get('refund', id)?.status).toBe('succeeded');
  await first.close();
  const database = new DatabaseSync(file);
  expect(database.prepare('SELECT count(*) AS count FROM due').get()).toEqual({ count: 0 });
  database.close();
});

test('a closed sandbox can be read, but not changed', async () => {
  const file = await temporaryFile();
  const sandbox = await open(file);
  const customer = sandbox.add('customer');
  await sandbox.close();
  expect(() => sandbox.update('customer', customer.id, { email: 'ada@example.com' })).toThrow(/are closed/);
  expect(sandbox.get('customer', customer.id)).toEqual(customer);
});

test('a closed sandbox responds with a failure to every kind of request', async () => {
  const file = await temporaryFile();
  const sandbox = await open(file);
  await sandbox.close();
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    inProcess(sandbox)(path, { method: 'POST', body: new URLSearchParams(fields) });
  const sale = { type: 'sale', amount: '12.00', payment_token: 'tok_1' };
  for (const response of [
    await create(sandbox, 'order-1'),
    await post('/api/transact.php', { security_key: sandbox.securityKey, ...sale }),
    await post('/browser/device-sessions', { apiKey: sandbox.publicKey }),
  ]) {
    expect(await refusal(response)).toEqual([500, 'SANDBOX_FAILURE']);
  }
  expect(sandbox.transactions).toEqual([]);
});

test('an endpoint of the options is registered once for all openings of the file', async () => {
  const file = await temporaryFile();
  const webhooks = [{ url: 'http://shop.example/hooks' }];
  const first = await open(file, { webhooks });
  const endpoints = first.webhooks.endpoints();
  await first.close();
  expect((await open(file, { webhooks })).webhooks.endpoints()).toEqual(endpoints);
});

test('reopening forgets the functions of the earlier process, and registers those of the options', async () => {
  const file = await temporaryFile();
  const received: string[] = [];
  const receiver = (name: string) => () => {
    received.push(name);
    return new Response();
  };
  const first = await open(file, { webhooks: [{ url: receiver('option of the first') }] });
  first.webhooks.deliverTo(receiver('first'));
  const { id } = first.webhooks.deliverTo('http://127.0.0.1:1/', { events: ['refund.created'] });
  await first.close();

  const second = await open(file, { webhooks: [{ url: receiver('option of the second') }] });
  second.webhooks.deliverTo(receiver('second'));
  const endpoints = second.webhooks.endpoints();
  expect(endpoints).toHaveLength(3);
  expect(endpoints[0]?.id).toBe(id);
  second.restore(second.snapshot());
  second.add('customer');
  await second.settled();
  expect(received).toEqual(['option of the second', 'second']);
  expect(second.webhooks.deliveries().map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  await second.close();
  // Forgotten in the file too.
  expect((await open(file)).webhooks.endpoints().map((endpoint) => endpoint.id)).toEqual([id]);
});

test('the time of a running clock is saved every ten seconds, not at each tick', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = await temporaryFile();
  const sandbox = await open(file, { clock: 'running' });
  const { size } = await stat(`${file}-wal`);
  await sandbox.clock.advance(9_999);
  expect((await stat(`${file}-wal`)).size).toBe(size);
  await sandbox.clock.advance(1);
  expect((await stat(`${file}-wal`)).size).toBeGreaterThan(size);
  await sandbox.close();
  expect((await open(file)).clock.now()).toBe(startsAt + 10_000);
});

test('the secret key is not in the file', async () => {
  const file = await temporaryFile();
  const sandbox = await open(file, { secretKey: 'sk_v1_test_mine' });
  await create(sandbox, 'order-1');
  expect(await readFile(`${file}-wal`, 'latin1')).not.toContain('sk_v1_test_mine');
  await sandbox.close();
  expect(await readFile(file, 'latin1')).not.toContain('sk_v1_test_mine');
});

test('pending deliveries are attempted when the file is reopened', async () => {
  const file = await temporaryFile();
  const url = 'http://shop.example/hooks';
  const first = await open(file, { webhooks: [{ url: 'http://127.0.0.1:1/' }] });
  first.add('customer');
  await first.settled();
  const [failed] = first.webhooks.deliveries();
  expect(failed).toMatchObject({ status: 'pending', attempts: [{ status: null }] });
  await first.close();
  const second = await open(file, { webhooks: [{ url }] });
  expect(second.webhooks.deliveries()).toEqual([failed]);
  await second.clock.advance('1 day');
  expect(second.webhooks.deliveries()[0]?.attempts.length).toBeGreaterThan(1);
});
