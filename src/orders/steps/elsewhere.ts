/**
 * What is said of payments that are not known yet: refunds that others make, chargebacks, and charges. It is kept beside the orders, by the id
 * that it names.
 */

import type { PaymentIntent } from '../../resources/objects/payment-intents.ts';
import type { Refund } from '../../resources/objects/refunds.ts';
import type { Context } from '../context.ts';
import { joinChargeback, joinIntent, joinRefund, joinStray, type Notice, strayOf } from '../record/join.ts';
import { idsOf, type OrderRecord, paymentOf, type Stray } from '../record/record.ts';
import { findKey, recordAt, update } from '../record/records.ts';
import { news } from './look.ts';

/** What is kept for an id. */
interface Kept {
  strays: Stray[];
  notices: Notice[];
  /** The charge of an intent; null if it is not known. */
  charge: string | null;
}

const keyFor = ({ space }: Context, id: string) => `${space}/elsewhere/${id}`;

function parseKept(data: string | undefined): Kept {
  // Only this file writes it.
  return data === undefined ? { strays: [], notices: [], charge: null } : (JSON.parse(data) as Kept);
}

/** Keeps what is said of an id. */
async function keep(context: Context, id: string, add: (kept: Kept) => void): Promise<void> {
  const key = keyFor(context, id);
  for (;;) {
    const document = await context.store.load(key);
    const kept = parseKept(document?.data);
    add(kept);
    const data = JSON.stringify(kept);
    if (await context.store.save(key, document?.version ?? 0, data, { wakeAt: null })) return;
  }
}

/** Joins what is said of an id, or keeps it. Returns the key of its order; `undefined` if it is not known yet, or of no order. */
async function note(
  context: Context,
  find: () => Promise<string | undefined>,
  join: (record: OrderRecord) => void,
  store: () => Promise<void>,
): Promise<string | undefined> {
  let key = await find();
  if (key === undefined) {
    await store();
    // The payment may have become known meanwhile, without this.
    key = await find();
  }
  if (key !== undefined) await update(context, key, join);
  return key;
}

/** Joins a refund of an event. Returns the key of its order; `undefined` if it is not known yet, or of no order. */
export function noteRefund(context: Context, refund: Refund): Promise<string | undefined> {
  const { now } = context.terms();
  const { id, payment_intent_id: intent } = refund;
  return note(
    context,
    async () => (await findKey(context, id)) ?? findKey(context, intent),
    (record) => joinRefund(record, refund, now),
    async () => {
      const stray = strayOf(refund, now);
      if (stray !== undefined)
        await keep(context, intent, (kept) => joinStray({ ...kept, parts: [] }, stray));
    },
  );
}

/**
 * Joins an intent of an event. Of one that is not known yet, as that of a page before its session has told of it, the charge is kept: a
 * chargeback may name it.
 *
 * @returns The key of its order; `undefined` if it is not known yet, or of no order.
 */
export function noteIntent(context: Context, intent: PaymentIntent): Promise<string | undefined> {
  const { id, latest_charge_id: charge } = intent;
  return note(
    context,
    () => findKey(context, id),
    (record) => joinIntent(record, intent),
    async () => {
      if (charge !== null) await keep(context, id, (kept) => Object.assign(kept, { charge }));
    },
  );
}

/** Asks the service for the intent of a charge: that of a page may be known to it alone. */
async function intentOf({ payments }: Context, transaction: string): Promise<string | undefined> {
  if (!transaction.startsWith('ch_')) return undefined;
  return (await news(payments.charges.retrieve(transaction as `ch_${string}`)))?.intent_id;
}

/** Joins a chargeback of an event. Returns the key of its order; `undefined` if it is not known yet, or of no order. */
export async function noteChargeback(context: Context, notice: Notice): Promise<string | undefined> {
  const { chargeback_id, transaction_id, amount, reason_code, reason, due_date } = notice;
  const own = { chargeback_id, transaction_id, amount, reason_code, reason, due_date };
  const isKnown = (await findKey(context, transaction_id)) !== undefined;
  const intent = isKnown ? undefined : await intentOf(context, transaction_id);
  return note(
    context,
    async () => (await findKey(context, transaction_id)) ?? (intent && (await findKey(context, intent))),
    (record) => joinChargeback(record, own, intent),
    async () => {
      // A page tells its intent, and no charge.
      await keep(context, intent ?? transaction_id, ({ notices }) => {
        if (!notices.some((known) => known.chargeback_id === chargeback_id))
          notices.push({ ...own, transaction_id: intent ?? transaction_id });
      });
    },
  );
}

/** Whether it is to be looked what was said of an id before it was known. */
export function isUnsearched({ payments }: OrderRecord): boolean {
  return payments.some((payment) => idsOf(payment).some((id) => !payment.searched.includes(id)));
}

/** Joins what was kept for the ids that a record knows by now. Each is looked for once. */
export async function searchElsewhere(context: Context, key: string): Promise<void> {
  const { payments } = await recordAt(context, key);
  const unsearched = payments.flatMap((payment) =>
    idsOf(payment).flatMap((id) => (payment.searched.includes(id) ? [] : { op: payment.op, id })),
  );
  const found: ({ readonly op: string; readonly id: string } & Kept)[] = [];
  for (const { op, id } of unsearched) {
    const document = await context.store.load(keyFor(context, id));
    found.push({ op, id, ...parseKept(document?.data) });
  }
  const { record: joined } = await update(context, key, (record) => {
    for (const { op, id, strays, notices, charge } of found) {
      const payment = paymentOf(record, op);
      payment.searched.push(id);
      payment.charge ??= charge;
      for (const stray of strays) joinStray(record, stray);
      for (const notice of notices) joinChargeback(record, notice);
    }
  });
  // A charge that was found here may have a chargeback.
  if (isUnsearched(joined)) await searchElsewhere(context, key);
}
