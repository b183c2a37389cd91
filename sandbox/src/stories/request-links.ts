import { isFormOperation } from '../api/operation.ts';
import { operationIdOf, readOrderOperation } from '../api/operation-id.ts';
import type { Exchanged, LoggedRequest } from '../api/request-log.ts';
import { sha256Hex } from '../base/hash.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { redact } from '../sdk.ts';

/** Fields with the id of another object of the same order. */
const references: readonly string[] = [
  'session',
  'payment_intent_id',
  'payment_intent',
  'intent_id',
  'charge_id',
  'latest_charge_id',
  'refund',
  'refund_id',
  'invoice',
  'invoice_id',
  'subscription',
  'subscription_id',
  'transaction_id',
  'refundOf',
];

/** Names an object by its id. */
export const ofObject = (id: string) => `object ${id}`;

/** Names the objects that the fields of another one refer to. */
export function referencesIn(value: unknown): readonly string[] {
  if (!isRecord(value)) return [];
  return references.flatMap((name) => {
    const id = value[name];
    return typeof id === 'string' && id !== '' ? [ofObject(id)] : [];
  });
}

/** What the app calls an order by. */
type AppName = 'operation' | 'key' | 'order' | 'record';

/** Names an order by the app's own word, hashed: it may look like a card number, which no recording holds. */
export function ofApp(kind: AppName, word: string): string {
  return `${kind} ${sha256Hex(word)}`;
}

/** Returns the key of this package for an operation id of letters, digits, `.`, `_` and `-`. */
export function plainKey(operation: string, operationId: string): string {
  return `pc1:${operation}:${operationId}`;
}

/** Whether a name may be kept: a card number stands in no id, but may stand in its place. */
const isPlain = (name: string) => redact(name) === name;

function namesInForm(body: string): readonly string[] {
  const form = new URLSearchParams(body);
  const [order, transaction] = [form.get('orderid'), form.get('transactionid')];
  return [
    ...(order ? [ofApp('order', order)] : []),
    ...(transaction ? [ofObject(transaction)].filter(isPlain) : []),
  ];
}

/** What a request says about its order, read before it is redacted. Nothing of it is shown. */
export interface RequestLinks {
  /** The name of its idempotency key, which its retries have too; `null` without one. */
  readonly key: string | null;
  /** The name of its operation id; `null` without one. */
  readonly operation: string | null;
  /** The names in its body. */
  readonly body: readonly string[];
  /** The order of its operation id, if `payments-client/orders` made that; else `null`. */
  readonly order: OrderLinks | null;
}

/** An order of `payments-client/orders`. */
interface OrderLinks {
  /** The name of its record. */
  readonly record: string;
  /** The name of its own id, which finds it. Another order may have the same, so it joins nothing. */
  readonly id: string;
}

function orderLinks(operationId: string | null): OrderLinks | null {
  const order = readOrderOperation(operationId);
  return order === undefined ? null : { record: ofApp('record', order.record), id: ofApp('order', order.id) };
}

/** Reads what a request says about its order. */
export function linksOfRequest(
  { request: { method, headers }, body = '' }: Exchanged,
  operation: LoggedRequest['operation'],
): RequestLinks {
  const key = headers.get('idempotency-key');
  const operationId = operationIdOf(key);
  const named = isFormOperation(operation)
    ? namesInForm(body)
    : referencesIn(parseJson(body)).filter(isPlain);
  return {
    key: key === null ? null : ofApp('key', key),
    operation: operationId === null ? null : ofApp('operation', operationId),
    // The response of a list concerns many orders.
    body: method === 'POST' ? named : [],
    order: orderLinks(operationId),
  };
}
