import type { Store } from 'payments-client/stores';
import type { Seat } from './seat.ts';

type Documents = Pick<Store<never>, 'load' | 'save' | 'lookUp' | 'due'>;

/** Returns a store as a process reaches it: others act before and after each call. */
export function gated<Kind extends Documents>(store: Kind, seat: Seat): Kind {
  const gates: Documents = {
    load: (key) => seat.ask('load', () => store.load(key)),
    save: (key, version, data, index) => seat.ask('save', () => store.save(key, version, data, index)),
    lookUp: (reference) => seat.ask('lookUp', () => store.lookUp(reference)),
    due: (query) => seat.ask('due', () => store.due(query)),
  };
  return { ...store, ...gates };
}
