import type { OrdersOptions } from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';

/** A store whose answers a test may change. */
export function gatedStore() {
  const inner = memoryStore();
  const gate = {
    beforeLoad: async (): Promise<void> => undefined,
    beforeSave: async (): Promise<boolean> => true,
  };
  const store: OrdersOptions['store'] = {
    load: async (key) => {
      await gate.beforeLoad();
      return inner.load(key);
    },
    save: async (key, version, data, index) =>
      (await gate.beforeSave()) ? inner.save(key, version, data, index) : false,
    lookUp: (reference) => inner.lookUp(reference),
    due: (query) => inner.due(query),
  };
  return { store, gate };
}

/** Lets another process act before one access of a call to the store. Returns how many accesses the call has had so far. */
export function interruptAt(
  { gate }: ReturnType<typeof gatedStore>,
  step: number,
  act: () => Promise<unknown>,
): () => number {
  let accesses = 0;
  const access = async (): Promise<true> => {
    accesses += 1;
    if (accesses === step) await act();
    return true;
  };
  gate.beforeLoad = async () => void (await access());
  gate.beforeSave = access;
  return () => accesses;
}
