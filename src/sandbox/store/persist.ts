import type { Persistence, StoredObject } from './persistence.ts';
import type { Due } from './scheduler.ts';
import type { Store, StoredChange } from './store.ts';

/**
 * The minimum advance of a running clock between two saves of its time, in milliseconds. It catches up after a
 * restart.
 */
const oftenEnough = 10_000;

/** Loads the saved contents into a store, and saves each later change. */
export function persist<Change extends StoredChange>(
  store: Store<Change>,
  persistence: Persistence,
  isClockRunning: boolean,
): void {
  const { clock, scheduler, ids } = store;
  const contents = persistence.read();
  if (contents === undefined) persistence.rewrite(store.contents());
  else store.load(contents);
  let keptTime = clock.now();
  const append = (objects: readonly StoredObject[], due: readonly Due[]) => {
    persistence.append({ objects, due, time: clock.now(), ids: ids.count });
    keptTime = clock.now();
  };
  store.persist = append;
  scheduler.moved = () => {
    if (!isClockRunning || clock.now() - keptTime >= oftenEnough) append([], []);
  };
}
