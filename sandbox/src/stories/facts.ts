import { isFormOperation } from '../api/operation.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { accountCurrency, minorUnitsOf, readAmount } from '../domain/amounts.ts';
import type { KeptRequest, RecordedChange, RecordedDelivery, RecordedRequest } from './entry.ts';
import { type Group, isOwnKind } from './group.ts';
import { ofObject } from './request-links.ts';
import { shopNamesOf } from './shop-names.ts';
import type { Money } from './story.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object of a story after its last change. */
export interface KnownObject {
  readonly kind: string;
  readonly id: string;
  readonly fields: Fields;
  readonly isRemoved: boolean;
}

/** Returns a predicate for objects of a kind in a state. */
export function isIn(kind: string, status: string): (object: KnownObject) => boolean {
  return (object) => object.kind === kind && object.fields['status'] === status;
}

/** Whether an intent is paid through its session or invoice. */
export function isPaidElsewhere({ kind, id }: KnownObject, objects: readonly KnownObject[]): boolean {
  if (kind !== 'payment_intent') return false;
  return objects.some(
    ({ kind: other, fields }) => other === 'subscription' || fields['payment_intent_id'] === id,
  );
}

/** A captured payment. */
export interface CapturedPayment extends Money {
  /** The id of the charge or the transaction. */
  readonly id: string;
  /** The time, in ms since 1970. */
  readonly at: number;
  /** What the buyer got back, in minor units. */
  readonly refunded: number;
  /** What pending refunds will give back, in minor units. */
  readonly refunding: number;
}

/** What the shop keeps of a payment, in minor units, once its pending refunds succeed. */
export function keptOf({ amount, refunded, refunding }: CapturedPayment): number {
  return amount - refunded - refunding;
}

/** Returns the payments that the shop keeps, at least in part. */
export function keptPayments({ captured }: Pick<Facts, 'captured'>): readonly CapturedPayment[] {
  return captured.filter((payment) => keptOf(payment) > 0);
}

/** A chargeback. */
interface Dispute extends Money {
  /** The end of the day by which to respond, in ms since 1970; `undefined` if the date cannot be read. */
  readonly due: number | undefined;
}

/** What names a purchase, besides its amount. */
interface Purchase {
  readonly customer: string | null;
  readonly email: string | null;
  /** The shop's names for it, by `shopNamesOf`. */
  readonly shopNames: ReadonlySet<string>;
  /** Its metadata as one text; `null` without any. */
  readonly metadata: string | null;
}

