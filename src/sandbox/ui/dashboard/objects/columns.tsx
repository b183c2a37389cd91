import type { ShownKind } from '../../../domain/shown-kinds.ts';
import { decimalText, moneyText } from '../kit/format.ts';
import { addressOf } from '../kit/id-address.ts';
import type { Column } from '../kit/table.tsx';
import { Id, State, Time } from '../kit/values.tsx';
import { type Item, textIn, timeIn } from './item.ts';

type ItemColumn = Column<Item>;

function text(name: string, ...fields: readonly string[]): ItemColumn {
  const cell = (item: Item) =>
    fields
      .map((field) => textIn(item, field))
      .join(' ')
      .trim();
  return { name, cell };
}

function state(name = 'State', field = 'status'): ItemColumn {
  return { name, cell: (item) => textIn(item, field) !== '' && <State state={textIn(item, field)} /> };
}

/** An amount: an integer of minor units, or a decimal string as the form endpoint has them. */
function money(name: string, field: string): ItemColumn {
  const cell = (item: Item) => {
    const { [field]: amount, currency } = item;
    if (typeof currency !== 'string') return textIn(item, field);
    if (typeof amount === 'number') return moneyText(amount, currency);
    return typeof amount === 'string' && decimalText(amount, currency);
  };
  return { name, cell, end: true };
}

function link(name: string, field: string): ItemColumn {
  const cell = (item: Item) => {
    const id = textIn(item, field);
    return id !== '' && <Id id={id} href={addressOf(id) ?? null} copy={false} />;
  };
  return { name, cell, wide: true };
}

function time(name: string, field: string): ItemColumn {
  const cell = (item: Item) => {
    const at = timeIn(item, field);
    return at !== undefined && <Time at={at} />;
  };
  return { name, cell };
}

const created = time('Created', 'created_at');
const amount = money('Amount', 'amount');
const total = money('Total', 'total');
const customer = link('Customer', 'customer');
const named = [text('Name', 'name', 'display_name', 'nickname'), created];

/** What each kind's list shows behind the id. The kinds come in the order in which people look for them. */
export const columnsByKind: Readonly<Record<ShownKind, readonly ItemColumn[]>> = {
  payment_intent: [state(), amount, customer, link('Charge', 'latest_charge_id'), created],
  charge: [
    state(),
    amount,
    money('Refunded', 'amount_refunded'),
    text('Declined', 'decline_code'),
    link('Payment intent', 'intent_id'),
    created,
  ],
  refund: [state(), amount, text('Reason', 'reason'), link('Charge', 'charge_id'), created],
  checkout_session: [
    state(),
    state('Payment', 'payment_status'),
    money('Total', 'amount_total'),
    text('Reference', 'client_reference_id'),
    text('E-mail', 'customer_email'),
    created,
  ],
  transaction: [
    state(),
    text('Type', 'type'),
    amount,
    text('Order', 'orderid'),
    text('Response', 'responsetext'),
    time('Created', 'createdAt'),
  ],
  customer: [
    text('Name', 'first_name', 'last_name'),
    text('E-mail', 'email'),
    text('Phone', 'phone'),
    created,
  ],
  payment_method: [text('Type', 'type'), customer, created],
  subscription: [
    state(),
    customer,
    time('Renewed or ends', 'current_period_end'),
    text('Cancels at the end', 'cancel_at_period_end'),
    created,
  ],
  invoice: [
    state(),
    text('Number', 'number'),
    total,
    money('Remaining', 'amount_remaining'),
    customer,
    created,
  ],
  credit_note: [
    state(),
    text('Number', 'number'),
    total,
    text('Reason', 'reason'),
    link('Invoice', 'invoice'),
    time('Created', 'created'),
  ],
  product: named,
  price: [money('Amount', 'unit_amount'), link('Product', 'product'), created],
  terminal: named,
  terminal_batch: [
    state(),
    state('Reconciliation', 'reconciliation_status'),
    text('Transactions', 'transaction_count'),
    time('Closed', 'closed_at'),
    created,
  ],
  settlement_profile: named,
  account: named,
  connection: [state(), created],
  account_link: [text('Address', 'url'), created],
  webhook_endpoint: [state(), text('Address', 'url'), created],
  api_key: named,
};

/** Returns the columns of a kind; `undefined` where the sandbox shows no such kind. */
export function columnsOf(kind: string): readonly ItemColumn[] | undefined {
  return Object.entries(columnsByKind).find(([name]) => name === kind)?.[1];
}
