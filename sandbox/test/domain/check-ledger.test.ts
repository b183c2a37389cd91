/** Reaches inside: the ledger must reject changes that no request can make. */

import fc from 'fast-check';
import { PaymentsClient, PaymentsError } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { anything } from '../../../test/support/anything.ts';
import { start } from '../../../test/support/sandbox-requests.ts';
import { sandboxState, stateOf } from '../../../test/support/sandbox-state.ts';
import { bySize } from '../../../test/support/size.ts';
import { checkLedger } from '../../src/domain/check-ledger.ts';
import type { Change } from '../../src/domain/state.ts';

/** One step: the operation, its object and the amount. */
const step = fc.record({
  what: fc.constantFrom(
    'create',
    'confirm',
    'capture',
    'cancel',
    'refund',
    'retry',
    'settle',
    'advance',
    'subscribe',
    'updatePaymentMethod',
    'checkout',
    'credit',
    'void',
    'endSubscription',
  ),
  which: fc.nat(50),
  amount: fc.integer({ min: 1, max: 2000 }),
  method: fc.constantFrom(
    'pm_card',
    'pm_card_declined',
    'pm_card_fails_on_renewal',
    'pm_card_refund_fails',
    'pm_card_refund_fails_once',
  ),
} as const);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function client(sandbox: Sandbox): PaymentsClient {
  const { url: baseUrl, secretKey, fetch } = sandbox;
  return new PaymentsClient({ baseUrl, secretKey, fetch, maxRetries: 0 });
}

