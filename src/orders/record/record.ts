/** The record of an order: its payments and refunds, and what proves them. The merchant keeps the row, the price and the shipment. */

import type { Money } from '../types/money.ts';
import type { OrderPayment, OrderRefund } from '../types/order.ts';
import type { ReturnedMoney } from '../types/orders.ts';

/** The card that an intent is being paid with. */
export interface CardAttempt {
  op: string;
  method: string;
  /** `sending`: its outcome is not known yet. `action`: the buyer has to authenticate. */
  state: 'sending' | 'action' | 'declined';
  /** When it was sent first, in ms. */
  since: number;
}

/** A capture of an authorization. */
export interface Capture {
  op: string;
  amount: number;
  /** `unknown`: of the form endpoint, which has no keys. `refused`: the authorization stays as it was. */
  state: 'planned' | 'sending' | 'unknown' | 'refused' | 'done';
  /** When it was planned, or sent first, in ms. */
  since: number;
}

/** A way to pay. */
export interface Payment {
  op: string;
  kind: OrderPayment['kind'];
  since: number;
  /** What the buyer was asked for. */
  asked: number;
  currency: string;
  /** The parameters, so that a repeat sends the same. */
  body: unknown;
  /** The id of the session, the intent or the transaction. */
  ref: string | null;
  intent: string | null;
  charge: string | null;
  /** `dropped`: the service refused to create it. */
  status: OrderPayment['status'] | 'dropped';
  /** What was paid. */
  paid: number;
  expiresAt: number | null;
  /** Whether it was asked to close. */
  closing: boolean;
  /**
   * What is to become of authorized money. `refused`: the service refused to take it. `unwanted`: it is to be released. `stuck`: the service
   * refused that too. `last`: a person says that nothing was taken, so it is to be released once more.
   */
  hold: 'wanted' | 'refused' | 'unwanted' | 'stuck' | 'last';
  /** Whether the money is captured later. */
  manual: boolean;
  card: CardAttempt | null;
  cards: number;
  capture: Capture | null;
  /** The ids for which it was looked what was said of them before they were known. */
  searched: string[];
  /** Whether the captured amount was read, where it may differ from the one of the intent. */
  measured: boolean;
}

/** An attempt to give money back. */
export interface RefundAttempt {
  op: string;
  /** The return, or the id of what was too much. */
  id: string;
  why: 'return' | 'extra';
  /** The operation of the payment. */
  pay: string;
  amount: number;
  currency: string;
  ref: string | null;
  /** The refund that failed, if a person found another one instead: what is older than its failure is no news. */
  past: { readonly id: string; readonly at: number } | null;
  /** The `updated_at` of what is known. */
  at: number;
  since: number;
  status: OrderRefund['status'];
  message: string | null;
  /** When it was sent first, in ms; null if it was not. */
  sentAt: number | null;
  /** How often it was sent, and how often the service refused it. */
  sent: number;
  refused: number;
  /** Why a failed one is over: another attempt replaced it, or the merchant keeps the money. Null while it waits for a person. */
  closed: 'replaced' | 'kept' | null;
}

/** A refund that is not one of ours. */
export interface Stray {
  id: string;
  amount: number;
  currency: string;
  intent: string;
  status: 'pending' | 'succeeded' | 'failed';
  at: number;
  message: string | null;
  /** When it was seen first, in ms. */
  since: number;
  /** Whether a person knows of it. */
  known: boolean;
}

/** A chargeback. */
interface Dispute {
  id: string;
  pay: string;
  /** Null if it could not be read: then it is all of the payment. */
  amount: number | null;
  status: 'open' | 'lost' | 'won';
  detail: string;
}

/** The record of an order. */
export interface OrderRecord {
  format: 1;
  key: string;
  id: string;
  /** Makes the operation ids of this record its own: a lost or restored record never gets the result of another one. */
  nonce: string;
  counter: number;
  livemode: boolean | null;
  canceled: boolean;
  /** What the order cost when it was paid in full. */
  settled: Money | null;
  /** Whether `onPaid` has run. */
  handed: boolean;
  /** Until when another process runs `onPaid`. */
  lease: number;
  /** Whether the row was missing when it was read last. */
  missing: boolean;
  /** Why `onPaid` failed last. */
  unshipped: string | null;
  /** What the row asked for when it was read last. */
  seen: Money;
  payments: Payment[];
  parts: RefundAttempt[];
  /** What the merchant asked to give back, by its own ids. */
  returns: ReturnedMoney[];
  strays: Stray[];
  disputes: Dispute[];
  /** How often in a row `resume` failed. */
  failures: number;
}

/** Returns the record of a new order. */
export function newRecord(key: string, id: string, seen: Money): OrderRecord {
  return {
    format: 1,
    key,
    id,
    nonce: crypto.randomUUID(),
    counter: 0,
    livemode: null,
    canceled: false,
    settled: null,
    handed: false,
    lease: 0,
    missing: false,
    unshipped: null,
    seen,
    payments: [],
    parts: [],
    returns: [],
    strays: [],
    disputes: [],
    failures: 0,
  };
}

/** Returns the record of a text that `JSON.stringify` made of one. */
export function parseRecord(text: string): OrderRecord {
  // Only this module writes it.
  const record = JSON.parse(text) as OrderRecord;
  if (record.format !== 1)
    throw new Error(`expected an order record of format 1, got ${record.format}. Update the package.`);
  return record;
}

/** Returns the key of the record of an order whose row was created at a time. */
export function recordKeyAt(space: string, id: string, createdAt: string): string {
  return `${space}/order/${id}@${createdAt}`;
}

/** Returns when the row of a record was created, as its key says. */
export const createdAtOf = ({ key }: OrderRecord) => key.slice(key.lastIndexOf('@') + 1);

/** Returns a name for the next operation of a record. */
export function nextOp(record: OrderRecord): string {
  record.counter += 1;
  return `${record.nonce}/${record.counter}`;
}

/** Returns a name for the next refund of a return: a restored record takes none for that of another return. */
export function opOfReturn({ nonce, parts }: OrderRecord, id: string): string {
  const earlier = parts.filter((part) => part.id === id);
  return `${nonce}/${id}/${earlier.length + 1}`;
}

/** Names what a person is asked about held money: another answer is another question. */
export const holdOp = ({ op, hold, capture }: Payment) => `${capture?.op ?? op}/${hold}`;

/** Names what a person is asked about a refund that failed; its operation names the question whether it was made. */
export const failedOp = ({ op }: RefundAttempt) => `${op}/failed`;

/** Whether a refund failed, and a person has not said what is to become of it. */
export const isOpenFailure = ({ status, closed }: RefundAttempt) => status === 'failed' && closed === null;

/** Returns the id that the service derives its key from. */
export const operationId = ({ key }: OrderRecord, op: string) => `${key}/${op}`;

/** Returns a payment of a record, which never loses one. */
export function paymentOf(record: OrderRecord, op: string): Payment {
  const payment = record.payments.find((one) => one.op === op);
  if (payment === undefined) throw new Error(`expected a payment ${op} of order ${record.id}, got none.`);
  return payment;
}

/** Returns the ids that the service has given a payment. */
export function idsOf({ ref, intent, charge }: Payment): string[] {
  return [...new Set([ref, intent, charge].filter((id) => id !== null))];
}

/** Returns the ids by which events find a record. */
export function referencesOf({ payments, parts }: OrderRecord): string[] {
  // An event names a refund; no event names what a person found.
  const refunds = parts.flatMap(({ ref }) => (ref?.startsWith('rf_') ? ref : []));
  return [...new Set([...payments.flatMap(idsOf), ...refunds])];
}
