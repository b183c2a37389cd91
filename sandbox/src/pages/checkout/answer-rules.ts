/** Countries without postal codes, or where few people know theirs. */
const withoutPostalCodes =
  'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GD GH GM GQ GY HK JM KI KM KN KP LC ML MO MR MW NR NU PA QA RW SB SC SL SO SR ST SY TD TG TK TL TO TV UG VU YE ZW'.split(
    ' ',
  );

/** Countries whose addresses need a state, province or prefecture. */
const withStates = 'AU BR CA CN IN JP MX US'.split(' ');

/**
 * Whether a part of an address may be empty in a country, even where the session requires an address.
 *
 * @param name The field's name, such as `billing_state`.
 * @param country The country's code; empty while none is chosen.
 */
export function mayBeLeftOut(name: string, country: string): boolean {
  if (country === '') return false;
  if (name.endsWith('_postal_code')) return withoutPostalCodes.includes(country);
  return name.endsWith('_state') && !withStates.includes(country);
}

/** Whether a text is a plausible e-mail address. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

/** Whether a text is a plausible phone number. */
export function isPhone(text: string): boolean {
  return /\p{Nd}/u.test(text);
}
