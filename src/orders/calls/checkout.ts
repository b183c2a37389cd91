/** Sends the buyer to a page. */

import { refuseValue } from '../../base/errors.ts';
import type {
  CheckoutSession,
  CheckoutSessionCreateParams,
} from '../../resources/objects/checkout-sessions.ts';
import type { Context } from '../context.ts';
import { orderError } from '../errors.ts';
import { joinSession } from '../record/join.ts';
import type { OrderRecord, Payment } from '../record/record.ts';
import { type Begun, begin, recordAt, update } from '../record/records.ts';
import { dueOf } from '../record/sums.ts';
import { closeOpen, closeOthers } from '../steps/close.ts';
import { createPage } from '../steps/create.ts';
import { drive } from '../steps/drive.ts';
import { news } from '../steps/look.ts';
import type { Checkout, OrderRow } from '../types/order.ts';
import { findWay, type Wanted, type Way } from './way.ts';

/** How often a page is looked for, while the order keeps changing. */
const maxTries = 5;

type Id = `cs_${string}`;

/** @throws ConfigurationError for what is no address: the buyer could not come back. */
function checkedPage(url: string): string {
  const isAddress = typeof url === 'string' && URL.canParse(url);
  return isAddress
    ? url
    : refuseValue('page()', "the absolute URL of an order's page", url, 'Nothing was sent.');
}

function pageOf({ page }: Context, id: string): Wanted {
  const body = (
    { lines, currency, customer }: OrderRow,
    due: number,
    isRest: boolean,
  ): CheckoutSessionCreateParams => {
    const sold = isRest ? [{ name: `Rest of order ${id}`, amount: due, quantity: 1 }] : lines;
    const url = checkedPage(page(id));
    return {
      mode: 'payment',
      line_items: sold.map(({ name, amount, quantity }) => ({
        name,
        amount,
        quantity,
        currency: currency.toLowerCase(),
      })),
      success_url: url,
      cancel_url: url,
      ...(typeof customer === 'string' && { customer }),
    };
  };
  return { kind: 'page', manual: false, body };
}

async function checkAmount(
  context: Context,
  key: string,
  { record, payment }: Way,
  session: CheckoutSession,
): Promise<void> {
  const { asked, currency } = payment;
  const { amount_total, currency: received } = session;
  if (amount_total === asked && received.toUpperCase() === currency) return;
  await closeOpen(context, key, payment);
  const message = `order ${record.id}: expected a page that asks for ${asked} ${currency} in minor units, got ${session.id} of ${amount_total} ${received}. The page was closed: ask your provider what it adds.`;
  throw orderError('ORDER_AMOUNT', message);
}

/** Whether another process has opened a page since, after an edit: two would close each other. */
function isOutdated({ payments }: OrderRecord, op: string): boolean {
  const isOpen = ({ kind, status, closing }: Payment) =>
    kind === 'page' && (status === 'created' || status === 'open') && !closing;
  return payments.findLast(isOpen)?.op !== op;
}

/** Opens a new page. Returns its id; `undefined` if it is not needed any more. */
async function openPage(context: Context, key: string, way: Way): Promise<Id | undefined> {
  // Throws if the client knows no address of pages: then none is made.
  context.payments.checkoutSessions.pageUrl({ id: 'cs_any' });
  const { op } = way.payment;
  const { record, session } = await createPage(context, key, way.record, op);
  await checkAmount(context, key, way, session);
  if (isOutdated(record, op)) {
    await closeOpen(context, key, way.payment);
    return undefined;
  }
  const hasClosed = await closeOthers(context, key, op);
  // One may have been paid until it was closed.
  const present = hasClosed ? await recordAt(context, key) : record;
  const isNeeded = dueOf(present, present.seen) >= way.payment.asked;
  if (!isNeeded) await closeOpen(context, key, way.payment);
  return isNeeded && session.status === 'open' && session.payment_status !== 'paid' ? session.id : undefined;
}

/** Looks whether a page can still be paid. Returns its id; `undefined` if not. */
async function reusePage(context: Context, key: string, ref: string): Promise<Id | undefined> {
  const id = ref as Id;
  const session = await news(context.payments.checkoutSessions.retrieve(id));
  if (session === undefined) return id;
  await update(context, key, (record) => joinSession(record, session));
  return session.status === 'open' && session.payment_status !== 'paid' ? id : undefined;
}

async function tryCheckout(context: Context, begun: Begun, id: string): Promise<Checkout | undefined> {
  const { key } = begun;
  const way = await findWay(context, begun, pageOf(context, id));
  if (typeof way === 'string') return { state: way === 'authorized' ? 'in_progress' : way };
  const { ref, asked: amount, currency } = way.payment;
  const session = ref === null ? await openPage(context, key, way) : await reusePage(context, key, ref);
  if (session !== undefined) {
    const url = context.payments.checkoutSessions.pageUrl({ id: session });
    return { state: 'open', url, session, due: { amount, currency } };
  }
  await drive(context, key);
  return undefined;
}

/** Finds the page where an order is paid. */
export async function checkout(context: Context, id: string): Promise<Checkout> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await tryCheckout(context, await begin(context, id), id);
    if (found !== undefined) return found;
  }
  const message = `order ${id}: expected a page that can be paid within ${maxTries} tries, got none. Call again.`;
  throw orderError('ORDER_CHANGED', message, { outcome: 'unknown', retryable: true });
}
