/** Decides whether an order is paid in full, with its row as it is now, and ships it. */

import { isThenable } from '../../base/functions.ts';
import { redact } from '../../base/redact.ts';
import { minute } from '../../base/time.ts';
import { type Context, type Maybe, onceAwaited, type Unit, whenReady } from '../context.ts';
import { orderError } from '../errors.ts';
import type { OrderRecord } from '../record/record.ts';
import { isRowOf, type Loaded, load, noteRowOf, save, update } from '../record/records.ts';
import { isUnmeasured } from '../record/steps.ts';
import { dueOf } from '../record/sums.ts';
import { isSame, rowTotal } from '../row.ts';
import type { Money } from '../types/money.ts';
import type { OrderRow } from '../types/order.ts';
import { isUnsearched } from './elsewhere.ts';

/** How long `onPaid` may take before another process runs it again, if the store has no transactions. */
const shippingLease = minute;

/** Thrown by `order` or `onPaid`, and not by the store. */
class Unshipped extends Error {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super('the merchant failed');
    this.thrown = thrown;
  }
}

function unshipped(thrown: unknown): never {
  throw new Unshipped(thrown);
}

/** Runs a function of the merchant within the transaction, and marks what it throws. */
function marked<Result>(run: () => Maybe<Result>): Maybe<Result> {
  try {
    const result = run();
    if (result instanceof Promise) return result.catch(unshipped);
    return isThenable(result) ? onceAwaited(() => Promise.resolve(result).catch(unshipped)) : result;
  } catch (error) {
    return unshipped(error);
  }
}

/** @throws OrderError if a row was edited between the decision and `onPaid`: the transaction is rolled back, and all is decided anew. */
function checkUnchanged(
  context: Context,
  { id, key }: OrderRecord,
  paid: Money,
  row: OrderRow | undefined,
): void {
  if (!isRowOf(context, { id, key }, row)) return;
  if (isSame(rowTotal(row), paid)) return;
  const message = `order ${id}: expected its row as it was paid for, got an edited one. Call again.`;
  throw orderError('ORDER_CHANGED', message, { outcome: 'unknown', retryable: true });
}

/** Records that an order is paid, and ships it in the same transaction. Returns whether no other process was faster. */
function settleIn(context: Context, unit: Unit, loaded: Loaded): Maybe<boolean> {
  const { record } = loaded;
  const { id, seen: total } = record;
  const { ship } = unit;
  Object.assign(record, { settled: total, handed: ship !== undefined, unshipped: null });
  return whenReady(save(context, unit.documents, record, loaded), (isSaved) => {
    if (!isSaved || ship === undefined) return isSaved;
    return whenReady(
      marked(() => ship({ id, total: { ...total } })),
      () =>
        // A row that was not locked may have been edited until `onPaid` changed it.
        whenReady(unit.row(id), (row) => {
          checkUnchanged(context, record, total, row);
          return true;
        }),
    );
  });
}

/** Settles an order, or records what its row asks for now. Returns whether no other process was faster. */
function decide(context: Context, unit: Unit, loaded: Loaded, row: OrderRow | undefined): Maybe<boolean> {
  const { record } = loaded;
  // What is not read yet may be less, or have gone back.
  const isUnclear = record.payments.some(isUnmeasured) || isUnsearched(record);
  if (record.settled !== null || record.canceled || isUnclear) return true;
  noteRowOf(context, record, row);
  if (!record.missing && dueOf(record, record.seen) === 0) return settleIn(context, unit, loaded);
  return save(context, unit.documents, record, loaded);
}

/**
 * Decides whether an order is paid in full: the row and the record are read in one transaction with `onPaid`, if the store has any.
 *
 * @throws What `onPaid` threw; nothing of it was recorded but that it failed.
 */
export async function settle(context: Context, key: string, id: string): Promise<void> {
  const decideNow = () =>
    context.inUnit((unit) =>
      whenReady(
        marked(() => unit.row(id)),
        (row) =>
          whenReady(load(unit.documents, key), (loaded) =>
            loaded === undefined ? true : decide(context, unit, loaded, row),
          ),
      ),
    );
  try {
    while (!(await decideNow()));
  } catch (error) {
    if (!(error instanceof Unshipped)) throw error;
    await noteUnshipped(context, key, error.thrown);
    throw error.thrown;
  }
}

/** The name of an error alone: its message may hold anything. */
const nameOf = (error: unknown) =>
  error instanceof Error ? redact(String(error.name)).slice(0, 100) : 'a value that is not an Error';

async function noteUnshipped(context: Context, key: string, error: unknown): Promise<void> {
  await update(context, key, (record) => {
    record.unshipped = nameOf(error);
  });
}

/** Ships a settled order, if the store has no transactions: one process at a time, at least once. */
export async function ship(context: Context, key: string): Promise<void> {
  const { record, result: total } = await update(context, key, (draft) => {
    const { now } = context.terms();
    if (draft.handed || draft.lease > now) return null;
    draft.lease = now + shippingLease;
    return draft.settled;
  });
  if (total === null) return;
  try {
    const row = await context.row(record.id);
    if (!isRowOf(context, record, row) || !isSame(rowTotal(row), total)) {
      await update(context, key, (draft) => {
        if (draft.lease === record.lease) draft.lease = 0;
        noteRowOf(context, draft, row);
      });
      return;
    }
    await context.ship({ id: record.id, total: { ...total } });
  } catch (error) {
    await update(context, key, (draft) => {
      Object.assign(draft, { lease: 0, unshipped: nameOf(error) });
    });
    throw error;
  }
  await update(context, key, (draft) => {
    // Even if the lease was over: it has shipped for what was paid.
    Object.assign(draft, { settled: total, handed: true, lease: 0, missing: false, unshipped: null });
  });
}
