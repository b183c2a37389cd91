import type { Entry, RecordedChange, RecordedDelivery, RecordedRequest } from './entry.ts';

/** Kinds whose objects belong to one order; a customer or a product belongs to many. */
const ownKinds = new Set([
  'checkout_session',
  'payment_intent',
  'charge',
  'refund',
  'invoice',
  'subscription',
  'credit_note',
  'transaction',
  'chargeback',
  'authentication',
]);

/** Returns the id prefixes of those kinds. */
export function ownPrefixes(prefixes: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(prefixes).flatMap(([kind, prefix]) => (ownKinds.has(kind) ? [prefix] : []));
}

/** Whether objects of a kind belong to one order. */
export function isOwnKind(kind: string): boolean {
  return ownKinds.has(kind);
}

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

const ofObject = (id: string) => `object ${id}`;

function referencesIn(value: unknown): readonly string[] {
  const fields = new Map(Object.entries(Object(value)));
  return references.flatMap((name) => {
    const id = fields.get(name);
    return typeof id === 'string' && id !== '' ? [ofObject(id)] : [];
  });
}

function parse(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function fieldsOfForm({ request: { body } }: RecordedRequest): readonly string[] {
  const form = new URLSearchParams(body ?? '');
  const [order, transaction] = [form.get('orderid') ?? '', form.get('transactionid') ?? ''];
  return [
    ...(order === '' ? [] : [`order ${order}`]),
    ...(transaction === '' ? [] : [ofObject(transaction)]),
  ];
}

/** The sandbox's data that links need. */
export interface LinkSettings {
  /** The id prefixes of the kinds of one order. */
  readonly prefixes: readonly string[];
  /** Returns the subscription of an invoice; `undefined` if it has none. */
  subscriptionOf(invoice: string): string | undefined;
}

function ofRequest(request: RecordedRequest, { prefixes }: LinkSettings): readonly string[] {
  const { number, path, operation, operationId, idempotencyKey, requestId, method } = request;
  const ids = path.split('/').filter((part) => prefixes.some((prefix) => part.startsWith(prefix)));
  const known = [
    `entry ${number}`,
    ...(operationId === null ? [] : [`operation ${operationId}`]),
    ...(idempotencyKey === null ? [] : [`key ${idempotencyKey}`]),
    ...(requestId === null ? [] : [`request ${requestId}`]),
    ...ids.map(ofObject),
  ];
  if (operation === 'transact.submit') return [...known, ...fieldsOfForm(request)];
  // The response of a list concerns many orders.
  return method === 'POST' ? [...known, ...referencesIn(parse(request.request.body))] : known;
}

function ofChange(change: RecordedChange, { subscriptionOf }: LinkSettings): readonly string[] {
  const { object, after, before, cause, unit, events } = change;
  const subscription = object.kind === 'invoice' ? subscriptionOf(object.id) : undefined;
  return [
    ofObject(object.id),
    ...(cause === null ? [] : [`entry ${cause}`]),
    ...(unit === null ? [] : [`unit ${unit}`]),
    ...(subscription === undefined ? [] : [ofObject(subscription)]),
    ...events.map(({ id }) => `event ${id}`),
    ...referencesIn(after ?? before),
  ];
}

function ofDelivery({ event, object, deliveryId }: RecordedDelivery): readonly string[] {
  return [ofObject(object), `event ${event.id}`, `delivery ${deliveryId}`];
}

/** Returns the names of an entry's story. Entries that share a name belong to the same story. */
export function linksOf(entry: Entry, settings: LinkSettings): readonly string[] {
  switch (entry.kind) {
    case 'request':
      return ofRequest(entry, settings);
    case 'change':
      return isOwnKind(entry.object.kind) ? ofChange(entry, settings) : [];
    case 'delivery':
      return ofDelivery(entry);
    case 'action':
      return [];
  }
}
