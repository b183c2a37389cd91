/** Lists the orders that need a person. */

import type { DueDocument } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { load } from '../record/records.ts';
import { viewOf } from '../record/view.ts';
import { never } from '../record/wake.ts';
import type { OrderView } from '../types/order.ts';

/** How many orders are listed at once. */
const pageSize = 50;

/** Iterates over the orders that need a person, by the time at which they are looked at next. Asks only the store. */
export async function* needs(context: Context): AsyncGenerator<OrderView, void, undefined> {
  const { store, space } = context;
  // One that changes meanwhile has another time, and comes again.
  const seen = new Set<string>();
  let after: DueDocument | undefined;
  for (;;) {
    const page = await store.due({ space, until: never, after, limit: pageSize });
    for (const { key } of page) {
      const loaded = seen.has(key) ? undefined : await load(store, key);
      if (loaded === undefined) continue;
      seen.add(key);
      const view = viewOf(loaded.record, context.terms());
      if (view.needs.length > 0) yield view;
    }
    after = page.at(-1);
    if (page.length < pageSize) return;
  }
}
