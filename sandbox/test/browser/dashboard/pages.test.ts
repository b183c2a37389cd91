/** Reaches inside: what the dashboard shows of orders, requests, deliveries and objects, rendered without a browser. */

import type { Sandbox } from 'payments-client-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { clientOf, pageOf, startSandbox } from '../../../../test/support/sandbox.ts';
import { moreOrders, startShop, troubledOrders } from '../../../../test/support/troubled-orders.ts';
import type { SandboxStatus } from '../../../src/control/state-routes.ts';
import type { Entry } from '../../../src/stories/entry.ts';
import type { StorySummary } from '../../../src/stories/story.ts';
import type { Story } from '../../../src/stories/whole-story.ts';
import { control, htmlOf, stubPage, textOf, withPage } from './in-node.ts';

const [{ Operations }, { storyRows }, { Steps }, { Strip }, columns, rows, { EntryDetail }] = await withPage(
  () =>
    Promise.all([
      import('../../../src/dashboard/operation.tsx'),
      import('../../../src/dashboard/story-rows.ts'),
      import('../../../src/dashboard/steps.tsx'),
      import('../../../src/dashboard/strip.tsx'),
      import('../../../src/dashboard/columns.tsx'),
      import('../../../src/dashboard/entry-columns.tsx'),
      import('../../../src/dashboard/entry-detail.tsx'),
    ]),
);

beforeEach(stubPage);

const storyOf = (sandbox: Sandbox, id: string) => control<Story>(sandbox, `stories/${id}`);

