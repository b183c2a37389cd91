/** Leaves out of a record what names a person or says where one lives, by the names of fields. */

import { namesAround, type TextValue, valuesOf, withValues } from './text-values.ts';

/** Fields of a transaction, a customer and a checkout session, and what other services call them. */
const personal =
  /^(?:(?:customer|billing|shipping)_?)?(?:first_?name|last_?name|company|email|phone|fax|address_?\d?|line\d|city|state|zip|postal_?code|country|ipaddress)$|^(?:customer|billing|shipping)_(?:name|details)$|^(?:shipping|billing)$/;

/** What a page asks a buyer for, and the user's own data, may have the names of personal fields. */
const others = ['collect_config', 'metadata'];

function isPersonal(value: TextValue): boolean {
  const around = namesAround(value) ?? [];
  const isOther = others.some((name) => around.includes(name));
  return value.kind !== 'name' && !isOther && [value.name, ...around].some((name) => personal.test(name));
}

/** A customer has a text in each of these, and never null: a recorded result must still be valid. */
const texts = /^(?:first_name|last_name|email|phone)$/;

function replacementOf({ name }: TextValue): '' | null {
  return texts.test(name) ? '' : null;
}

/**
 * Returns a JSON text or a form with `null`, an empty text, or in a form nothing, in place of each personal value. The same text if it has
 * none.
 */
export function withoutPersons(text: string): string {
  const values = valuesOf(text);
  return withValues(
    text,
    values,
    values.map((value) => (isPersonal(value) ? replacementOf(value) : value.text)),
  );
}
