import type { ItemIterator } from './item-iterator.ts';

/**
 * Calls a function with every item, several at a time if so wished. An item is asked for only when there is room for it.
 *
 * @throws What the items or the function throw first, once all calls under way are over.
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
        if (next.done === true) return;
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
