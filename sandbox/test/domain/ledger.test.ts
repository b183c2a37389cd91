/** The ledger, which no request shows, agrees with the objects, events and transactions that requests show. */

import fc from 'fast-check';
import { toDecimalAmount } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { clientOf } from '../../../test/support/sandbox.ts';
import { inProcess, json } from '../../../test/support/sandbox-requests.ts';
import { stateOf } from '../../../test/support/sandbox-state.ts';
import { bySize } from '../../../test/support/size.ts';

/** Two, no and three decimals. */
const currencies = ['USD', 'JPY', 'KWD'] as const;
const methods = [
  'pm_card',
  'pm_card_declined',
  'pm_card_fails_on_renewal',
  'pm_card_refund_fails',
  'pm_card_refund_fails_once',
] as const;

const choice = fc.record({
  which: fc.nat(50),
  amount: fc.integer({ min: 1, max: 2000 }),
  currency: fc.constantFrom(...currencies),
  method: fc.constantFrom(...methods),
});
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

type Objects = ReturnType<typeof stateOf>['objects'];

/** Sends requests as an app does, and disputes as a bank does. */
class World {
  readonly sandbox: Sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1) });
  readonly disputes = new Map<string, { readonly currency: string; readonly amount: number }>();
  #sent = 0;
  /** The latest request, to send it again. */
  #latest: () => Promise<unknown> = async () => {};

  get objects(): Objects {
    return stateOf(this.sandbox).objects;
  }

  /** Returns one of the objects that exist. */
  pick(kind: keyof Objects, { which }: Choice): string {
    const all = this.objects[kind].all();
    return all[which % Math.max(1, all.length)]?.id ?? 'none';
  }

  async post(path: string, body: object): Promise<void> {
    this.#sent += 1;
    const init = json(this.sandbox, { body, key: `key-${this.#sent}` });
    this.#latest = async () => {
      const before = this.#text();
      const { status } = await inProcess(this.sandbox)(`/v1/${path}`, init);
      expect(status).toBeLessThan(500);
      // A decline is recorded; any other refusal changes nothing.
      if (status >= 400 && status !== 402) expect(this.#text()).toBe(before);
    };
    await this.#latest();
  }

  async form(fields: Readonly<Record<string, string>>): Promise<void> {
    const body = new URLSearchParams({ security_key: this.sandbox.securityKey, ...fields });
    const before = JSON.stringify(this.sandbox.transactions);
    const response = await inProcess(this.sandbox)('/api/transact.php', { method: 'POST', body });
    const answer = new URLSearchParams(await response.text());
    expect(answer.get('response')).toMatch(/^[123]$/);
    if (answer.get('transactionid') === '') expect(JSON.stringify(this.sandbox.transactions)).toBe(before);
  }

  /** The same request with the same key is a replay, which changes nothing. */
  async repeat(): Promise<void> {
    const before = this.#text();
    await this.#latest();
    expect(this.#text()).toBe(before);
  }

  /** Everything but the replies and the requests. */
  #text(): string {
    const { reply: _, ...objects } = Object(this.sandbox.snapshot().state).objects;
    return JSON.stringify(objects);
  }
}

type Step = (world: World, chosen: Choice) => unknown;

const pages = { success_url: 'https://shop.example/yes', cancel_url: 'https://shop.example/no' };
const written = ({ amount, currency }: Choice) => toDecimalAmount(amount, currency);

function pay(type: string): Step {
  return (world, chosen) =>
    world.form({ type, amount: written(chosen), currency: chosen.currency, payment_token: 'tok_1' });
}
function follow(type: string): Step {
  return (world, chosen) => {
    const transactionid = world.pick('transaction', chosen);
    const { currency = 'USD' } = world.objects.transaction.get(transactionid) ?? {};
    return world.form({ type, transactionid, amount: written({ ...chosen, currency } as Choice) });
  };
}