async function perform(
  sandbox: Sandbox,
  payments: PaymentsClient,
  { what, which, amount, method }: Step,
  operationId: string,
): Promise<void> {
  const once = { operationId };
  const pick = <T>(all: readonly T[]): T | undefined => all[which % Math.max(1, all.length)];
  const intent = async () =>
    pick(await payments.paymentIntents.list().toArray({ max: 500 }))?.id ?? 'pi_none';
  switch (what) {
    case 'create': {
      const capture_method = which % 2 === 0 ? 'manual' : 'automatic';
      await payments.paymentIntents.create({ amount, currency: 'usd', capture_method }, once);
      return;
    }
    case 'confirm':
      await payments.paymentIntents.confirm(await intent(), { payment_method: method }, once);
      return;
    case 'capture':
      await payments.paymentIntents.capture(await intent(), { amount }, once);
      return;
    case 'cancel':
      await payments.paymentIntents.cancel(await intent(), once);
      return;
    case 'refund':
      await payments.refunds.create({ payment_intent_id: await intent(), amount }, once);
      return;
    case 'retry': {
      const refund = pick(await payments.refunds.list().toArray({ max: 500 }));
      if (refund !== undefined) await payments.refunds.retry(refund.id, once);
      return;
    }
    case 'settle':
      sandbox.settle();
      return;
    case 'advance':
      await sandbox.clock.advance(`${amount} minutes`);
      return;
    case 'subscribe': {
      const payment_settings = { default_payment_method: method };
      const customer = sandbox.add('customer', { payment_settings }).id;
      const price = 'price_random';
      if (sandbox.get('price', price) === undefined) sandbox.add('price', { id: price, unit_amount: amount });
      const collection_method = which % 3 === 0 ? 'send_invoice' : 'charge_automatically';
      await payments.subscriptions.create({ customer, items: [{ price }], collection_method }, once);
      return;
    }
    case 'updatePaymentMethod': {
      const invoice = pick(await payments.invoices.list().toArray({ max: 500 }));
      if (invoice === undefined) return;
      await payments.invoices.updatePaymentMethod(invoice.id, { payment_method: method }, once);
      return;
    }
    case 'checkout': {
      const line_items = [{ name: 'Tea', amount, currency: 'usd', quantity: 1 }];
      const mode = which % 2 === 0 ? 'subscription' : 'payment';
      const urls = { success_url: 'https://shop.example/yes', cancel_url: 'https://shop.example/no' };
      const { id } = await payments.checkoutSessions.create({ mode, line_items, ...urls }, once);
      sandbox.pay(id, { payment_method: method });
      return;
    }
    case 'credit': {
      const invoice = pick(await payments.invoices.list().toArray({ max: 500 }));
      if (invoice === undefined) return;
      await payments.creditNotes.create(
        { invoice: invoice.id, lines: [{ description: 'Tea', amount }] },
        once,
      );
      return;
    }
    case 'void': {
      const note = pick(await payments.creditNotes.list().toArray({ max: 500 }));
      if (note !== undefined) await payments.creditNotes.void(note.id, once);
      return;
    }
    case 'endSubscription': {
      const subscription = pick(await payments.subscriptions.list().toArray({ max: 500 }));
      if (subscription !== undefined) await payments.subscriptions.cancel(subscription.id, once);
    }
  }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Recomputes the sums from all objects and events, and compares them with the ledger. */
async function audit(sandbox: Sandbox, payments: PaymentsClient): Promise<void> {
  const max = { max: 2000 };
  const charges = await payments.charges.list().toArray(max);
  const refunds = await payments.refunds.list().toArray(max);
  const invoices = await payments.invoices.list().toArray(max);
  const notes = await payments.creditNotes.list().toArray(max);
  for (const { id, amount, amount_refunded, intent_id } of charges) {
    const taken = refunds.filter((refund) => refund.charge_id === id && refund.status !== 'failed');
    expect(amount_refunded).toBe(sum(taken.map((refund) => refund.amount)));
    expect(amount_refunded).toBeLessThanOrEqual(amount);
    expect(amount).toBeLessThanOrEqual(sandbox.get('payment_intent', intent_id)?.amount ?? 0);
  }
  for (const { id, total, amount_paid, amount_remaining, status } of invoices) {
    expect(amount_paid + amount_remaining).toBe(total);
    if (status === 'paid') expect(amount_remaining).toBe(0);
    const issued = notes.filter((note) => note.invoice === id && note.status === 'issued');
    expect(sum(issued.map((note) => note.total))).toBeLessThanOrEqual(total);
  }
  for (const { id, totals, transaction_count } of await payments.terminalBatches.list().toArray(max)) {
    const sales = charges.filter((charge) => charge.settlement_batch_id === id);
    const back = refunds.filter((refund) => refund.settlement_batch_id === id);
    expect(totals.sales).toBe(sum(sales.map(({ amount }) => amount)));
    expect(totals.refunds).toBe(sum(back.map(({ amount }) => amount)));
    expect(transaction_count).toBe(sales.length + back.length);
  }
  const { ledger_account: accounts } = stateOf(sandbox).objects;
  const balance = (account: string) => {
    const { debits, credits } = accounts.get(`USD ${account}`) ?? { debits: 0, credits: 0 };
    return debits - credits;
  };
  const amounts = (all: readonly { readonly status: string; readonly amount: number }[], status: string) =>
    sum(all.filter((one) => one.status === status).map(({ amount }) => amount));
  const taken = amounts(charges, 'succeeded');
  const [paid, pending] = [amounts(refunds, 'succeeded'), amounts(refunds, 'pending')];
  expect(['sales', 'refunds', 'pending_refunds', 'cash'].map(balance)).toEqual(
    // A debit is positive.
    [0 - taken, paid + pending, 0 - pending, taken - paid],
  );
  const told = (type: string) => sandbox.events.filter((event) => event.type === type).length;
  const intents = await payments.paymentIntents.list().toArray(max);
  const subscriptions = await payments.subscriptions.list().toArray(max);
  const counted = (all: readonly { readonly status: string }[], status: string) =>
    all.filter((one) => one.status === status).length;
  expect(told('payment_intent.created')).toBe(intents.length);
  expect(told('payment_intent.succeeded')).toBe(counted(intents, 'succeeded'));
  expect(told('payment_intent.canceled')).toBe(counted(intents, 'canceled'));
  expect(told('payment_intent.payment_failed')).toBe(counted(charges, 'failed'));
  expect(told('refund.created')).toBe(refunds.length);
  expect(told('refund.succeeded')).toBe(counted(refunds, 'succeeded'));
  expect(told('charge.settled')).toBe(charges.filter(({ settled_at }) => settled_at !== null).length);
  expect(told('refund.settled')).toBe(refunds.filter(({ settled_at }) => settled_at !== null).length);
  expect(told('invoice.paid')).toBe(counted(invoices, 'paid'));
  expect(told('invoice.marked_uncollectible')).toBe(counted(invoices, 'uncollectible'));
  expect(told('subscription.created')).toBe(subscriptions.length);
  expect(told('subscription.canceled')).toBe(counted(subscriptions, 'canceled'));
  expect(told('credit_note.created')).toBe(notes.length);
  expect(told('credit_note.voided')).toBe(counted(notes, 'void'));
}

test('for random operations, the sums add up and events match the transitions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1) });
      const payments = client(sandbox);
      for (const [index, one] of steps.entries()) {
        await perform(sandbox, payments, one, `step-${index}`).catch((error: unknown) => {
          // A refusal is allowed; a failure of the sandbox, a 500, is not.
          if (!(error instanceof PaymentsError) || error.outcome !== 'not_executed') throw error;
        });
      }
      await sandbox.settled();
      await audit(sandbox, payments);
    }),
    { numRuns: bySize({ short: 8, all: 40 }) },
  );
});

