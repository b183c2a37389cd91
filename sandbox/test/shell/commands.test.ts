/** Each command of a running sandbox: what it prints for people and for programs, and what happened to the sandbox. */

import { Webhooks } from 'payments-client/webhooks';
import { type Sandbox, testCards } from 'payments-client-sandbox';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { clientOf, startSandbox } from '../../../test/support/sandbox.ts';
import { serve } from '../../../test/support/serve.ts';
import { endAll, parse, run } from './support.ts';

afterEach(endAll);

const hook = 'http://127.0.0.1:1/hook';

/** The faults that wait for requests. */
async function faultsOf(sandbox: Sandbox): Promise<unknown> {
  const headers = { authorization: `Bearer ${sandbox.secretKey}` };
  const response = await sandbox.fetch(new Request(`${sandbox.url}/_sandbox/faults`, { headers }));
  return JSON.parse(await response.text()).data;
}

const tokenOf = (sandbox: Sandbox) =>
  sandbox.tokenize({ ccnumber: testCards.challengeRequired.number, ccexp: '1230', cvv: '123' });

/** Pays an intent, and returns its id. */
function paid(sandbox: Sandbox, currency = 'USD'): string {
  const { id } = sandbox.add('payment_intent', { currency });
  sandbox.pay(id);
  return id;
}

/** The body of a delivery. */
let bare = '';

interface Row {
  /** The command line; `{}` stands for what `given` returns. */
  readonly line: string;
  /** Prepares the sandbox. */
  readonly given?: (sandbox: Sandbox) => string | Promise<string>;
  /** The line for people. */
  readonly says: RegExp;
  /** The JSON for programs. */
  readonly returns: unknown;
  /** What happened. */
  readonly does?: (sandbox: Sandbox, given: string) => void | Promise<void>;
}

const endpoint = (sandbox: Sandbox) => sandbox.webhooks.deliverTo(hook).id;