describe('an order', () => {
  let shop: Sandbox;
  beforeAll(async () => {
    const ids = [
      'order-100',
      'order-102',
      'order-105-first-click',
      'order-107',
      'order-108',
      'order-202',
      'order-224',
    ];
    shop = await startShop([...troubledOrders, ...moreOrders].filter(({ id }) => ids.includes(id)));
  });
  afterAll(() => shop.close());

  it('has its verdict, its amount, why, and what to do', async () => {
    const { data } = await control<{ data: readonly StorySummary[] }>(shop, 'stories');
    const html = htmlOf(Operations, { name: 'Operations', stories: data });
    const lines = html.split('<li class="operation">').slice(1).map(textOf);
    const of = (id: string) => lines.find((line) => line.includes(` ${id} `)) ?? '';
    expect(lines).toHaveLength(8);
    expect(of('order-105-first-click')).toMatch(
      /^Charged twice\? order-105-first-click \$31\.00 grace@example\.com \$31\.00 was charged\. .* Refund 'order-105-second-click', if both are one purchase\.$/,
    );
    expect(of('order-107')).toMatch(
      /^Unknown to your app order-107 \$64\.00 .* Let your app send paymentIntents\.confirm again/,
    );
    expect(of('order-202')).toMatch(/^Charged once Refund failed order-202 /);
    expect(of('order-224')).toMatch(/^Charged once Webhooks given up order-224 /);
    expect(of('order-108')).toMatch(
      /^Not charged order-108 \$12\.00 Nothing was charged\. The session expired\.$/,
    );
    const tones = [...html.matchAll(/<p class="line"><span class="badge (\w+)">([^<]+)/g)].map(
      ([, tone, text]) => [text, tone],
    );
    expect(Object.fromEntries(tones)).toEqual({
      'Charged twice?': 'bad',
      'Unknown to your app': 'warn',
      'Charged once': 'good',
      'Not charged': 'plain',
    });
  });

  it.each<readonly [id: string, rows: readonly (readonly unknown[])[]]>([
    [
      'order-100',
      [
        ['your app', 'create', '$55.00', '✓ created'],
        ['your app', 'confirm', '$55.00', '✗ reply lost (charged)'],
        ['your app', 'create', '$55.00', '↻ replayed'],
        // The client retrieves the object of a replay.
        ['your app', 'retrieve', '', '✓ 200'],
        ['your app', 'confirm', '$55.00', '↻ replayed'],
        ['your app', 'retrieve', '', '✓ 200'],
      ],
    ],
    [
      'order-102',
      [
        ['your app', 'create', '$80.00', '✓ created'],
        ['your app', 'confirm', '$80.00', '✓ charged'],
        ['your app', 'refund', '$30.00', '✓ pending'],
        ['service', 'by itself', '$30.00', '✗ refund failed'],
        ['your app', 'retry refund', '$30.00', '✓ pending'],
        ['service', 'by itself', '$30.00', '✓ refunded'],
      ],
    ],
    [
      'order-108',
      [
        ['your app', 'session', '$12.00', '✓ created'],
        ['service', 'by itself', '$12.00', '✓ expired'],
      ],
    ],
  ])('%s has each cause in its lane, with its effects', async (id, expected) => {
    const { entries, log } = await storyOf(shop, id);
    const shown = storyRows(entries, log);
    expect(
      shown.map(({ lane, what, amount, result }) => [lane, what, amount, `${result?.mark} ${result?.text}`]),
    ).toEqual(expected);
    // Each change and each delivery stands beside one cause.
    const effects = entries.filter(({ kind }) => kind === 'change' || kind === 'delivery');
    expect(shown.flatMap(({ changes, deliveries }) => [...changes, ...deliveries])).toHaveLength(
      effects.length,
    );
  });

  it('links a replay to the first reply, and offers to repeat where the reply was lost', async () => {
    const stepsOf = async (id: string) => {
      const { entries, log, actions } = await storyOf(shop, id);
      return {
        actions,
        steps: htmlOf(Steps, { entries, log, actions, choose: () => {} })
          .split('<li class="step"')
          .slice(1),
      };
    };
    const { steps } = await stepsOf('order-100');
    // The client retrieves the object of each replay.
    const links = [false, false, true, false, true, false];
    expect(steps.map((step) => step.includes('the first reply'))).toEqual(links);
    const [, lost = ''] = steps;
    const [, number] = /id="step-(\d+)"/.exec(lost) ?? [];
    expect(steps[4]).toContain(`href="#/?step=${number}"`);
    const unknown = await stepsOf('order-107');
    const label = 'Repeat paymentIntents.confirm with the same operation id';
    expect(unknown.actions.map((action) => action.label)).toContain(label);
    expect(unknown.steps.map((step) => step.includes(label))).toEqual([false, true]);
    expect(textOf(unknown.steps[1] ?? '')).toMatch(
      /✗ reply lost \(charged\).* Charge \$64\.00 succeeded Payment intent \$64\.00 succeeded/,
    );
  });

  it('shows its requests without a secret, and what the app did not receive', async () => {
    const { entries } = await storyOf(shop, 'order-100');
    const htmls = entries.map((entry) => htmlOf(EntryDetail, { entry }));
    const all = htmls.join('');
    expect(all).not.toMatch(new RegExp(`${shop.secretKey}|${shop.webhookSecret}|_secret_\\w`));
    expect(all).toContain('$PAYMENTS_SECRET_KEY');
    const texts = htmls.map(textOf);
    expect(texts.filter((text) => text.includes('Your app did not receive this reply.'))).toHaveLength(1);
    expect(texts.find((text) => text.includes('did not receive'))).toContain(
      'Fault: Executed, but the reply is lost',
    );
    const delivery = texts[entries.findIndex(({ kind }) => kind === 'delivery')] ?? '';
    expect(delivery).toMatch(
      /Attempt 1 Status delivered Sent POST http.* webhook-signature .* Response 200 .*thanks/,
    );
    const change = entries.findIndex((entry) => entry.kind === 'change' && entry.before !== null);
    expect(texts[change]).toMatch(/Difference status "requires_payment_method" "succeeded"/);
  });
});

