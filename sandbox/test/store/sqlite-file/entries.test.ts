/**
 * A data file keeps the stories of its sandbox. Reaches inside: the entries of the control API have no public type.
 */

import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { openSandbox, type Sandbox, type SandboxOptions, testCards } from 'payments-client-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../../../../test/support/sandbox.ts';
import { temporaryFile } from '../../../../test/support/temporary-file.ts';
import { dashboardOf } from '../../stories/support.ts';

const startsAt = Date.UTC(2026, 0, 1);
const tea = { amount: 5500, currency: 'USD' };
const visa = { payment_method: 'pm_card_visa' } as const;
const order = { operationId: 'order-100' };

async function open(file: string, options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await openSandbox(file, { startsAt, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Opens a file in a sandbox that listens, with a client that never retries. */
async function listen(file: string, options: SandboxOptions = {}) {
  const sandbox = await (await open(file, options)).listen();
  return { sandbox, payments: clientOf(sandbox, { maxRetries: 0 }), ...dashboardOf(sandbox) };
}

type Shop = Awaited<ReturnType<typeof listen>>;

/** Makes the first story: its reply is lost, and the app repeats the request. */
async function payTwice({ sandbox, payments }: Shop): Promise<string> {
  const { id } = await payments.paymentIntents.create(tea, order);
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
  await payments.paymentIntents.confirm(id, visa, order).catch(() => undefined);
  await payments.paymentIntents.confirm(id, visa, order);
  return id;
}

async function told({ stories, story, entries }: Shop) {
  return { stories: await stories(), story: await story('order-100'), entries: await entries() };
}

test('stories and entries are the same after a restart', async () => {
  const file = await temporaryFile();
  const first = await listen(file);
  first.sandbox.webhooks.deliverTo('http://127.0.0.1:1/hooks', { events: ['payment_intent.succeeded'] });
  await payTwice(first);
  await first.sandbox.settled();
  await first.sandbox.clock.advance('10 min');
  const before = await told(first);
  expect(before.story).toMatchObject({ verdict: 'charged_once', webhooks: { failing: 1 } });
  await first.sandbox.close();
  expect(await told(await listen(file))).toEqual(before);
});

test('a story goes on after a restart: numbers and ids of requests continue', async () => {
  const file = await temporaryFile();
  const first = await listen(file, { seed: 'any' });
  const { id } = await first.payments.paymentIntents.create(tea, order);
  await first.payments.paymentIntents.create(tea, { operationId: 'order-101' });
  await first.sandbox.close();

  const second = await listen(file, { seed: 'any' });
  await second.payments.paymentIntents.confirm(id, visa, order);
  await second.payments.paymentIntents.create(tea, { operationId: 'order-102' });
  expect((await second.stories()).map((one) => [one.id, one.verdict])).toEqual([
    ['order-102', 'open'],
    ['order-101', 'open'],
    ['order-100', 'charged_once'],
  ]);
  const entries = await second.entries();
  const requests = entries.flatMap((entry) => (entry.kind === 'request' ? [entry.requestId] : []));
  expect(new Set(requests).size).toBe(4);
  expect(new Set(entries.map(({ number }) => number)).size).toBe(entries.length);
});

test('a sandbox that does not listen goes on with the stories of its file', async () => {
  const file = await temporaryFile();
  const first = await listen(file);
  const { id } = await first.payments.paymentIntents.create(tea, order);
  await first.sandbox.close();
  const second = await open(file);
  second.pay(id);
  await second.close();
  expect((await open(file)).story('order-100')).toMatchObject({ verdict: 'charged_once', charges: 1 });
});

test('a crash loses at most the last step, and no story disagrees with its objects', async () => {
  const file = await temporaryFile();
  const first = await listen(file);
  await payTwice(first);
  const before = await told(first);
  const log = await readFile(`${file}-wal`);
  const lost: number[] = [];
  // The file of a killed process, and those that a stopped machine could leave.
  for (const missing of [0, 1, 10_000, 40_000]) {
    const copy = await temporaryFile();
    await copyFile(file, copy);
    await copyFile(`${file}.keys`, `${copy}.keys`);
    await writeFile(`${copy}-wal`, log.subarray(0, log.length - missing));
    const second = await listen(copy);
    const entries = await second.entries();
    lost.push(before.entries.length - entries.length);
    expect(before.entries).toEqual(expect.arrayContaining([...entries]));
    const [intent] = (await second.payments.paymentIntents.list()).items;
    expect(second.sandbox.story('order-100')?.charges ?? 0).toBe(intent?.status === 'succeeded' ? 1 : 0);
    await second.sandbox.close();
  }
  expect(lost.slice(0, 2)).toEqual([0, 1]);
  expect(lost[3]).toBeGreaterThan(1);
});

test('the latest 4,000 entries are left, and the file does not grow', async () => {
  const file = await temporaryFile();
  const first = await listen(file);
  await payTwice(first);
  for (let count = 0; count < 4_600; count += 1) first.sandbox.faults.clear();
  const [newest] = await first.entries('limit=1');
  await first.sandbox.close();
  const database = new DatabaseSync(file);
  const kept = database.prepare('SELECT count(*) AS count FROM entry').get()?.['count'];
  database.close();
  expect(kept).toBeLessThan(4_500);
  const second = await listen(file);
  expect(await second.entries('limit=1')).toEqual([newest]);
  const oldest = (newest?.number ?? 0) - 3_999;
  const statuses = [oldest, oldest - 1].map(
    async (number) => (await second.call(`entries/${number}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404]);
  expect(second.sandbox.story('order-100')).toBeUndefined();
});

test('a reset clears the entries of the file, and a restore replaces them', async () => {
  const file = await temporaryFile();
  const first = await listen(file);
  await first.payments.paymentIntents.create(tea, order);
  const snapshot = first.sandbox.snapshot();
  await first.payments.paymentIntents.create(tea, { operationId: 'order-101' });
  first.sandbox.restore(snapshot);
  await first.sandbox.close();
  const second = await listen(file);
  expect((await second.stories()).map(({ id }) => id)).toEqual(['order-100']);
  second.sandbox.reset();
  await second.sandbox.close();
  const third = await listen(file);
  expect(await third.entries()).toMatchObject([{ kind: 'action', name: 'reset' }]);
});

test('a file without a table of entries has no stories, and gets them from then on', async () => {
  const file = await temporaryFile();
  const first = await listen(file);
  const { id } = await first.payments.paymentIntents.create(tea, order);
  await first.sandbox.close();
  const database = new DatabaseSync(file);
  database.exec('DROP TABLE entry');
  database.close();
  const second = await listen(file);
  expect([await second.stories(), second.sandbox.get('payment_intent', id)?.amount]).toEqual([[], 5500]);
  await second.payments.paymentIntents.confirm(id, visa, order);
  await second.sandbox.close();
  expect((await open(file)).story('order-100')?.verdict).toBe('charged_once');
});

test('a damaged entry is rejected', async () => {
  const file = await temporaryFile();
  const first = await listen(file);
  await first.payments.paymentIntents.create(tea, order);
  await first.sandbox.close();
  const database = new DatabaseSync(file);
  database.exec("UPDATE entry SET json = '{'");
  database.close();
  await expect(open(file)).rejects.toThrow(/expected '.*' to be a data file of a sandbox, but it is damaged/);
});

test('a closed sandbox still answers what reads', async () => {
  const { sandbox, payments } = await listen(await temporaryFile());
  await payments.paymentIntents.create(tea, order);
  await sandbox.close();
  const headers = { authorization: `Bearer ${sandbox.secretKey}` };
  const response = await sandbox.fetch(new Request(`${sandbox.url}/v1/payment_intents`, { headers }));
  expect(response.status).toBe(200);
  expect(sandbox.story('order-100')?.verdict).toBe('open');
});

test('no key and no card is in the file', async () => {
  const file = await temporaryFile();
  const { sandbox, payments } = await listen(file);
  const { number } = testCards.fullMatch;
  await payments.transact.sale({
    amount: '55.00',
    ccnumber: number,
    ccexp: '1230',
    cvv: '987',
    orderid: '1',
  });
  expect(sandbox.story('1')?.verdict).toBe('charged_once');
  const text = await readFile(`${file}-wal`, 'latin1');
  const found = ['%5Bcard%3AfullMatch%5D', number, sandbox.secretKey, sandbox.securityKey];
  expect(found.map((one) => text.includes(one))).toEqual([true, false, false, false]);
});