const rows: readonly Row[] = [
  {
    line: 'pay {} --payment-method pm_card_declined',
    given: (sandbox) => sandbox.add('checkout_session').id,
    says: /^Declined: the buyer may use another card\. The payment intent pi_\w+ has the status requires_payment_method\.$/,
    returns: { object: 'payment_intent', status: 'requires_payment_method' },
    does: (sandbox, id) => expect(sandbox.get('checkout_session', id)?.payment_status).toBe('unpaid'),
  },
  {
    line: 'pay {}',
    given: (sandbox) => sandbox.add('checkout_session').id,
    says: /^Paid\. The payment intent pi_\w+ has the status succeeded\.$/,
    returns: { object: 'payment_intent', status: 'succeeded' },
    does: (sandbox, id) => expect(sandbox.get('checkout_session', id)?.payment_status).toBe('paid'),
  },
  {
    line: 'trigger customer.created --set first_name=Ada --set metadata.order="7" --set metadata.table=12 --set phone=5550100 --set last_name=true',
    says: /^Triggered customer\.created: evt_\w+ for cus_\w+\.$/,
    returns: { type: 'customer.created', data: { object: { phone: '5550100', last_name: 'true' } } },
    does: (sandbox) =>
      expect(sandbox.events[0]?.data.object).toMatchObject({
        first_name: 'Ada',
        metadata: { order: '7', table: '12' },
      }),
  },
  {
    line: 'trigger customer.updated --set id={} --set email=ada@example.com',
    given: (sandbox) => sandbox.add('customer', { email: 'old@example.com' }).id,
    says: /^Triggered customer\.updated: evt_\w+ for cus_\w+\.$/,
    returns: { type: 'customer.updated' },
    does: (sandbox, id) => expect(sandbox.get('customer', id)?.email).toBe('ada@example.com'),
  },
  {
    line: 'trigger chargeback.received --bare --set amount=49.90 --set reason_code=10.4',
    given: (sandbox) =>
      sandbox.webhooks.deliverTo(async (request) => {
        bare = await request.text();
        return new Response();
      }).id,
    says: /^Triggered chargeback\.received: evt_\w+ for \S+\.$/,
    returns: { data: { object: { amount: '49.90', reason_code: '10.4' } } },
    does: async (sandbox) => {
      await sandbox.settled();
      expect(JSON.parse(bare)).toMatchObject({ event: 'chargeback.received', amount: '49.90' });
    },
  },
  {
    line: 'trigger refund.failed --set amount=500',
    says: /^Triggered refund\.failed: evt_\w+ for rf_\w+\.$/,
    returns: { data: { object: { amount: 500, status: 'failed' } } },
  },
  {
    line: 'visit {} --account acct_mine',
    given: (sandbox) => {
      sandbox.add('account', { id: 'acct_mine' });
      return sandbox.add('account_link').id;
    },
    says: /^Connected the account acct_mine: conn_\w+\.$/,
    returns: { object: 'connection', account: 'acct_mine' },
  },
  {
    line: 'tokenize zipOnly',
    says: /^The payment_token is tok_\w+\.$/,
    returns: { payment_token: expect.stringMatching(/^tok_/) },
  },
  {
    line: 'authenticate {}',
    given: tokenOf,
    says: /^3-D Secure ended with authenticated\.$/,
    returns: { status: 'authenticated' },
  },
  {
    line: 'authenticate {} --challenge failed',
    given: tokenOf,
    says: /^3-D Secure ended with failed\.$/,
    returns: { status: 'failed' },
  },
  {
    line: 'settle --currency eur --terminal-ids tmr_a --terminal-ids tmr_b',
    given: (sandbox) => paid(sandbox, 'USD') && paid(sandbox, 'EUR'),
    says: /^Closed tmb_\w+\.$/,
    returns: { currency: 'EUR', terminal_ids: ['tmr_a', 'tmr_b'], transaction_count: 1 },
    does: async (sandbox) => {
      const { items } = await clientOf(sandbox).charges.list();
      expect(items.map(({ currency, settled_at }) => [currency, settled_at !== null])).toEqual([
        ['EUR', true],
        ['USD', false],
      ]);
    },
  },
  {
    line: 'reconcile {} needs_attention',
    given: (sandbox) => (paid(sandbox), String(sandbox.settle()[0]?.id)),
    says: /^The batch tmb_\w+ is needs_attention\.$/,
    returns: { reconciliation_status: 'needs_attention' },
    does: (sandbox) => expect(sandbox.events.at(-1)?.type).toBe('terminal_batch.needs_attention'),
  },
  {
    line: 'add product --set unit_amount=12 --set metadata.shelf=12 --set metadata.half=1e3 --set metadata.note=null --set metadata.tags=["a"]',
    says: /^Added the product prod_\w+\.$/,
    returns: { unit_amount: 12, metadata: { shelf: '12', half: '1e3', note: 'null', tags: '["a"]' } },
  },
  {
    line: 'update checkout_session {} --set client_reference_id=1042 --set locale=1',
    given: (sandbox) => sandbox.add('checkout_session').id,
    says: /^Updated the checkout_session cs_\w+\.$/,
    returns: { client_reference_id: '1042', locale: '1' },
    does: (sandbox, id) =>
      expect(sandbox.get('checkout_session', id)).toMatchObject({ client_reference_id: '1042', locale: '1' }),
  },
  {
    line: 'clock advance 3_days',
    given: (sandbox) => sandbox.add('refund').id,
    says: /^It is 2026-01-04T00:00:00\.000Z\. 1 event happened\.\n {2}rf_\w+: refund\.succeeded$/,
    returns: { now: Date.UTC(2026, 0, 4), changed: [{ events: ['refund.succeeded'] }] },
    does: (sandbox) => expect(sandbox.clock.now()).toBe(Date.UTC(2026, 0, 4)),
  },
  {
    line: 'faults inject drop_reply --operation refunds.create --set times=5',
    says: /^Added drop_reply: fault_1\.$/,
    returns: { id: 'fault_1' },
    does: async (sandbox) =>
      expect(await faultsOf(sandbox)).toMatchObject([
        { fault: { kind: 'drop_reply', operation: 'refunds.create', times: 5 } },
      ]),
  },
  {
    // Numbers with decimals, which a text field would keep.
    line: 'faults inject latency --set ms=10.0 --set probability=0.50',
    says: /^Added latency: fault_1\.$/,
    returns: { id: 'fault_1' },
    does: async (sandbox) =>
      expect(await faultsOf(sandbox)).toMatchObject([
        { fault: { kind: 'latency', ms: 10, probability: 0.5 } },
      ]),
  },
  {
    // The operand is the kind, whatever --set says.
    line: 'faults inject unavailable --set kind=latency',
    says: /^Added unavailable: fault_1\.$/,
    returns: { id: 'fault_1' },
    does: async (sandbox) =>
      expect(await faultsOf(sandbox)).toMatchObject([{ fault: { kind: 'unavailable' } }]),
  },
  {
    line: 'faults withdraw {}',
    given: (sandbox) => {
      for (const kind of ['hold', 'unavailable'] as const) sandbox.faults.inject({ kind });
      return 'fault_2';
    },
    says: /^Removed fault_2\.$/,
    returns: { message: 'Removed fault_2.' },
    does: async (sandbox) => expect(await faultsOf(sandbox)).toMatchObject([{ fault: { kind: 'hold' } }]),
  },
  {
    line: 'faults clear',
    given: (sandbox) => String(sandbox.faults.inject({ kind: 'unavailable' })),
    says: /^Removed all faults\.$/,
    returns: { message: 'Removed all faults.' },
    does: async (sandbox) => expect(await faultsOf(sandbox)).toEqual([]),
  },
  {
    line: 'faults',
    given: (sandbox) => {
      sandbox.faults.inject({ kind: 'drop_request', operation: 'refunds.list', times: 2 });
      sandbox.faults.inject({ kind: 'duplicate_delivery', times: 3 });
      return clientOf(sandbox, { maxRetries: 0 }).refunds.list().then(String, String);
    },
    says: /^fault_1 drop_request operation="refunds\.list" times=2, hit 1 time\ndflt_\w+ duplicate_delivery, 3 left$/,
    returns: [
      { id: 'fault_1', fault: { kind: 'drop_request', operation: 'refunds.list', times: 2 }, hits: 1 },
      { id: expect.stringMatching(/^dflt_/), fault: { kind: 'duplicate_delivery' }, left: 3 },
    ],
  },
  {
    line: `webhooks add ${hook} --events refund.created --events refund.failed`,
    says: /^Added we_\w+\. Its secret is whsec_\S+\.$/,
    returns: { secret: expect.stringMatching(/^whsec_/) },
    does: (sandbox) =>
      expect(sandbox.webhooks.endpoints()).toMatchObject([
        { url: hook, events: ['refund.created', 'refund.failed'] },
      ]),
  },
  {
    line: 'webhooks list',
    given: endpoint,
    says: /^1 webhook endpoint:\n {2}we_\w+ {2}http:\S+ {2}enabled, no delivery failed$/,
    returns: { url: hook, missed: 0 },
  },
  {
    line: 'webhooks disable',
    given: endpoint,
    says: /^Disabled we_\w+\.$/,
    returns: { message: expect.stringContaining('Disabled we_') },
    does: (sandbox, id) => expect(sandbox.get('webhook_endpoint', id)).toMatchObject({ status: 'disabled' }),
  },
  {
    line: 'webhooks enable {}',
    given: (sandbox) => {
      const id = endpoint(sandbox);
      sandbox.update('webhook_endpoint', id, { status: 'disabled' });
      return id;
    },
    says: /^Enabled we_\w+\./,
    returns: { message: expect.stringContaining('Enabled we_') },
    does: (sandbox, id) => expect(sandbox.get('webhook_endpoint', id)).toMatchObject({ status: 'enabled' }),
  },
  {
    line: 'webhooks rotate {}',
    given: endpoint,
    says: /^The new secret is whsec_\S+\.$/,
    returns: { secret: expect.stringMatching(/^whsec_/) },
    does: (sandbox, id) =>
      expect(sandbox.get('webhook_endpoint', id)).toMatchObject({ previous_secrets: [expect.any(String)] }),
  },
  {
    line: 'webhooks delete {}',
    given: endpoint,
    says: /^Deleted we_\w+\.$/,
    returns: { message: expect.stringContaining('Deleted we_') },
    does: (sandbox) => expect(sandbox.webhooks.endpoints()).toEqual([]),
  },
  {
    line: 'webhooks replay {}',
    given: (sandbox) => {
      const { id } = sandbox.trigger('customer.created');
      endpoint(sandbox);
      return id;
    },
    says: /^Delivers customer\.created to http:\S+ again\.$/,
    returns: { id: expect.stringMatching(/^dlv_/), replayed: true },
  },
  {
    line: 'snapshot mine',
    says: /^Kept the state as mine\.$/,
    returns: { name: 'mine' },
  },
  {
    line: 'restore mine',
    given: async (sandbox) => {
      await run(['snapshot', 'mine', '--url', sandbox.url, '--secret-key', sandbox.secretKey]);
      return sandbox.add('customer').id;
    },
    says: /^Restored mine\.$/,
    returns: { name: 'mine' },
    does: (sandbox, id) => expect(sandbox.get('customer', id)).toBeUndefined(),
  },
  {
    line: 'seed --customers 3 --intents 5 --months 1 --seed x',
    says: /^Made 3 customers, 5 payment intents, .*\.$/,
    returns: { customers: 3 },
    does: async (sandbox) => {
      const { items } = await clientOf(sandbox).customers.list();
      expect([items.length, sandbox.events]).toEqual([3, []]);
    },
  },
  {
    line: 'demo',
    says: /^Made 6 orders\. Open demo-1-\S+ first\.$/,
    returns: { open: expect.stringMatching(/^demo-1-/) },
  },
  {
    line: 'reset',
    given: (sandbox) => sandbox.add('customer').id,
    says: /^The sandbox was reset\.$/,
    returns: { message: 'The sandbox was reset.' },
    does: (sandbox, id) => expect(sandbox.get('customer', id)).toBeUndefined(),
  },
  {
    line: 'events --type customer.created --limit 1',
    given: (sandbox) => {
      for (const type of ['customer.created', 'refund.failed', 'customer.created'] as const)
        sandbox.trigger(type);
      return String(sandbox.events.findLast(({ type }) => type === 'customer.created')?.id);
    },
    says: /^1 Jan 2026, UTC\n00:00 customer\.created evt_\w+$/,
    returns: { kind: 'event', event: { type: 'customer.created' } },
  },
  {
    line: 'requests --limit 2',
    given: async (sandbox) => {
      for (const id of ['1', '2', '3']) await fetch(`${sandbox.url}/v1/customers/${id}?secret=x`);
      return '';
    },
    says: /^1 Jan 2026, UTC(?:\n00:00 - {10}GET \/v1\/customers\/[23] {2}✗ 401 AUTHENTICATION_REQUIRED){2}$/,
    returns: [
      { kind: 'request', number: 2, method: 'GET', path: '/v1/customers/2', status: 401 },
      { kind: 'request', number: 3, method: 'GET', path: '/v1/customers/3', status: 401 },
    ],
  },
];

