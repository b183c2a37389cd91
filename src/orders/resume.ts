/** Continues what a crash or an error left, and asks for news that no event brought. */

import type { DueDocument } from '../stores/store.ts';
import type { Context } from './context.ts';
import { dueIn } from './record/due.ts';
import { load, noteRowOf, recordAt, save, update } from './record/records.ts';
import { watchedFor } from './record/steps.ts';
import { drive } from './steps/drive.ts';
import { look } from './steps/look.ts';
import { isShed } from './steps/refusal.ts';
import type { FailedOrder } from './types/orders.ts';

/** Sets when to look at an order again. If another process changed it meanwhile, that one did. */
async function reschedule(context: Context, key: string, isFailed: boolean): Promise<void> {
  const loaded = await load(context.store, key);
  if (loaded === undefined) return;
  const { record } = loaded;
  record.failures = isFailed ? record.failures + 1 : 0;
  await save(context, context.store, record, loaded);
}

/** Reads the row of an order that is paid in part, or whose money is held: somebody may have changed it. */
async function readRow(context: Context, key: string): Promise<void> {
  const { id, settled, canceled, payments } = await recordAt(context, key);
  const isPaid = payments.some(({ status }) => status === 'paid' || status === 'authorized');
  if (!isPaid || settled !== null || canceled) return;
  const row = await context.row(id);
  await update(context, key, (record) => noteRowOf(context, record, row));
}

async function resumeOne(context: Context, { key, wakeAt }: DueDocument): Promise<FailedOrder | undefined> {
  try {
    // After an outage, what was due meanwhile is looked at once.
    await look(context, key, wakeAt - watchedFor);
    await readRow(context, key);
    await drive(context, key);
    await reschedule(context, key, false);
    return undefined;
  } catch (error) {
    // It was not tried. If the store fails too, the order stays due.
    if (!isShed(error)) await reschedule(context, key, true).catch(() => undefined);
    const id = key.slice(key.indexOf('/order/') + '/order/'.length, key.lastIndexOf('@'));
    return { id, error };
  }
}

/** Continues the orders that are due, at most `limit`, the longest due first. */
export async function resume(context: Context, limit: number): Promise<FailedOrder[]> {
  const { now: until } = context.terms();
  const failures: FailedOrder[] = [];
  let rest = limit;
  for await (const due of dueIn(context.store, context.space, until)) {
    const failed = await resumeOne(context, due);
    if (failed !== undefined) failures.push(failed);
    rest -= 1;
    if (rest === 0 || isShed(failed?.error)) break;
  }
  return failures;
}