it('a subscription has one row for its renewal, and one for the pages that the buyer looked at', async () => {
  const sandbox = await startSandbox();
  const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
  const { id } = await clientOf(sandbox).checkoutSessions.create(
    { mode: 'subscription', line_items },
    { operationId: 'order-100' },
  );
  for (let view = 0; view < 3; view += 1) await fetch(pageOf(sandbox, id));
  sandbox.pay(id);
  await sandbox.clock.advance('31 days');
  const { entries, log } = await storyOf(sandbox, 'order-100');
  expect(storyRows(entries, log).map(({ lane, what, amount }) => [lane, what, amount])).toEqual([
    ['your app', 'session', '$12.00'],
    ['buyer', 'looked at 3 pages', ''],
    ['buyer', 'pay', '$12.00'],
    ['service', 'renewal', '$12.00'],
  ]);
});

const evil = '<img src=x onerror="alert(1)">';

it('escapes every value', async () => {
  const sandbox = await startSandbox();
  await clientOf(sandbox).paymentIntents.create(
    { amount: 100, currency: 'usd', metadata: { evil } },
    { operationId: evil },
  );
  const { data } = await control<{ data: readonly StorySummary[] }>(sandbox, 'stories');
  const { entries } = await storyOf(sandbox, encodeURIComponent(evil));
  const html = [
    htmlOf(Operations, { name: evil, stories: data }),
    ...entries.map((entry) => htmlOf(EntryDetail, { entry })),
  ];
  expect(html.join('')).toContain('&lt;img src=x');
  expect(html.join('')).not.toContain('<img');
});

describe('the activity', () => {
  /** What a row says, and its result. */
  async function activityOf(sandbox: Sandbox, kind: string) {
    await sandbox.settled();
    const page = await control<{ data: readonly Entry[]; deliveries: Parameters<typeof rows.rowsOf>[1] }>(
      sandbox,
      `entries?kind=${kind}`,
    );
    return rows
      .rowsOf(page.data, page.deliveries)
      .toReversed()
      .map((row) => textOf(htmlOf(rows.Result, { row })));
  }

  it('marks a replay, a lost reply, another fault and a request without a reply', async () => {
    const sandbox = await startSandbox();
    const payments = clientOf(sandbox, { maxRetries: 0 });
    const create = () =>
      payments.paymentIntents.create({ amount: 5500, currency: 'usd' }, { operationId: 'order-1' });
    for (const kind of ['drop_reply', 'drop_request', 'unavailable'] as const) {
      sandbox.faults.inject({ kind });
      await create().catch(() => {});
    }
    await create();
    expect(await activityOf(sandbox, 'request')).toEqual([
      '200 reply lost',
      expect.stringMatching(/^no reply .*drop request$/),
      '503 unavailable',
      '200 replayed',
      // The client retrieves the object of a replay.
      '200',
    ]);
  });

  it('marks deliveries that a fault duplicated or tampered with, and offers to redeliver the last attempt that failed', async () => {
    const sandbox = await startSandbox();
    let status = 200;
    sandbox.webhooks.deliverTo(() => new Response('', { status }));
    sandbox.faults.inject({ kind: 'duplicate_delivery' });
    sandbox.add('customer');
    sandbox.faults.inject({ kind: 'tamper_delivery' });
    sandbox.add('refund');
    await sandbox.settled();
    status = 500;
    sandbox.trigger('customer.created');
    await sandbox.settled();
    await sandbox.clock.advance('10 s');
    expect(await activityOf(sandbox, 'delivery')).toEqual([
      '200',
      '200 duplicate',
      '200 altered body',
      '500',
      '500 pending attempt 2 Redeliver',
    ]);
  });

  it('has the delivery of each event, or says that no endpoint wants it', async () => {
    const sandbox = await startSandbox();
    sandbox.trigger('chargeback.received');
    sandbox.webhooks.deliverTo(() => new Response(null, { status: 500 }));
    sandbox.add('customer');
    expect(await activityOf(sandbox, 'event')).toEqual(['no endpoint', 'pending: 500']);
    await sandbox.clock.advance('30 days');
    expect((await activityOf(sandbox, 'event'))[1]).toMatch(/^given up: 500 \(8 attempts\)$/);
  });
});