/** A sandbox in this process, and the program's commands on it. */
async function start() {
  const sandbox = await startSandbox();
  const where = ['--url', sandbox.url, '--secret-key', sandbox.secretKey];
  return { sandbox, call: (...args: readonly string[]) => run([...args, ...where]) };
}

const wordsOf = (line: string, given: string) =>
  line.split(' ').map((word) => word.replace('{}', given).replaceAll('_days', ' days'));

test.each(rows)('$line', async ({ line, given = () => '', says, returns, does }) => {
  const { sandbox, call } = await start();
  const id = await given(sandbox);
  const text = await call(...wordsOf(line, id));
  expect([text.code, text.stderr]).toEqual([0, '']);
  expect(text.stdout.trimEnd()).toMatch(says);
  await does?.(sandbox, id);

  const other = await start();
  const { code, stdout } = await other.call(...wordsOf(line, await given(other.sandbox)), '--json');
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').map(parse)).toMatchObject([returns].flat());
});

test.each<readonly [line: string, says: string]>([
  ['events', 'There are no such events.'],
  ['requests', 'There are no requests yet.'],
  ['faults', 'No faults are pending.'],
  ['settle', 'No charge or refund is unsettled.'],
  ['webhooks list', "There is no webhook endpoint. Add one with 'webhooks add'."],
])('%s says that there is nothing, and prints no JSON', async (line, says) => {
  const { call } = await start();
  for (const more of [[], ['--json']]) {
    const { code, stdout, stderr } = await call(...line.split(' '), ...more);
    expect([code, stdout, stderr.trimEnd()]).toEqual([0, '', says]);
  }
});

