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
  const seen = new Set<string>();
  for (;;) {
    const before = seen.size;
    for await (const { key } of dueIn(store, space, never)) {
      if (seen.has(key)) continue;
      seen.add(key);
      const loaded = await load(store, key);
      const view = loaded && viewOf(loaded.record, context.terms());
      if (view !== undefined && view.needs.length > 0) yield view;
    }
    // One that changes meanwhile has another time, which may have been listed already.
    if (seen.size === before) return;
  }
}
