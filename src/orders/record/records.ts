/** The records of orders in a store. Each change is a pure step on a copy, tried again if another process was faster. */

import { ConfigurationError } from '../../base/errors.ts';
import { type Context, type Maybe, type Unit, whenReady } from '../context.ts';
import { orderError } from '../errors.ts';
import { createdText, isSame, rowTotal } from '../row.ts';
import type { OrderName, OrderRow } from '../types/order.ts';
import { planExcess, unsettle } from './give-back.ts';
import { adoptStrays } from './join.ts';
import {
  newRecord,
  type OrderRecord,
  type Payment,
  parseRecord,
  paymentOf,
  recordKeyAt,
  referencesOf,
} from './record.ts';
import { loseSales } from './steps.ts';
import { wakeAtOf } from './wake.ts';

/** How often a change is tried: other processes change the same order in between. */
const maxTries = 50;

/** A record, and the version of its document. */
export interface Loaded {
  readonly record: OrderRecord;
  readonly version: number;
  /** The record as it was stored. */
  readonly data: string;
}

/** Returns the key of the record of a row. */
function recordKey({ space }: Context, id: string, row: OrderRow): string {
  return recordKeyAt(space, id, createdText(row));
}

/** Loads a record. */
export function load(documents: Unit['documents'], key: string): Maybe<Loaded | undefined> {
  return whenReady(documents.load(key), (document) => {
    return document && { ...document, record: parseRecord(document.data) };
  });
}

/** Saves a record, with the refunds of what is too much in it. Returns whether no other process was faster. */
export function save(
  { space, terms }: Context,
  documents: Unit['documents'],
  record: OrderRecord,
  known: Pick<Loaded, 'version' | 'data'> | undefined,
): Maybe<boolean> {
  const now = terms();
  loseSales(record, now);
  adoptStrays(record, now);
  planExcess(record, now.now);
  for (const payment of record.payments)
    if (!['created', 'open'].includes(payment.status)) payment.body = null;
  const before = new Set(known === undefined ? [] : referencesOf(parseRecord(known.data)));
  const references = referencesOf(record)
    .filter((reference) => !before.has(reference))
    .map((reference) => `${space}/${reference}`);
  const index = { references, wakeAt: wakeAtOf(record, now) };
  return documents.save(record.key, known?.version ?? 0, JSON.stringify(record), index);
}

/** Loads the record of an order, which exists. */
export async function recordAt({ store }: Context, key: string): Promise<OrderRecord> {
  const loaded = await load(store, key);
  if (loaded === undefined) throw orderError('ORDER_NOT_FOUND', `expected the record ${key}, got none.`);
  return loaded.record;
}

/**
 * Changes a record.
 *
 * @param change Changes the record, and returns what the caller wants to know. It runs again if another process was faster.
 * @param create Makes the record if there is none. Default: it must exist.
 * @param keeps Whether to save one that was made.
 */
export async function update<Result>(
  context: Context,
  key: string,
  change: (record: OrderRecord) => Result,
  create?: () => OrderRecord,
  keeps = true,
): Promise<{ readonly record: OrderRecord; readonly result: Result }> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const loaded = await load(context.store, key);
    const record = loaded?.record ?? create?.();
    if (record === undefined) throw orderError('ORDER_NOT_FOUND', `expected the record ${key}, got none.`);
    const result = change(record);
    const isSame = loaded === undefined ? !keeps : JSON.stringify(record) === loaded.data;
    if (isSame || (await save(context, context.store, record, loaded))) return { record, result };
  }
  const message = `order ${key}: expected a change within ${maxTries} tries, got other changes each time. Call again.`;
  throw orderError('ORDER_CHANGED', message, { outcome: 'unknown', retryable: true });
}

/** Changes a payment of a record, as `update` does. */
export function updatePayment<Result>(
  context: Context,
  key: string,
  op: string,
  change: (payment: Payment, record: OrderRecord) => Result,
): Promise<{ readonly record: OrderRecord; readonly result: Result }> {
  return update(context, key, (record) => change(paymentOf(record, op), record));
}

