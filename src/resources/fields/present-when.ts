import type * as s from '../../base/schema/schema.ts';
import { requireWhen } from '../../base/schema/validation.ts';

/** Fields that are present: neither absent nor null. */
export type Present<Fields, Name extends keyof Fields> = {
  readonly [One in Name]-?: Exclude<Fields[One], null | undefined>;
};

/** The other states: at least one field of a state has another value. */
type Elsewhere<Fields, State> = {
  [Field in keyof State & keyof Fields]: { readonly [One in Field]: Exclude<Fields[One], State[One]> };
}[keyof State & keyof Fields];

/**
 * What one state of a resource adds to its fields: some of them are present. After you compare the fields of the state, the
 * compiler knows it. `Further` holds in that state alone. No two states of a resource may contradict each other: the compiler
 * would drop the contradiction and, with it, the resource's name, which the declarations of a library then lack.
 *
 * @example
 * if (intent.status === 'succeeded') intent.latest_charge_id; // an id, not null
 */
export type PresentWhen<Fields, State, Name extends keyof Fields, Further = unknown> =
  | (Readonly<State> & Present<Fields, Name> & Further)
  | Elsewhere<Fields, State>;

/** The values of a state's fields; `undefined` for any value but null. */
type GivenState<Fields> = {
  readonly [Field in keyof Fields & string]?: (Fields[Field] & string) | undefined;
};

/** The state that such values describe. */
type StateOf<Fields, Given> = {
  [Field in keyof Given & keyof Fields]: Given[Field] extends undefined
    ? Exclude<Fields[Field], null | undefined>
    : Given[Field];
};

/** The schema of a resource with fields that are present in one of its states. */
export function presentWhen<
  Fields extends object,
  const State extends GivenState<Fields>,
  Name extends keyof Fields & string,
>(
  schema: s.ObjectSchema<Fields>,
  state: State,
  names: readonly Name[],
): s.ObjectSchema<Fields & PresentWhen<Fields, StateOf<Fields, State>, Name>> {
  const checked: unknown = schema.check(requireWhen(state, names));
  // The compiler does not follow what a check proves.
  return checked as s.ObjectSchema<Fields & PresentWhen<Fields, StateOf<Fields, State>, Name>>;
}
