import type * as s from '../base/schema.ts';
import { requireWhen } from '../base/validation.ts';

type There<Fields, Name extends keyof Fields> = {
  readonly [One in Name]-?: Exclude<Fields[One], null | undefined>;
};

/**
 * A resource with fields that are present in one of its states. After you compare the state, the compiler knows that they
 * are present.
 *
 * @example
 * if (intent.status === 'succeeded') intent.latest_charge_id; // an id, not null
 */
export type PresentWhen<
  Fields,
  Field extends keyof Fields,
  State extends Fields[Field],
  Name extends keyof Fields,
> = Fields &
  (
    | ({ readonly [One in Field]: State } & There<Fields, Name>)
    | { readonly [One in Field]: Exclude<Fields[Field], State> }
  );

/** The schema of a resource with fields that are present in one of its states. */
export function presentWhen<
  Fields extends object,
  Field extends keyof Fields & string,
  const State extends Fields[Field] & string,
  Name extends keyof Fields & string,
>(
  schema: s.ObjectSchema<Fields>,
  field: Field,
  state: State,
  names: readonly Name[],
): s.Schema<PresentWhen<Fields, Field, State, Name>> {
  const checked: s.Schema<Fields> = schema.check(requireWhen(field, state, names));
  // The compiler does not follow what a check proves.
  return checked as s.Schema<PresentWhen<Fields, Field, State, Name>>;
}
