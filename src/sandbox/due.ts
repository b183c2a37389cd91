import { mayMove } from './moves.ts';
import type { Kind, Kinds } from './objects.ts';
import { expire } from './session-expiry.ts';
import type { State } from './state.ts';

/** When an object of a kind is to be looked at again, and what is to be done then. */
interface DueRule<T> {
  /** When, in milliseconds since 1970; `undefined` where nothing is planned. */
  readonly at: (object: T) => number | undefined;
  readonly act: (state: State, object: T) => void | Promise<void>;
}

type DueRules = { readonly [One in Kind]?: DueRule<Kinds[One]> };

/**
 * All that time does. When something is due stands in the object itself, so that whatever is kept of the objects is all
 * there is to keep.
 */
const rules: DueRules = {
  checkout_session: {
    at: (session) => (mayMove(session, 'checkout_session.expire') ? session.expires_at * 1000 : undefined),
    act: (state, session) => void expire(state, session),
  },
};

function ruleOf(kind: Kind): DueRule<never> | undefined {
  return Object.entries(rules).find(([name]) => name === kind)?.[1];
}

/** When an object is due. */
export function dueAt(kind: Kind, object: Kinds[Kind] | undefined): number | undefined {
  // An object belongs to the rule of its kind, which the compiler does not follow through the table.
  return object === undefined ? undefined : ruleOf(kind)?.at(object as never);
}

/** Does what an object is due for. */
export function actOn(state: State, kind: Kind, object: Kinds[Kind]): void | Promise<void> {
  return ruleOf(kind)?.act(state, object as never);
}