/** Finds the record that a reference leads to; `undefined` if there is none. */
export function findKey({ store, space }: Context, reference: string): Promise<string | undefined> {
  return store.lookUp(`${space}/${reference}`);
}

/** An order, as a call begins with it. */
export interface Begun {
  readonly key: string;
  readonly record: OrderRecord;
  readonly row: OrderRow;
}

/**
 * Notes what a row asks for now. Once an order has shipped, it is what was paid for. One that is paid and was edited before it shipped, in a store without
 * transactions, is decided anew, unless a process ships it just now.
 */
export function noteRow({ terms }: Context, record: OrderRecord, row: OrderRow): void {
  const total = rowTotal(row);
  const { settled, handed, lease, returns } = record;
  record.missing = false;
  if (settled !== null && !handed && lease <= terms().now && !isSame(total, settled)) {
    // How much of a return was meant for the old row only a person knows.
    if (returns.length > 0) record.unshipped = 'the row was edited after a refund';
    else unsettle(record);
  }
  if (record.settled === null) record.seen = total;
}

/** Whether what was read is the row of a record: there may be none, or that of another order with its id. */
export function isRowOf(
  context: Context,
  { id, key }: Pick<OrderRecord, 'id' | 'key'>,
  row: OrderRow | undefined,
): row is OrderRow {
  return row !== undefined && recordKey(context, id, row) === key;
}

/** Notes what was read as the row of a record: none, perhaps, or that of another order with its id. */
export function noteRowOf(context: Context, record: OrderRecord, row: OrderRow | undefined): void {
  if (isRowOf(context, record, row)) noteRow(context, record, row);
  else record.missing = true;
}

/** @throws OrderError `ORDER_NOT_FOUND` without a row. */
async function rowOf(context: Context, id: string): Promise<OrderRow> {
  const row = await context.row(id);
  if (row !== undefined) return row;
  const message = `expected a row of the order ${JSON.stringify(id)}, got none of order(). If it had one, pass a view of it, as needs() has. Nothing was sent.`;
  throw orderError('ORDER_NOT_FOUND', message);
}

/**
 * Reads the row of an order, and makes its record if it has none.
 *
 * @throws OrderError `ORDER_NOT_FOUND` without a row.
 */
export async function begin(context: Context, id: string): Promise<Begun> {
  const row = await rowOf(context, id);
  const key = recordKey(context, id, row);
  const create = () => newRecord(key, id, rowTotal(row));
  const { record } = await update(context, key, (draft) => noteRow(context, draft, row), create);
  return { key, row, record };
}

/** Reads the row of an order. One that is invalid says nothing, and must not keep money from going back. */
async function readable({ row }: Context, id: string): Promise<OrderRow | undefined | 'invalid'> {
  try {
    return await row(id);
  } catch (error) {
    if (error instanceof ConfigurationError) return 'invalid';
    throw error;
  }
}

/**
 * Reads the record of an order that a view names, and its row if it still has one.
 *
 * @throws OrderError `ORDER_NOT_FOUND` if nothing is recorded of it.
 */
export async function beginAny(context: Context, name: OrderName): Promise<Omit<Begun, 'row'>> {
  if (typeof name === 'string') return begin(context, name);
  const key = recordKeyAt(context.space, name.id, name.createdAt);
  const row = await readable(context, name.id);
  const { record } = await update(context, key, (draft) => {
    if (row !== 'invalid') noteRowOf(context, draft, row);
  });
  return { key, record };
}

/** Returns the record of an order with its row as it is now, for a reader. One that has none yet gets none: it would be settled if nothing is due. */
export async function read(context: Context, name: OrderName): Promise<OrderRecord> {
  const isId = typeof name === 'string';
  const id = isId ? name : name.id;
  const row = isId ? await rowOf(context, id) : await readable(context, id);
  if (row === undefined || row === 'invalid') return (await beginAny(context, name)).record;
  const key = isId ? recordKey(context, id, row) : recordKeyAt(context.space, id, name.createdAt);
  const isOwn = isRowOf(context, { id, key }, row);
  const create = isOwn ? () => newRecord(key, id, rowTotal(row)) : undefined;
  const { record } = await update(context, key, (draft) => noteRowOf(context, draft, row), create, false);
  return record;
}