describe('a list of objects', () => {
  const cellsOf = (kind: string, item: { readonly id: string }) =>
    (columns.columnsOf(kind) ?? []).map(({ name, cell }) => [name, textOf(htmlOf(() => cell(item), {}))]);

  it('has the columns that distinguish a kind, with times in seconds and in milliseconds', async () => {
    const sandbox = await startSandbox();
    const customer = sandbox.add('customer', {
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada@example.com',
      phone: '1',
    });
    expect(cellsOf('customer', customer)).toEqual([
      ['Name', 'Ada Byron'],
      ['Email', 'ada@example.com'],
      ['Phone', '1'],
      ['Created at (UTC)', '2026-01-01 00:00:00'],
    ]);
    const refund = sandbox.add('refund', { amount: 1250, reason: 'too late', currency: 'JPY' });
    expect(cellsOf('refund', refund).slice(0, 3)).toEqual([
      ['Status', 'pending'],
      ['Amount', '¥1,250'],
      ['Reason', 'too late'],
    ]);
    await clientOf(sandbox).transact.sale({ amount: '12.00', payment_token: 'tok_1' });
    const [sale] = sandbox.transactions;
    if (sale === undefined) throw new Error('There is no sale.');
    const inDollars = { ...sale, currency: 'USD' };
    expect(cellsOf('transaction', inDollars)).toEqual(
      expect.arrayContaining([
        ['Type', 'sale'],
        ['Amount', '$12.00'],
        ['Created at (UTC)', '2026-01-01 00:00:00'],
      ]),
    );
    expect(columns.columnsOf('constructor')).toBeUndefined();
  });
});

describe('the status strip', () => {
  const calm: SandboxStatus = {
    clock: { now: 1_000, time: '', running: false },
    objects: {},
    pending_deliveries: 0,
    failing_deliveries: 0,
    armed_faults: 0,
    due: [],
    books: { balanced: true, problem: null },
  };
  const due = (at: number) =>
    [{ at, kind: 'delivery', id: 'dlv_1', what: 'retry to http://a' }] as SandboxStatus['due'];

  it.each<[changes: Partial<SandboxStatus>, text: string]>([
    [{}, 'No faults armed No failed deliveries Nothing is scheduled Ledger balanced'],
    [
      { armed_faults: 2, pending_deliveries: 1, due: due(61_000) },
      '2 faults armed Clear 1 pending delivery Next: retry to http://a in 1 min Advance to it Ledger balanced',
    ],
    [
      { armed_faults: 1, failing_deliveries: 2, pending_deliveries: 3, due: due(500) },
      '1 fault armed Clear 2 failed deliveries Next: retry to http://a now Advance to it Ledger balanced',
    ],
    [
      { books: { balanced: false, problem: 'USD: debits exceed credits by $1.00' } },
      'No faults armed No failed deliveries Nothing is scheduled Ledger not balanced: USD: debits exceed credits by $1.00',
    ],
  ])('of %j', (changes, text) => {
    expect(textOf(htmlOf(Strip, { state: { ...calm, ...changes } }))).toBe(text);
  });
});

it('shows why a request was refused, and the arguments of an action', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'content-type': 'application/json' };
  const body = '{"amount":-1,"currency":"usd"}';
  await fetch(`${sandbox.url}/v1/payment_intents`, { method: 'POST', headers, body });
  sandbox.trigger('customer.created');
  const { data } = await control<{ data: readonly Entry[] }>(sandbox, 'entries');
  const textOfKind = (kind: string) => {
    const entry = data.find((one) => one.kind === kind);
    return entry === undefined ? '' : textOf(htmlOf(EntryDetail, { entry }));
  };
  expect(textOfKind('request')).toMatch(
    /^amount: expected an integer of at least 1, .* INVALID_PARAMETER , field amount /,
  );
  expect(textOfKind('action')).toContain('"type": "customer.created"');
});