const steps: readonly Step[] = [
  (world, { amount, currency, which }) => {
    const capture_method = which % 2 === 0 ? 'manual' : 'automatic';
    return world.post('payment_intents', { amount, currency: currency.toLowerCase(), capture_method });
  },
  (world, chosen) =>
    world.post(`payment_intents/${world.pick('payment_intent', chosen)}/confirm`, {
      payment_method: chosen.method,
    }),
  (world, chosen) =>
    world.post(`payment_intents/${world.pick('payment_intent', chosen)}/capture`, { amount: chosen.amount }),
  (world, chosen) => world.post(`payment_intents/${world.pick('payment_intent', chosen)}/cancel`, {}),
  (world, chosen) =>
    world.post('refunds', {
      payment_intent_id: world.pick('payment_intent', chosen),
      ...(chosen.which % 3 > 0 && { amount: chosen.amount }),
    }),
  (world, chosen) => world.post(`refunds/${world.pick('refund', chosen)}/retry`, {}),
  ({ sandbox }, { currency, which }) => sandbox.settle(which % 2 === 0 ? { currency } : {}),
  ({ sandbox }, { amount }) => sandbox.clock.advance(`${amount} minutes`),
  (world, { method, amount, currency, which }) => {
    const customer = world.sandbox.add('customer', {
      payment_settings: { default_payment_method: method },
    }).id;
    const price = world.sandbox.add('price', { unit_amount: amount, currency }).id;
    const collection_method = which % 3 === 0 ? 'send_invoice' : 'charge_automatically';
    return world.post('subscriptions', { customer, items: [{ price, quantity: 2 }], collection_method });
  },
  (world, chosen) =>
    world.post(`invoices/${world.pick('invoice', chosen)}/update_payment_method`, {
      payment_method: chosen.method,
    }),
  async (world, { amount, currency, method, which }) => {
    const line_items = [{ name: 'Tea', amount, currency: currency.toLowerCase(), quantity: 2 }];
    await world.post('checkout/sessions', {
      ...pages,
      line_items,
      mode: which % 2 === 0 ? 'subscription' : 'payment',
    });
    const session = world.objects.checkout_session.all().at(-1);
    if (session?.status === 'open') world.sandbox.pay(session.id, { payment_method: method });
  },
  (world, chosen) =>
    world.post('credit_notes', {
      invoice: world.pick('invoice', chosen),
      lines: [{ description: 'Tea', amount: chosen.amount }],
    }),
  (world, chosen) => world.post(`credit_notes/${world.pick('credit_note', chosen)}/void`, {}),
  (world, chosen) => world.post(`subscriptions/${world.pick('subscription', chosen)}/cancel`, {}),
  pay('sale'),
  pay('auth'),
  pay('credit'),
  follow('capture'),
  follow('void'),
  follow('refund'),
  (world, chosen) => {
    const transaction = world.objects.transaction.get(world.pick('transaction', chosen));
    if (transaction === undefined) return;
    const { id: transaction_id, currency } = transaction;
    // An id comes twice sometimes: a bank repeats itself.
    const chargeback_id = `cb_${chosen.which % 4}`;
    const amount = toDecimalAmount(chosen.amount, currency);
    world.sandbox.trigger('chargeback.received', { transaction_id, chargeback_id, amount });
    if (!world.disputes.has(chargeback_id))
      world.disputes.set(chargeback_id, { currency, amount: chosen.amount });
  },
  (world) => world.repeat(),
];

interface Amount {
  readonly currency: string;
  readonly amount: number;
}

function sum(all: Iterable<Amount>, currency: string): number {
  return [...all].filter((one) => one.currency === currency).reduce((total, { amount }) => total + amount, 0);
}
const minor = (amount: string) => Number(amount.replace('.', ''));
const having = <T extends { readonly status: string }>(all: readonly T[], status: string) =>
  all.filter((one) => one.status === status);

/** Recomputes each account from the objects, in each currency. A debit is positive. */
function checkAccounts({ objects, disputes }: World): void {
  const [charges, refunds] = [objects.charge.all(), objects.refund.all()];
  const approved = objects.transaction.all().filter(({ status, approved: is }) => is && status !== 'voided');
  const captured = approved.map(({ currency, captured: text }) => ({ currency, amount: minor(text) }));
  const back = approved.filter(({ type }) => type === 'refund' || type === 'credit');
  const givenBack = back.map(({ currency, amount }) => ({ currency, amount: minor(amount) }));
  for (const currency of currencies) {
    const sold = sum([...having(charges, 'succeeded'), ...captured], currency);
    const pending = sum(having(refunds, 'pending'), currency);
    const paidBack = sum([...having(refunds, 'succeeded'), ...givenBack], currency);
    const disputed = sum(disputes.values(), currency);
    const balances = { debits: 0, credits: 0 };
    const accounts = ['sales', 'refunds', 'pending_refunds', 'disputes', 'cash'].map((name) => {
      const account = objects.ledger_account.get(`${currency} ${name}`) ?? { debits: 0, credits: 0 };
      balances.debits += account.debits;
      balances.credits += account.credits;
      return account.debits - account.credits;
    });
    expect(accounts).toEqual([
      0 - sold,
      paidBack + pending,
      0 - pending,
      disputed,
      sold - paidBack - disputed,
    ]);
    expect(balances.debits).toBe(sum(objects.ledger_entry.all(), currency));
    expect(balances.credits).toBe(balances.debits);
  }
}

