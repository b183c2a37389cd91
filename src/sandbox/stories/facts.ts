import { accountCurrency, minorUnitsOf, readAmount } from '../domain/payments/transaction-amount.ts';
import type { RecordedChange, RecordedDelivery, RecordedRequest } from './entry.ts';
import type { Group } from './group.ts';
import type { Money } from './story.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object of a story after its last change. */
export interface KnownObject {
  readonly kind: string;
  readonly id: string;
  readonly fields: Fields;
  readonly isRemoved: boolean;
}

/** A captured payment. */
export interface CapturedPayment extends Money {
  /** The id of the charge or the transaction. */
  readonly id: string;
  /** The time, in ms since 1970. */
  readonly at: number;
  /** The refunded amount, pending refunds included, in minor units. */
  readonly refunded: number;
}

/** The facts of a story. */
export interface Facts {
  readonly requests: readonly RecordedRequest[];
  readonly changes: readonly RecordedChange[];
  readonly deliveries: readonly RecordedDelivery[];
  readonly objects: readonly KnownObject[];
  readonly captured: readonly CapturedPayment[];
  /** The disputed amount, in minor units. */
  readonly disputed: number;
  readonly money: Money | null;
  readonly customer: string | null;
  readonly email: string | null;
}

function textOf(fields: Fields, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

function numberOf(fields: Fields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number') return value;
  }
  return undefined;
}

/** Returns the fields of a JSON or form body. */
export function bodyFields({ operation, request: { body } }: RecordedRequest): Fields {
  if (operation === 'transact.submit') return Object.fromEntries(new URLSearchParams(body ?? ''));
  try {
    return Object(JSON.parse(body ?? ''));
  } catch {
    return {};
  }
}

/** Converts an amount of a transaction to minor units. */
function amountOf(fields: Fields, name: 'amount' | 'captured' | 'refunded'): number {
  return minorUnitsOf(String(fields[name]));
}

/** Returns the sum of chargebacks, in minor units. */
function disputedOf(objects: readonly KnownObject[], currency: string): number {
  return objects
    .filter(({ kind }) => kind === 'chargeback')
    .reduce((sum, { fields }) => sum + (readAmount(String(fields['amount']), currency) ?? 0), 0);
}

function knownObjects(changes: readonly RecordedChange[]): readonly KnownObject[] {
  const known = new Map<string, KnownObject>();
  for (const { object, before, after } of changes) {
    known.set(object.id, { ...object, fields: after ?? before ?? {}, isRemoved: after === null });
  }
  return [...known.values()];
}

function capturedPayment(
  { kind, id, fields }: KnownObject,
  at: number,
  currency: string,
): CapturedPayment | undefined {
  if (kind === 'charge' && fields['status'] === 'succeeded') {
    const amount = numberOf(fields, 'amount') ?? 0;
    const refunded = numberOf(fields, 'amount_refunded') ?? 0;
    return { id, at, amount, refunded, currency: textOf(fields, 'currency') ?? currency };
  }
  if (kind !== 'transaction' || fields['approved'] !== true || fields['refundOf'] !== null) return undefined;
  const amount = amountOf(fields, 'captured');
  const isUndone = fields['status'] === 'voided';
  if (amount === 0) return undefined;
  return { id, at, amount, refunded: isUndone ? amount : amountOf(fields, 'refunded'), currency };
}

/** Returns the amount of an object; `null` if it has none. */
export function moneyOfObject(
  { kind, fields }: KnownObject,
  currency: string = accountCurrency,
): Money | null {
  const isTransaction = kind === 'transaction';
  const amount = isTransaction
    ? amountOf(fields, 'amount')
    : numberOf(fields, 'amount_total', 'amount', 'total');
  return amount === undefined ? null : { amount, currency: textOf(fields, 'currency') ?? currency };
}

/** Returns the amount in a request's body, if it is valid. */
function requestedMoney(request: RecordedRequest, currency: string): Money | null {
  const fields = bodyFields(request);
  const text = textOf(fields, 'amount');
  const amount = numberOf(fields, 'amount') ?? (text === null ? Number.NaN : Number(text.replace('.', '')));
  if (!Number.isSafeInteger(amount) || amount < 0) return null;
  return { amount, currency: (textOf(fields, 'currency') ?? currency).toUpperCase() };
}

/** Returns the amount of an order: that of the first object that has one, else the requested one. */
function moneyOf(
  objects: readonly KnownObject[],
  requests: readonly RecordedRequest[],
  currency: string,
): Money | null {
  const own = objects.map((object) => moneyOfObject(object, currency));
  const requested = requests.map((request) => requestedMoney(request, currency));
  return [...own, ...requested].find((money) => money !== null) ?? null;
}

function firstOf(sources: readonly Fields[], ...names: readonly string[]): string | null {
  return sources.map((fields) => textOf(fields, ...names)).find((text) => text !== null) ?? null;
}

/** Extracts the facts from the entries of an order. */
export function factsOf({ entries }: Pick<Group, 'entries'>): Facts {
  const requests = entries.filter((entry) => entry.kind === 'request');
  const changes = entries.filter((entry) => entry.kind === 'change');
  const deliveries = entries.filter((entry) => entry.kind === 'delivery');
  const objects = knownObjects(changes);
  const firstSeen = new Map(changes.toReversed().map(({ object, at }) => [object.id, at]));
  const sources = [...objects.map(({ fields }) => fields), ...requests.map(bodyFields)];
  const currency = (firstOf(sources, 'currency') ?? accountCurrency).toUpperCase();
  const captured = objects.flatMap(
    (object) => capturedPayment(object, firstSeen.get(object.id) ?? 0, currency) ?? [],
  );
  return {
    requests,
    changes,
    deliveries,
    objects,
    captured,
    disputed: disputedOf(objects, currency),
    money: moneyOf(objects, requests, currency),
    customer: firstOf(sources, 'customer'),
    email: firstOf(sources, 'customer_email', 'email'),
  };
}
