/** Decides whether an order is paid in full, with its row as it is now, and ships it. */

import { isThenable } from '../../base/functions.ts';
import { redact } from '../../base/redact.ts';
import { minute } from '../../base/time.ts';
import { type Context, type Maybe, onceAwaited, type Unit, whenReady } from '../context.ts';
import { orderError } from '../errors.ts';
import type { OrderRecord } from '../record/record.ts';
import { type Loaded, load, recordKey, save, update } from '../record/records.ts';
import { dueOf } from '../record/sums.ts';
import { rowTotal } from '../row.ts';
import type { OrderRow } from '../types/order.ts';

/** How long `onPaid` may take before another process runs it again, if the store has no transactions. */
const shippingLease = minute;

/** What became of a decision. `raced`: another process was faster. */
type Decision = 'settled' | 'open' | 'raced';

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
function checkUnchanged(context: Context, { record }: Loaded, row: OrderRow | undefined): Decision {
  const isSameOrder = row !== undefined && recordKey(context, record.id, row) === record.key;
  const total = isSameOrder ? rowTotal(row) : undefined;
  const { settled } = record;
  if (total !== undefined && (total.amount !== settled?.amount || total.currency !== settled.currency)) {
    const message = `order ${record.id}: expected its row as it was paid for, got an edited one. Call again.`;
    throw orderError('ORDER_CHANGED', message, { outcome: 'unknown', retryable: true });
  }
  return 'settled';
}

/** Records that an order is paid, and ships it in the same transaction. */
function settleIn(context: Context, unit: Unit, loaded: Loaded): Maybe<Decision> {
  const { record } = loaded;
  const { id, seen: total } = record;
  Object.assign(record, { settled: total, handed: unit.ship !== undefined, unshipped: null });
  return whenReady(save(context, unit.documents, record, loaded), (isSaved) => {
    if (!isSaved) return 'raced';
    const { ship } = unit;
    if (ship === undefined) return 'settled';
    return whenReady(
      marked(() => ship({ id, total: { ...total } })),
      () =>
        // A row that was not locked may have been edited until `onPaid` changed it.
        whenReady(unit.row(id), (row) => checkUnchanged(context, loaded, row)),
    );
  });
}

function decide(context: Context, unit: Unit, loaded: Loaded, row: OrderRow | undefined): Maybe<Decision> {
  const { record, data } = loaded;
  if (record.settled !== null || record.canceled) return 'open';
  record.missing = row === undefined || recordKey(context, record.id, row) !== record.key;
  if (row !== undefined && !record.missing) {
    record.seen = rowTotal(row);
    if (dueOf(record, record.seen) === 0) return settleIn(context, unit, loaded);
  }
  if (JSON.stringify(record) === data) return 'open';
  return whenReady(save(context, unit.documents, record, loaded), (isSaved) => (isSaved ? 'open' : 'raced'));
}

/**
 * Decides whether an order is paid in full: the row and the record are read in one transaction with `onPaid`, if the store has any.
 *
 * @returns Whether it is settled now.
 * @throws What `onPaid` threw; nothing of it was recorded but that it failed.
 */
export async function settle(context: Context, key: string, id: string): Promise<boolean> {
  try {
    for (;;) {
      const decision = await context.inUnit((unit) =>
        whenReady(
          marked(() => unit.row(id)),
          (row) =>
            whenReady(load(unit.documents, key), (loaded) =>
              loaded === undefined ? 'open' : decide(context, unit, loaded, row),
            ),
        ),
      );
      if (decision !== 'raced') return decision === 'settled';
    }
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

/** Whether the row that was paid for is still there. */
async function hasRow(context: Context, record: OrderRecord): Promise<boolean> {
  const row = await context.row(record.id);
  return row !== undefined && recordKey(context, record.id, row) === record.key;
}

/** Ships a settled order, if the store has no transactions: one process at a time, at least once. */
export async function ship(context: Context, key: string): Promise<void> {
  const { record, result: isMine } = await update(context, key, (draft) => {
    const { now } = context.terms();
    if (draft.settled === null || draft.handed || draft.lease > now) return false;
    draft.lease = now + shippingLease;
    return true;
  });
  const { id, settled: total } = record;
  if (!isMine || total === null) return;
  try {
    if (!(await hasRow(context, record))) {
      await update(context, key, (draft) => Object.assign(draft, { lease: 0, missing: true }));
      return;
    }
    await context.ship({ id, total: { ...total } });
  } catch (error) {
    await update(context, key, (draft) => {
      Object.assign(draft, { lease: 0, unshipped: nameOf(error) });
    });
    throw error;
  }
  await update(context, key, (draft) => {
    Object.assign(draft, { handed: true, lease: 0, missing: false, unshipped: null });
  });
}