/** Checks that no sum exceeds that from which it is taken, and that each is the sum of its parts. */
function checkParts({ objects }: World): void {
  const [charges, refunds, invoices] = [objects.charge.all(), objects.refund.all(), objects.invoice.all()];
  const total = (all: readonly { readonly amount: number }[]) =>
    all.reduce((sum, one) => sum + one.amount, 0);
  for (const { id, amount, amount_refunded, intent_id, currency } of charges) {
    const own = refunds.filter((refund) => refund.charge_id === id && refund.status !== 'failed');
    expect(amount_refunded).toBe(total(own));
    expect(amount_refunded).toBeLessThanOrEqual(amount);
    expect(amount).toBeLessThanOrEqual(objects.payment_intent.get(intent_id)?.amount ?? 0);
    expect(own.every((refund) => refund.currency === currency)).toBe(true);
  }
  for (const { id, total: due, amount_paid, amount_remaining, status } of invoices) {
    expect([amount_paid + amount_remaining, amount_remaining === 0]).toEqual([due, status === 'paid']);
    const notes = having(objects.credit_note.all(), 'issued').filter((note) => note.invoice === id);
    expect(notes.reduce((credited, note) => credited + note.total, 0)).toBeLessThanOrEqual(due);
  }
  for (const { id, currency, totals, transaction_count } of objects.terminal_batch.all()) {
    const [sales, back] = [charges, refunds].map((all) =>
      all.filter((one) => one.settlement_batch_id === id),
    );
    expect(totals).toMatchObject({ sales: total(sales ?? []), refunds: total(back ?? []) });
    expect(totals.net).toBe(totals.sales - totals.refunds);
    const settled = [...(sales ?? []), ...(back ?? [])];
    expect(transaction_count).toBe(settled.length);
    expect(settled.every((one) => one.currency === currency)).toBe(true);
  }
  const transactions = objects.transaction.all();
  for (const { id, amount, captured, refunded, approved } of transactions) {
    const own = transactions.filter(({ refundOf, status }) => refundOf === id && status !== 'voided');
    expect(minor(refunded)).toBe(own.reduce((given, refund) => given + minor(refund.amount), 0));
    expect(minor(refunded)).toBeLessThanOrEqual(minor(captured));
    expect(minor(captured)).toBeLessThanOrEqual(approved ? minor(amount) : 0);
  }
}

/** Checks that each transition emitted its event, once. */
function checkEvents({ objects, sandbox, disputes }: World): void {
  const told = (type: string) => sandbox.events.filter((event) => event.type === type).length;
  const all = {
    intents: objects.payment_intent.all(),
    charges: objects.charge.all(),
    refunds: objects.refund.all(),
    invoices: objects.invoice.all(),
    notes: objects.credit_note.all(),
    subscriptions: objects.subscription.all(),
  };
  const settled = (of: readonly { readonly settled_at: number | null }[]) =>
    of.filter(({ settled_at }) => settled_at !== null).length;
  const expected = {
    'payment_intent.created': all.intents.length,
    'payment_intent.succeeded': having(all.intents, 'succeeded').length,
    'payment_intent.canceled': having(all.intents, 'canceled').length,
    'payment_intent.payment_failed': having(all.charges, 'failed').length,
    'refund.created': all.refunds.length,
    'refund.succeeded': having(all.refunds, 'succeeded').length,
    'charge.settled': settled(all.charges),
    'refund.settled': settled(all.refunds),
    'invoice.paid': having(all.invoices, 'paid').length,
    'invoice.marked_uncollectible': having(all.invoices, 'uncollectible').length,
    'subscription.created': all.subscriptions.length,
    'subscription.canceled': having(all.subscriptions, 'canceled').length,
    'credit_note.created': all.notes.length,
    'credit_note.voided': having(all.notes, 'void').length,
  };
  expect(Object.fromEntries(Object.keys(expected).map((type) => [type, told(type)]))).toEqual(expected);
  expect(told('chargeback.received')).toBeGreaterThanOrEqual(disputes.size);
}

test('in random histories of three currencies, the ledger is the sum of the objects, and events match transitions', async () => {
  const history = fc.array(fc.tuple(fc.nat(steps.length - 1), choice), { minLength: 15, maxLength: 45 });
  await fc.assert(
    fc.asyncProperty(history, async (chosen) => {
      const world = new World();
      for (const [index, one] of chosen) await steps[index]?.(world, one);
      await world.sandbox.settled();
      checkAccounts(world);
      checkParts(world);
      checkEvents(world);
    }),
    // To shrink a history takes longer than to read it.
    { numRuns: bySize({ short: 10, all: 150, long: 2_000 }), endOnFailure: true },
  );
});

