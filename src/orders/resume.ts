/** Continues what a crash or an error left, and asks for news that no event brought. */

import type { DueDocument } from '../stores/store.ts';
import type { Context } from './context.ts';
import { load, recordAt, save } from './record/records.ts';
import { watchedFor } from './record/steps.ts';
import { drive } from './steps/drive.ts';
import { look } from './steps/look.ts';
import { settle } from './steps/settle.ts';
import type { FailedOrder } from './types/orders.ts';

/** How many orders are listed at once. */
const pageSize = 50;

/** Sets when to look at an order again. If another process changed it meanwhile, that one did. */
async function reschedule(context: Context, key: string, isFailed: boolean): Promise<void> {
  const loaded = await load(context.store, key);
  if (loaded === undefined) return;
  const { record } = loaded;
  record.failures = isFailed ? record.failures + 1 : 0;
  await save(context, context.store, record, loaded);
}

/** Reads the row of an order that is paid in part, or whose row was missing: somebody may have changed it. */
async function readRow(context: Context, key: string): Promise<void> {
  const { id, settled, canceled, payments } = await recordAt(context, key);
  const isPaid = payments.some(({ status }) => status === 'paid');
  if (isPaid && settled === null && !canceled) await settle(context, key, id);
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
    // If the store fails too, the order stays due.
    await reschedule(context, key, true).catch(() => undefined);
    const id = key.slice(key.indexOf('/order/') + '/order/'.length, key.lastIndexOf('@'));
    return { id, error };
  }
}

/** Continues the orders that are due, at most `limit`, the longest due first. */
export async function resume(context: Context, limit: number): Promise<FailedOrder[]> {
  const { now: until } = context.terms();
  const failures: FailedOrder[] = [];
  let after: DueDocument | undefined;
  for (let rest = limit; rest > 0; ) {
    const size = Math.min(pageSize, rest);
    const page = await context.store.due({ space: context.space, until, after, limit: size });
    for (const due of page) {
      const failed = await resumeOne(context, due);
      if (failed !== undefined) failures.push(failed);
    }
    after = page.at(-1);
    rest -= page.length;
    if (page.length < size) break;
  }
  return failures;
}
