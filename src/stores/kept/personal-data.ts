/** Leaves out of a record what names a person or says where one lives, by the names of fields. */

import { namesAround, type TextValue, valuesOf, withValues } from './text-values.ts';

/** Fields of a transaction, a customer and a checkout session, and what other services call them. */
const personal =
  /^(?:(?:customer|billing|shipping)_?)?(?:first_?name|last_?name|company|email|phone|fax|address_?\d?|line\d|city|state|zip|postal_?code|country|ipaddress)$|^(?:customer|billing|shipping)_(?:name|details)$|^(?:shipping|billing)$/;

/** What a page asks a buyer for has the names of personal fields. */
const settings = 'collect_config';

function isPersonal(value: TextValue): boolean {
  const names = [value.name, ...(namesAround(value) ?? [])];
  return value.kind !== 'name' && !names.includes(settings) && names.some((one) => personal.test(one));
}

/** Returns a JSON text or a form with `null`, or nothing, in place of each personal value. The same text if it has none. */
export function withoutPersons(text: string): string {
  const values = valuesOf(text);
  return withValues(
    text,
    values,
    values.map((value) => (isPersonal(value) ? null : value.text)),
  );
}
