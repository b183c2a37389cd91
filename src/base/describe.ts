/** Names of fields whose values are never repeated in a message. */
const sensitiveName =
  /authorization|cookie|secret|token|password|key|signature|cvv|cvc|ccnumber|ccexp|card|cavv|xid|eci|email|phone|address|name|zip|ipaddress/i;

/**
 * A short word of letters, such as a currency or a status. Anything with a digit may be a part of a card, and anything
 * longer may be a key that was given in the wrong place.
 */
const harmlessText = /^[A-Za-z][A-Za-z_ -]{0,15}$/;
/** From here on a number may be a card number. */
const longNumber = 1e11;

/** How the path of the whole value is written. */
export const rootPath = '(root)';

/** A path such as `line_items[0].amount`. Names come from outside too: an error cleans them. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text === '' ? rootPath : text;
}

function describeString(text: string, sensitive: boolean): string {
  if (text === '') return 'an empty string';
  if (sensitive || !harmlessText.test(text)) {
    return `a string of ${text.length} characters`;
  }
  return `'${text}'`;
}

/**
 * A value in words, for an error. The value of a field whose name may hold a secret is never repeated, and
 * neither is a string that looks like one.
 */
export function describeValue(value: unknown, path: string, sensitive = sensitiveName.test(path)): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return describeString(value, sensitive);
    case 'number':
      return sensitive || (Number.isFinite(value) && Math.abs(value) >= longNumber)
        ? 'a number'
        : `the number ${value}`;
    case 'boolean':
      return String(value);
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}
