/** A field without which a call takes everything, such as the amount of a refund, must not be `undefined` by accident. */

/**
 * Requires a field's type if the given object has the field and it may be `undefined`; otherwise requires nothing. A missing field and an
 * optional one pass. It looks at what was given, since an optional field accepts `undefined` without `exactOptionalPropertyTypes`.
 */
export type DefiniteField<Given, Name extends string, Type> = Given extends {
  readonly [Field in Name]: infer Value;
}
  ? undefined extends Value
    ? { readonly [Field in Name]: Type }
    : unknown
  : unknown;

/**
 * The same for the parameters of a generic method, `<Given>(params: Params & Definite<Given, 'amount', number>)`: the compiler infers
 * `Given` from what was passed, and still checks that against `Params`, with each unknown name.
 */
export type Definite<Given, Name extends string, Type> = [Given] extends [never]
  ? Given
  : DefiniteField<Given, Name, Type>;
