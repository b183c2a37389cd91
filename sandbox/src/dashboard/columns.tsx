import type { ShownKind } from '../domain/state.ts';
import type { Column } from './kit/list.tsx';
import { decimalText, heading, Id, moneyText, State, Time } from './kit/values.tsx';

/** An object of any kind. */
export interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Returns a field's value as text; empty if there is none. */
export function textIn(item: Item, field: string): string {
  const value = item[field];
  return value === undefined || value === null ? '' : String(value);
}

/** Returns a time in ms since 1970. Resources of the service have seconds, the sandbox's own objects milliseconds. */
function timeIn(item: Item, field: string): number | undefined {
  const value = item[field];
  if (typeof value !== 'number') return undefined;
  return field === 'createdAt' ? value : value * 1_000;
}

type ItemColumn = Column<Item>;

function text(field: string): ItemColumn {
  return { name: heading(field), cell: (item) => textIn(item, field) };
}

function state(field = 'status'): ItemColumn {
  const cell = (item: Item) => textIn(item, field) !== '' && <State state={textIn(item, field)} />;
  return { name: heading(field), cell };
}

/** An amount column: minor units, or a decimal string of the form endpoint. */
function money(field: string): ItemColumn {
  const cell = (item: Item) => {
    const { [field]: amount, currency } = item;
    if (typeof currency !== 'string') return textIn(item, field);
    if (typeof amount === 'number') return moneyText(amount, currency);
    return typeof amount === 'string' && decimalText(amount, currency);
  };
  return { name: heading(field), cell, end: true };
}

function link(field: string): ItemColumn {
  const cell = (item: Item) => textIn(item, field) !== '' && <Id id={textIn(item, field)} copy={false} />;
  return { name: heading(field.replace(/_id$/, '')), cell, wide: true };
}

function time(field: string): ItemColumn {
  const cell = (item: Item) => {
    const at = timeIn(item, field);
    return at !== undefined && <Time at={at} />;
  };
  return { name: `${heading(field)} (UTC)`, cell };
}

const name: ItemColumn = {
  name: 'Name',
  cell: (item) =>
    (textIn(item, 'name') || `${textIn(item, 'first_name')} ${textIn(item, 'last_name')}`).trim(),
};
const created = time('created_at');
const amount = money('amount');
const total = money('total');
const customer = link('customer');
const named = [name, created];

/** The columns of each kind after the id, named by field. The kinds are in the order of the page. */
export const columnsByKind: Readonly<Record<ShownKind, readonly ItemColumn[]>> = {
  payment_intent: [state(), amount, customer, link('latest_charge_id'), created],
  charge: [state(), amount, money('amount_refunded'), text('decline_code'), link('intent_id'), created],
  refund: [state(), amount, text('reason'), link('charge_id'), created],
  checkout_session: [
    state(),
    state('payment_status'),
    money('amount_total'),
    text('client_reference_id'),
    text('customer_email'),
    created,
  ],
  transaction: [
    state(),
    text('type'),
    amount,
    text('orderid'),
    text('responsetext'),
    { ...time('createdAt'), name: created.name },
  ],
  customer: [name, text('email'), text('phone'), created],
  payment_method: [text('type'), customer, created],
  subscription: [state(), customer, time('current_period_end'), text('cancel_at_period_end'), created],
  invoice: [state(), text('number'), total, money('amount_remaining'), customer, created],
  credit_note: [state(), text('number'), total, text('reason'), link('invoice'), time('created')],
  product: named,
  price: [money('unit_amount'), link('product'), created],
  terminal: named,
  terminal_batch: [
    state(),
    state('reconciliation_status'),
    text('transaction_count'),
    time('closed_at'),
    created,
  ],
  settlement_profile: named,
  account: named,
  connection: [state(), created],
  account_link: [text('url'), created],
  webhook_endpoint: [state(), text('url'), created],
  api_key: named,
};

/** Returns the columns of a kind; `undefined` for an unknown kind. */
export function columnsOf(kind: string): readonly ItemColumn[] | undefined {
  return Object.entries(columnsByKind).find(([name]) => name === kind)?.[1];
}