/** The operations that require a state, and the states that they reject. */
const moves = [
  ['checkout_session', 'checkout/sessions', 'expire', ['complete', 'expired']],
  ['checkout_session', 'checkout/sessions', 'refund', ['open', 'expired']],
  ['payment_intent', 'payment_intents', 'confirm', ['succeeded', 'canceled', 'requires_capture']],
  [
    'payment_intent',
    'payment_intents',
    'capture',
    ['requires_payment_method', 'requires_action', 'succeeded', 'canceled'],
  ],
  ['payment_intent', 'payment_intents', 'cancel', ['succeeded', 'canceled']],
  ['refund', 'refunds', 'retry', ['pending', 'succeeded']],
  ['invoice', 'invoices', 'update_payment_method', ['paid', 'uncollectible', 'draft']],
  ['credit_note', 'credit_notes', 'void', ['void']],
] as const;

test.each(
  moves.flatMap(([kind, path, move, wrong]) => wrong.map((status) => ({ kind, path, move, status }))),
)('a $status $kind rejects $move', async ({ kind, path, move, status }) => {
  const { sandbox, request } = start();
  const before = sandbox.add(kind, anything({ status }));
  const told = sandbox.events.length;
  const response = await request(`/v1/${path}/${before.id}/${move}`, { body: { payment_method: 'pm_card' } });
  expect(response.status).toBe(409);
  expect(sandbox.get(kind, before.id)).toEqual(before);
  expect(sandbox.events).toHaveLength(told);
});

/** Returns a function that checks changes against the ledger's rules. */
function checked(...changes: readonly Change[]): () => void {
  return () => checkLedger(sandboxState(), changes);
}

test('rejects refunds whose charge changes by another amount', () => {
  const { sandbox } = start();
  const charge = sandbox.add('charge', { amount: 1000 });
  const refund = sandbox.add('refund', { charge_id: charge.id, amount: 300 });
  const added = { kind: 'refund', id: refund.id, before: undefined, after: refund } as const;
  const refunded = (amount_refunded: number) =>
    ({ kind: 'charge', id: charge.id, before: charge, after: { ...charge, amount_refunded } }) as const;
  expect(checked(added, refunded(300))).not.toThrow();
  expect(checked(added, refunded(299))).toThrow(/changed by 300, its amount_refunded by 299/);
  const gone = { kind: 'refund', id: refund.id, before: refund, after: undefined } as const;
  expect(checked({ ...refunded(300), before: { ...charge, amount_refunded: 300 } }, gone)).toThrow(
    /changed by -300/,
  );
  expect(checked({ ...refunded(0), after: undefined })).not.toThrow();
});

test('a closed batch nets what it settles', () => {
  const { sandbox } = start();
  const open = sandbox.add('terminal_batch', { status: 'open' });
  const charge = sandbox.add('charge', { amount: 1000 });
  const after = { ...charge, settled_at: 1, settlement_batch_id: open.id };
  const settled = { kind: 'charge', id: charge.id, before: charge, after } as const;
  const closed = (sales: number): Change => ({
    kind: 'terminal_batch',
    id: open.id,
    before: open,
    after: { ...open, status: 'closed', totals: { ...open.totals, sales, refunds: 0 } },
  });
  expect(checked(settled, closed(1000))).not.toThrow();
  expect(checked(settled, closed(999))).toThrow(/nets 999, and settles 1000/);
  const touched = { kind: 'terminal_batch', id: open.id, before: open, after: { ...open } } as const;
  expect(checked(settled, touched)).not.toThrow();
  // Objects that were settled before, or by another batch, do not count.
  expect(checked({ ...settled, before: after }, closed(999))).not.toThrow();
  const elsewhere = { ...after, settlement_batch_id: 'tmb_other' } as const;
  expect(checked({ ...settled, after: elsewhere }, closed(999))).not.toThrow();
});

test('a unit of work that does not add up is rolled back', () => {
  const { sandbox } = start();
  expect(() => sandbox.add('charge', { amount: 100, amount_refunded: 101 })).toThrow(/does not add up/);
  const intent = sandbox.add('payment_intent', { amount: 100 });
  expect(() => sandbox.add('charge', { intent_id: intent.id, amount: 101 })).toThrow(/does not add up/);
  const invoice = sandbox.add('invoice');
  expect(() => sandbox.update('invoice', invoice.id, { amount_paid: 500 })).toThrow(/does not add up/);
  expect(sandbox.get('invoice', invoice.id)).toEqual(invoice);
  expect(() => sandbox.add('credit_note', { invoice: invoice.id, total: 1201 })).toThrow(/does not add up/);
  // A reference to a missing object is allowed.
  expect(sandbox.add('credit_note', { total: 5000 }).total).toBe(5000);
});
