import type * as s from '../base/schema.ts';

type There<Fields, Name extends keyof Fields> = {
  readonly [One in Name]-?: Exclude<Fields[One], null | undefined>;
};

/**
 * A resource with fields that are present in one of its states. To compare the state is enough for the compiler to know.
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
  const checked = schema.check(({ value, issues }) => {
    if (value[field] !== state) return;
    for (const name of names) {
      const input = value[name];
      if (input !== null && input !== undefined) continue;
      const message = `a value, since ${field} is '${state}'`;
      issues.push({ code: 'custom', path: [name], input, message });
    }
  });
  // The compiler does not follow what a check proves.
  return checked as s.Schema<Fields> as s.Schema<PresentWhen<Fields, Field, State, Name>>;
}
