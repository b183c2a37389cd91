// A missing amount means all of it, so one that may be undefined must not compile, whatever `exactOptionalPropertyTypes` is.

import type { PaymentsClient, RefundCreateParams } from 'payments-client';

const by = { operationId: 'return-77' };

/** What must compile. */
export function takes(payments: PaymentsClient, given: RefundCreateParams, amount: number | undefined) {
  const part = amount === undefined ? {} : { amount };
  const parts: RefundCreateParams = { charge_id: 'ch_1' };
  parts.amount = 5;
  const stored = { payment_intent_id: 'pi_1', amount: 5 } as const;
  const prices: readonly number[] = [1, 2];
  return [
    payments.refunds.create({ payment_intent_id: 'pi_1' }, by),
    payments.refunds.create({ payment_intent_id: 'pi_1', amount: 5 }, by),
    payments.refunds.create({ payment_intent_id: 'pi_1', ...part }, by),
    payments.refunds.create({ charge_id: 'ch_1', ...(amount !== undefined && { amount }) }, by),
    payments.refunds.create(given, by),
    payments.refunds.create(parts, by),
    payments.refunds.create(stored, by),
    payments.paymentIntents.refund('pi_1', part, by),
    payments.paymentIntents.capture('pi_1', {}, by),
    payments.paymentIntents.capture('pi_1', part, by),
    payments.checkoutSessions.refund('cs_1', part, by),
    payments.creditNotes.create({ invoice: 'inv_1' }, by),
    payments.creditNotes.create({ invoice: 'inv_1', lines: [] }, by),
    payments.creditNotes.create(
      { invoice: 'inv_1', lines: [{ amount: 5 }, { unit_amount: 1, quantity: 2 }] },
      by,
    ),
    payments.creditNotes.create({ invoice: 'inv_1', lines: prices.map((price) => ({ amount: price })) }, by),
    payments.creditNotes.create({ invoice: 'inv_1', lines: [part] }, by),
    payments.transact.capture({ transactionid: '1' }),
    payments.transact.capture({ transactionid: '1', amount: '5.00' }),
    payments.transact.submit({ type: 'refund', transactionid: '1', amount: '5.00' }),
    payments.transact.submit({ type: 'void', transactionid: '1' }),
    payments.journal.plan().refunds.create({ payment_intent_id: 'pi_1', amount: 5 }, by),
  ];
}

/** What must not. */
export function refuses(payments: PaymentsClient, amount: number | undefined, text: string | undefined) {
  const stored = { payment_intent_id: 'pi_1', amount } as const;
  const lines = [{ amount: 5 }, { unit_amount: amount, quantity: 2 }];
  return [
    // @ts-expect-error -- it may be undefined.
    payments.refunds.create({ payment_intent_id: 'pi_1', amount }, by),
    // @ts-expect-error -- it is undefined.
    payments.refunds.create({ payment_intent_id: 'pi_1', amount: undefined }, by),
    // @ts-expect-error -- that of a charge may be undefined too.
    payments.refunds.create({ charge_id: 'ch_1', amount }, by),
    // @ts-expect-error -- that of a variable may be undefined too.
    payments.refunds.create(stored, by),
    // @ts-expect-error -- it may be undefined.
    payments.paymentIntents.refund('pi_1', { amount }, by),
    // @ts-expect-error -- it may be undefined.
    payments.paymentIntents.capture('pi_1', { amount }, by),
    // @ts-expect-error -- it may be undefined.
    payments.checkoutSessions.refund('cs_1', { amount }, by),
    // @ts-expect-error -- it may be undefined.
    payments.creditNotes.create({ invoice: 'inv_1', lines: [{ amount }] }, by),
    // @ts-expect-error -- one number of one line may be undefined.
    payments.creditNotes.create({ invoice: 'inv_1', lines }, by),
    // @ts-expect-error -- it may be undefined.
    payments.transact.capture({ transactionid: '1', amount: text }),
    // @ts-expect-error -- it may be undefined.
    payments.transact.submit({ type: 'refund', transactionid: '1', amount: text }),
    // @ts-expect-error -- an unknown name is still one.
    payments.refunds.create({ payment_intent_id: 'pi_1', amonut: 5 }, by),
    // @ts-expect-error -- so is one of a line.
    payments.creditNotes.create({ invoice: 'inv_1', lines: [{ amonut: 5 }] }, by),
    // @ts-expect-error -- a text is no amount.
    payments.refunds.create({ payment_intent_id: 'pi_1', amount: '5' }, by),
  ];
}
