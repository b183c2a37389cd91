/** The serverless example: functions on Node and a Worker on the edge, which share PostgreSQL over an HTTP driver. */

import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { build } from 'esbuild';
import type { Sandbox } from 'payments-client-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { emptyPglite } from '../support/pglite.ts';
import { startSandbox } from '../support/sandbox.ts';
import { type RunningServer, serve } from '../support/serve.ts';
import { hasWorkerd } from '../support/workerd.ts';
import { startWorker } from '../webhooks/receiver/worker-server.ts';
import { secret } from './support.ts';

/** In CI the tests of the Worker must not be skipped: there the start of workerd fails with the reason. */
const isSkipped = !hasWorkerd() && (process.env['CI'] ?? '') === '';

const worker = fileURLToPath(new URL('../../examples/serverless/webhook-worker.ts', import.meta.url));

let database: PGlite;
let driver: RunningServer;
const guide = readFileSync(new URL('../../docs/serverless.md', import.meta.url), 'utf8');

/** How many statements the driver ran. */
let statements = 0;

/** Runs a statement of an HTTP driver. */
async function run(sent: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const { query, params } = JSON.parse(sent);
  statements += 1;
  try {
    return { status: 200, body: { rows: (await database.query(query, params)).rows } };
  } catch (error) {
    const { message, code } = Object(error);
    return { status: 400, body: { message, code } };
  }
}

beforeAll(async () => {
  database = await emptyPglite();
  driver = await serve(async (request, response) => {
    const { status, body } =
      request.headers.authorization === 'Bearer of the database'
        ? await run(await text(request))
        : { status: 401, body: { message: 'wrong key' } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
afterAll(() => driver?.close());

/** Loads a module of the example as a new process does. */
async function cold<Module>(load: () => Promise<Module>): Promise<Module> {
  vi.resetModules();
  return load();
}
const loadShop = () => cold(() => import('../../examples/serverless/shop.ts'));
const loadCheckout = () => cold(() => import('../../examples/serverless/checkout-route.ts'));
const loadCron = () => cold(() => import('../../examples/serverless/cron-route.ts'));

describe('serverless', () => {
  let sandbox: Sandbox;
  let settings: Record<string, string>;
  beforeEach(async () => {
    database = await emptyPglite();
    sandbox = await startSandbox({ startsAt: undefined, onlyShownFields: true });
    settings = {
      PAYMENTS_BASE_URL: sandbox.url,
      PAYMENTS_SECRET_KEY: sandbox.secretKey,
      PAYMENTS_CHECKOUT_PAGE: sandbox.checkoutPage,
      PAYMENTS_WEBHOOK_SECRET: secret,
      SHOP_URL: 'https://shop.example',
      DATABASE_URL: driver.url,
      DATABASE_KEY: 'of the database',
      CRON_SECRET: 'of the scheduler',
    };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const { store } = (await loadShop()).shopOf(settings);
    await store.migrate();
    await database.exec(
      `CREATE TABLE orders (id text PRIMARY KEY, created bigint NOT NULL, boxes int NOT NULL, shipped timestamptz);
      INSERT INTO orders VALUES ('order-1', 1, 2)`,
    );
  });

  const checkout = async () => {
    const { POST } = await loadCheckout();
    const params = Promise.resolve({ id: 'order-1' });
    const response = await POST(new Request('https://shop.example', { method: 'POST' }), { params });
    return { status: response.status, location: response.headers.get('location') ?? '' };
  };
  const pay = async () => {
    const { location } = await checkout();
    statements = 0;
    sandbox.pay(/cs_\w+/.exec(location)?.[0] ?? '');
    await sandbox.settled();
  };
  const isShipped = async () => {
    const { rows } = await database.query<{ shipped: unknown }>('SELECT shipped FROM orders');
    return rows.map(({ shipped }) => shipped !== null);
  };
  const cron = async (key = 'of the scheduler') => {
    const { GET } = await loadCron();
    return GET(new Request('https://shop.example/cron', { headers: { authorization: `Bearer ${key}` } }));
  };

  it.skipIf(isSkipped)('ships on the edge what was paid for a page of another process, once', async () => {
    const running = await startWorker({ entry: worker, bindings: settings });
    onTestFinished(() => running.stop());
    sandbox.webhooks.deliverTo(running.url, { secret, events: ['checkout.session.completed'] });
    sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'] });
    await pay();
    expect(await isShipped()).toEqual([true]);
    expect(sandbox.webhooks.deliveries().every(({ status }) => status === 'delivered')).toBe(true);
    expect(await checkout()).toEqual({ status: 303, location: 'https://shop.example/orders/order-1' });
  });

  it('opens one page for an order, whichever process is asked', async () => {
    const [one, other] = [await checkout(), await checkout()];
    expect(one.status).toBe(303);
    expect(one.location).toContain(sandbox.checkoutPage.split('{')[0]);
    expect(other).toEqual(one);
  });

  it('ships by the scheduler what no webhook told, and finishes what a killed function left', async () => {
    await pay();
    expect(await isShipped()).toEqual([false]);
    const { payments } = (await loadShop()).shopOf(settings);
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    const gift = { amount: 1200, currency: 'usd' };
    await payments.paymentIntents
      .create(gift, { operationId: 'gift-1', maxRetries: 0 })
      .catch((error) => expect(error.outcome).toBe('unknown'));
    await sandbox.clock.advance('20 minutes');
    vi.useFakeTimers({ toFake: ['Date'], now: sandbox.clock.now() });
    onTestFinished(() => void vi.useRealTimers());
    expect(await (await cron()).json()).toEqual({ failedOrders: 0, resumed: 1, failed: 0 });
    expect(await isShipped()).toEqual([true]);
    expect(await (await cron()).json()).toEqual({ failedOrders: 0, resumed: 0, failed: 0 });
    expect(await payments.paymentIntents.list().toArray({ max: 9 })).toHaveLength(1 + 1);
  });

  it('lets nobody but the scheduler call its route', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    expect((await cron('of somebody else')).status).toBe(401);
    vi.stubEnv('CRON_SECRET', undefined);
    expect((await cron('undefined')).status).toBe(401);
  });

  it('starts cold without a question to the database, and asks it as often as the guide says for a payment', async () => {
    const { receiver } = (await loadShop()).shopOf(settings);
    sandbox.webhooks.deliverTo(receiver.fetch, { secret, events: ['checkout.session.completed'] });
    statements = 0;
    (await loadShop()).shopOf(settings);
    expect(statements).toBe(0);
    await pay();
    expect(await isShipped()).toEqual([true]);
    const [, most] = /at most ([0-9]+) times/.exec(guide) ?? [];
    expect(statements).toBeLessThanOrEqual(Number(most));
  });
});

it('the Worker is one module without those of Node, as small as the guide says', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [worker],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    conditions: ['workerd'],
    target: 'es2022',
    metafile: true,
    outdir: 'out',
  });
  const outputs = Object.values(metafile.outputs);
  expect(outputs.flatMap(({ imports }) => imports)).toEqual([]);
  const [, kilobytes] = /([0-9]+) KB/.exec(guide) ?? [];
  const size = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  expect(size).toBeLessThanOrEqual(Number(kilobytes) * 1000);
});
