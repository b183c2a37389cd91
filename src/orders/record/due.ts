import type { DueDocument, Store } from '../../stores/store.ts';

/** How many documents are listed at once. */
const pageSize = 50;

/** Iterates over the documents of a space whose time comes until a time in ms, the longest due first. */
export async function* dueIn(
  store: Pick<Store<never>, 'due'>,
  space: string,
  until: number,
): AsyncGenerator<DueDocument, void, undefined> {
  let after: DueDocument | undefined;
  for (;;) {
    const page = await store.due({ space, until, after, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1);
  }
}