test('an advance of the clock says what happened to each order, in at most ten lines', async () => {
  const { sandbox, call } = await start();
  const payments = clientOf(sandbox);
  const refund = async (operationId: string) => {
    const { id } = await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId });
    await payments.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, { operationId });
    for (const [part, amount] of [500, 700].entries())
      await payments.refunds.create(
        { payment_intent_id: id, amount },
        { operationId: `${operationId}/${part}` },
      );
  };
  for (let number = 101; number <= 112; number += 1) await refund(`order-${number}`);
  const { stdout } = await call('clock', 'advance', '1 hour');
  const [first, ...lines] = stdout.trimEnd().split('\n');
  expect(first).toMatch(/^It is \S+Z\. 24 events happened\.$/);
  expect(lines.slice(0, 2)).toEqual([
    '  order-101: refund.succeeded × 2',
    '  order-102: refund.succeeded × 2',
  ]);
  expect([lines.length, lines.at(-1)]).toEqual([11, '  and 2 more']);
});

test('the secret of an added endpoint verifies a delivery, and the output names dropped secrets and missed events', async () => {
  const received: { readonly body: string; readonly headers: Headers }[] = [];
  let status = 500;
  const shop = await serve(async (request, response) => {
    const chunks = await request.toArray();
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ body: Buffer.concat(chunks).toString(), headers });
    response.writeHead(status).end();
  });
  onTestFinished(() => shop.close());
  const { sandbox, call } = await start();
  await call('webhooks', 'add', shop.url);
  const [added] = sandbox.webhooks.endpoints();
  const { id } = sandbox.trigger('customer.created');
  await sandbox.settled();
  const [{ body, headers } = { body: '', headers: new Headers() }] = received;
  const webhooks = new Webhooks({ secret: added?.secret ?? '' });
  expect(await webhooks.verify(body, headers)).toMatchObject({ id, type: 'customer.created' });
  expect((await call('webhooks', 'list')).stdout).toMatch(/ {2}enabled, misses 1 event\n$/);
  status = 204;
  expect((await call('webhooks', 'redeliver')).stdout).toBe('Delivers 1 event again.\n');
  await sandbox.settled();
  expect(received.map((one) => one.body)).toEqual([body, body]);
  expect(parse((await call('webhooks', 'redeliver', '--json')).stdout)).toEqual({ count: 0 });
  await call('webhooks', 'rotate');
  expect((await call('webhooks', 'drop')).stdout).toBe(`Only the newest secret of ${added?.id} is left.\n`);
  expect(sandbox.get('webhook_endpoint', added?.id ?? '')).not.toHaveProperty('previous_secrets', [
    added?.secret,
  ]);
});
