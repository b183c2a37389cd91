/** Lists the orders that need a person. */

import type { Context } from '../context.ts';
import { dueIn } from '../record/due.ts';
import { load } from '../record/records.ts';
import { viewOf } from '../record/view.ts';
import { never } from '../record/wake.ts';
import type { OrderView } from '../types/order.ts';

/** Iterates over the orders that need a person, by the time at which they are looked at next. Asks only the store. */
export async function* needs(context: Context): AsyncGenerator<OrderView, void, undefined> {
  const { store, space } = context;
  // One that changes meanwhile has another time, and comes again.
  const seen = new Set<string>();
  for await (const { key } of dueIn(store, space, never)) {
    const loaded = seen.has(key) ? undefined : await load(store, key);
    if (loaded === undefined) continue;
    seen.add(key);
    const view = viewOf(loaded.record, context.terms());
    if (view.needs.length > 0) yield view;
  }
}
