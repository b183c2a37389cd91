import { isSensitiveName } from './redact.ts';

const maxShownLength = 24;
/** Words, codes, ids and amounts; nothing that looks like a card number, however grouped, or a secret key. */
const harmlessText = /^(?!(?:\D*\d){12}|.*sk_)[\w .:,/-]*$/;
/** From here on a number may be a card number. */
const longNumber = 1e11;

/** How the path of the whole value is written. */
export const rootPath = '(root)';

/** A path such as `line_items[0].amount`. */
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
  if (sensitive || text.length > maxShownLength || !harmlessText.test(text)) {
    return `a string of ${text.length} characters`;
  }
  return `'${text}'`;
}

/**
 * A value in words, for an error. The value of a field whose name may hold a secret is never repeated, and
 * neither is a string that looks like one.
 */
export function describeValue(value: unknown, path: string): string {
  const sensitive = isSensitiveName(path);
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
    case 'bigint':
      return 'a bigint';
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}