/** The facts of a story. */
export interface Facts extends Purchase {
  readonly requests: readonly KeptRequest[];
  readonly changes: readonly RecordedChange[];
  readonly deliveries: readonly RecordedDelivery[];
  readonly objects: readonly KnownObject[];
  readonly captured: readonly CapturedPayment[];
  readonly disputes: readonly Dispute[];
  readonly money: Money | null;
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
function bodyFields({ operation, request: { body } }: RecordedRequest): Fields {
  if (isFormOperation(operation)) return Object.fromEntries(new URLSearchParams(body ?? ''));
  return Object(parseJson(body ?? ''));
}

/** Converts an amount of a transaction to minor units. */
function amountOf(fields: Fields, name: 'amount' | 'captured' | 'refunded'): number {
  return minorUnitsOf(String(fields[name]));
}

/** Returns the chargebacks. One whose amount does not fit the currency of its transaction moves nothing. */
function disputesOf(
  objects: readonly KnownObject[],
  captured: readonly CapturedPayment[],
): readonly Dispute[] {
  return objects
    .filter(({ kind }) => kind === 'chargeback')
    .flatMap(({ fields }) => {
      const payment = captured.find(({ id }) => id === fields['transaction_id']);
      const currency = payment?.currency ?? accountCurrency;
      const amount = readAmount(String(fields['amount']), currency);
      const due = Date.parse(`${String(fields['due_date'])}T23:59:59.999Z`);
      return amount === undefined ? [] : [{ amount, currency, due: Number.isNaN(due) ? undefined : due }];
    });
}

/** Returns each changed object after its last change, in the order of their first changes. */
export function knownObjects(changes: readonly RecordedChange[]): readonly KnownObject[] {
  const known = new Map<string, KnownObject>();
  for (const { object, before, after } of changes) {
    known.set(object.id, { ...object, fields: after ?? before ?? {}, isRemoved: after === null });
  }
  return [...known.values()];
}

function pendingRefunds(charge: string, objects: readonly KnownObject[]): number {
  return objects
    .filter(({ kind, fields }) => kind === 'refund' && fields['charge_id'] === charge)
    .filter(({ fields }) => fields['status'] === 'pending')
    .reduce((sum, { fields }) => sum + (numberOf(fields, 'amount') ?? 0), 0);
}

function capturedPayment(
  { kind, id, fields }: KnownObject,
  at: number,
  objects: readonly KnownObject[],
): CapturedPayment | undefined {
  const currency = textOf(fields, 'currency') ?? accountCurrency;
  if (kind === 'charge' && fields['status'] === 'succeeded') {
    const amount = numberOf(fields, 'amount') ?? 0;
    const all = numberOf(fields, 'amount_refunded') ?? 0;
    const refunding = Math.min(all, pendingRefunds(id, objects));
    return { id, at, amount, currency, refunded: all - refunding, refunding };
  }
  if (kind !== 'transaction') return undefined;
  const amount = amountOf(fields, 'captured');
  // Refunds, credits, and sales that were declined or voided have captured nothing.
  if (amount === 0) return undefined;
  return { id, at, amount, currency, refunded: amountOf(fields, 'refunded'), refunding: 0 };
}

/** Whether a change captured a payment. */
export function capturedBy({ object, before, after }: RecordedChange): boolean {
  const isCaptured = (fields: Fields | null) =>
    fields !== null && capturedPayment({ ...object, fields, isRemoved: false }, 0, []) !== undefined;
  return !isCaptured(before) && isCaptured(after);
}

/** Returns the amount of an object; `null` if it has none. */
export function moneyOfObject({ kind, fields }: KnownObject): Money | null {
  const isTransaction = kind === 'transaction';
  const amount = isTransaction
    ? amountOf(fields, 'amount')
    : numberOf(fields, 'amount_total', 'amount', 'total');
  return amount === undefined
    ? null
    : { amount, currency: (textOf(fields, 'currency') ?? accountCurrency).toUpperCase() };
}

/**
 * Returns the amount in a request's body, if it is valid.
 *
 * @param usual The currency of a body without one.
 */
export function requestedMoney(request: RecordedRequest, usual = accountCurrency): Money | null {
  const fields = bodyFields(request);
  const currency = (textOf(fields, 'currency') ?? usual).toUpperCase();
  const amount = numberOf(fields, 'amount') ?? readAmount(textOf(fields, 'amount') ?? '', currency);
  return amount === undefined || !Number.isSafeInteger(amount) || amount < 0 ? null : { amount, currency };
}

/** Returns the amount of an order: that of the first object that has one, else the requested one. */
function moneyOf(objects: readonly KnownObject[], requests: readonly KeptRequest[]): Money | null {
  return (
    [...objects.map(moneyOfObject), ...requests.map((request) => requestedMoney(request))].find(
      (money) => money !== null,
    ) ?? null
  );
}

function metadataOf(sources: readonly Fields[]): string | null {
  const all = sources.map(({ metadata }) => metadata).filter(isRecord);
  const some = all.find((metadata) => Object.keys(metadata).length > 0);
  return some === undefined ? null : JSON.stringify(Object.entries(some).toSorted());
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
  const captured = objects.flatMap(
    (object) => capturedPayment(object, firstSeen.get(object.id) ?? 0, objects) ?? [],
  );
  return {
    requests,
    changes,
    deliveries,
    objects,
    captured,
    disputes: disputesOf(objects, captured),
    money: moneyOf(objects, requests),
    customer: firstOf(sources, 'customer'),
    email: firstOf(sources, 'customer_email', 'email'),
    shopNames: shopNamesOf(sources, requests),
    metadata: metadataOf(sources),
  };
}

/** A write request of the app with its retries, which have the same idempotency key. */
export interface SentRequest {
  readonly attempts: readonly [KeptRequest, ...KeptRequest[]];
  /** Whether the service executed it: it changed an object of the order. */
  readonly isExecuted: boolean;
  /** Whether the app learned the result after the reply was lost: it read an object that the request changed, or used one that it made. */
  readonly isLearned: boolean;
  /** Whether the app knows the result: it received a response that states it, or learned it later. */
  readonly isKnown: boolean;
}

/** Whether the service executed a request, and the app does not know. */
export function isLost({ isExecuted, isKnown }: SentRequest): boolean {
  return isExecuted && !isKnown;
}

/** Whether the app received a response that states the result. */
function isAnswer({ arrived, reply }: KeptRequest): boolean {
  // A 409 means that another attempt is in progress.
  return arrived && reply !== null && reply.status < 500 && reply.status !== 409 && reply.status !== 429;
}

type Recorded = Pick<Facts, 'requests' | 'changes'>;

/** Returns the changes of the order that a request made. */
function effectsOf(attempts: readonly KeptRequest[], changes: readonly RecordedChange[]) {
  const numbers = attempts.map(({ number }) => number);
  return changes.filter(({ cause, object }) => isOwnKind(object.kind) && numbers.includes(cause ?? 0));
}

/** Whether the app read an object after the last attempt of a request had changed it. */
function isReadLater(
  effects: readonly RecordedChange[],
  last: number,
  requests: readonly KeptRequest[],
): boolean {
  const paths = effects.map(({ object }) => `/${object.id}`);
  return requests.some(
    (one) =>
      one.source === 'app' &&
      one.method === 'GET' &&
      one.number > last &&
      one.arrived &&
      one.reply?.status === 200 &&
      paths.some((path) => one.path.endsWith(path)),
  );
}

/** Whether the app named an object that a request had made, such as the transaction to refund: only the service tells its id. */
function isUsedLater(effects: readonly RecordedChange[], requests: readonly KeptRequest[]): boolean {
  const made = effects.filter(({ before }) => before === null);
  return made.some(({ number: madeAt, object: { id } }) =>
    requests.some(
      ({ source, method, number, path, links }) =>
        source === 'app' &&
        method !== 'GET' &&
        number > madeAt &&
        (path.split('/').includes(id) || links.body.includes(ofObject(id))),
    ),
  );
}

/** Whether the app learned later what a request did whose reply was lost. */
function isLearnedLater(attempts: readonly KeptRequest[], { requests, changes }: Recorded): boolean {
  const effects = effectsOf(attempts, changes);
  const last = Math.max(...attempts.map(({ number }) => number));
  return isReadLater(effects, last, requests) || isUsedLater(effects, requests);
}

/** Returns the write requests of the app, each with its retries. */
export function sentRequests(recorded: Recorded): readonly SentRequest[] {
  const { requests, changes } = recorded;
  const changers = new Set(changes.filter(({ object }) => isOwnKind(object.kind)).map(({ cause }) => cause));
  const byKey = new Map<string, [KeptRequest, ...KeptRequest[]]>();
  for (const request of requests) {
    if (request.source !== 'app' || request.method === 'GET') continue;
    const key = request.links.key ?? String(request.number);
    const earlier = byKey.get(key);
    if (earlier === undefined) byKey.set(key, [request]);
    else earlier.push(request);
  }
  return [...byKey.values()].map((attempts) => {
    const isAnswered = attempts.some(isAnswer);
    const isLearned = !isAnswered && isLearnedLater(attempts, recorded);
    const isExecuted = attempts.some(({ number }) => changers.has(number));
    return { attempts, isExecuted, isLearned, isKnown: isAnswered || isLearned };
  });
}
