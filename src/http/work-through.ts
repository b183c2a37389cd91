import type { ItemIterator } from './item-iterator.ts';

/**
 * Calls a function with every item, `concurrency` at a time. Fetches an item only when a call is free for it.
 *
 * @throws The first error of the items or the function, once all running calls have ended.
 */
export async function workThrough<T>(
  items: ItemIterator<T>,
  work: (item: T) => unknown,
  concurrency: number,
): Promise<void> {
  let failure: { readonly reason: unknown } | undefined;
  const lane = async () => {
    try {
      while (failure === undefined) {
        const next = await items.next();
        // Another call may have failed while this lane waited.
        if (next.done === true || failure !== undefined) return;
        await work(next.value);
      }
    } catch (reason) {
      failure ??= { reason };
      await items.return();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  if (failure !== undefined) throw failure.reason;
}