/** Returns the entries of a sandbox, oldest first, as `debit credit amount currency`. */
function entriesOf(sandbox: Sandbox): readonly string[] {
  const entries = stateOf(sandbox).objects.ledger_entry.all();
  return entries.map(({ debit, credit, amount, currency }) => `${debit} ${credit} ${amount} ${currency}`);
}

function start() {
  const sandbox = createSandbox();
  return { sandbox, payments: clientOf(sandbox, { fetch: sandbox.fetch, maxRetries: 0 }) };
}

test('posts a charge, and a refund at its creation and its payout', async () => {
  const { payments, sandbox } = start();
  const intent = sandbox.add('payment_intent', { amount: 5500, currency: 'JPY' });
  sandbox.pay(intent.id);
  await payments.refunds.create({ payment_intent_id: intent.id, amount: 500 }, { operationId: 'return-1' });
  expect(entriesOf(sandbox)).toEqual(['cash sales 5500 JPY', 'refunds pending_refunds 500 JPY']);
  await sandbox.clock.advance('1 minute');
  expect(entriesOf(sandbox).slice(2)).toEqual(['pending_refunds cash 500 JPY']);
});

test('reverses a failed refund, and posts it again when it is retried', async () => {
  const { sandbox, payments } = start();
  const { id } = sandbox.add('payment_intent', { amount: 500 });
  sandbox.pay(id, { payment_method: 'pm_card_refund_fails_once' });
  const refund = await payments.refunds.create({ payment_intent_id: id }, { operationId: 'return-1' });
  await sandbox.clock.advance('1 minute');
  await payments.refunds.retry(refund.id, { operationId: 'again' });
  await sandbox.clock.advance('1 minute');
  expect(entriesOf(sandbox).slice(1)).toEqual([
    'refunds pending_refunds 500 USD',
    'pending_refunds refunds 500 USD',
    'refunds pending_refunds 500 USD',
    'pending_refunds cash 500 USD',
  ]);
});

test('posts transactions in minor units of their currency, voids, and each chargeback once', async () => {
  const { payments, sandbox } = start();
  const sale = await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const yen = await payments.transact.sale({ amount: '1200', currency: 'jpy', payment_token: 'tok_2' });
  const other = await payments.transact.sale({ amount: '900', currency: 'JPY', payment_token: 'tok_3' });
  await payments.transact.void({ transactionid: other.transactionid });
  await payments.transact.auth({ amount: '7.00', payment_token: 'tok_4' });
  // It is declined.
  await payments.transact.sale({ amount: '0.50', payment_token: 'tok_5' });
  const dispute = { transaction_id: sale.transactionid, amount: '12.00', chargeback_id: 'cb_1' };
  for (const _ of [1, 2]) sandbox.trigger('chargeback.received', dispute);
  sandbox.trigger('chargeback.received', { transaction_id: yen.transactionid, amount: '500' });
  sandbox.trigger('chargeback.received', { transaction_id: yen.transactionid, amount: '200' });
  // Its amount does not fit the currency of its sale.
  sandbox.trigger('chargeback.received', { transaction_id: yen.transactionid, amount: '5.50' });
  // One of an unknown transaction is in the currency of the account.
  sandbox.trigger('chargeback.received', { transaction_id: '1', amount: '49.99' });
  expect(entriesOf(sandbox)).toEqual([
    'cash sales 1200 USD',
    'cash sales 1200 JPY',
    'cash sales 900 JPY',
    'sales cash 900 JPY',
    'disputes cash 1200 USD',
    'disputes cash 500 JPY',
    'disputes cash 200 JPY',
    'disputes cash 4999 USD',
  ]);
});

test('posts the difference of a manual change of amount or currency', () => {
  const { sandbox } = start();
  const { id } = sandbox.add('charge', { amount: 100 });
  for (const change of [{ amount: 70 }, { amount: 90 }, { currency: 'EUR' }, { status: 'failed' }] as const)
    sandbox.update('charge', id, change);
  expect(entriesOf(sandbox)).toEqual([
    'cash sales 100 USD',
    'sales cash 30 USD',
    'cash sales 20 USD',
    'sales cash 90 USD',
    'cash sales 90 EUR',
    'sales cash 90 EUR',
  ]);
});
