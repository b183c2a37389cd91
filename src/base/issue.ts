/** Names of fields whose values no message repeats. */
const sensitiveName =
  /authorization|cookie|secret|token|password|key|signature|cvv|cvc|ccnumber|ccexp|card|cavv|xid|eci|email|phone|address|name|zip|ipaddress/i;

/**
 * A short word of letters, such as a currency or a status. Text with a digit may be part of a card number, and longer
 * text may be a key in the wrong field.
 */
const harmlessText = /^[A-Za-z][A-Za-z_ -]{0,15}$/;
/** From here on a number may be a card number. */
const longNumber = 1e11;

/** The path of the whole value. */
export const rootPath = '(root)';

/** Formats a path, such as `line_items[0].amount`. Names may come from outside: an error redacts them. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text === '' ? rootPath : text;
}

/** Returns the length of a text in words, such as `1 character`. */
export function lengthOf({ length }: string): string {
  return length === 1 ? '1 character' : `${length} characters`;
}

function describeString(text: string, sensitive: boolean): string {
  if (text === '') return 'an empty string';
  if (sensitive || !harmlessText.test(text)) {
    return `a string of ${lengthOf(text)}`;
  }
  return `'${text}'`;
}

/**
 * Describes a value for an error. Never repeats the value of a field whose name suggests a secret, or a string that
 * looks like one.
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

/** Describes a value in place of an id. The ids of many databases are numbers. */
export function describeId(value: unknown, path: string): string {
  const received = describeValue(value, path);
  return ['number', 'bigint'].includes(typeof value) ? `${received}: write String(order.id)` : received;
}

/** One value that is not what it should be. */
export interface Issue {
  /** Where the value is, for example `line_items[0].amount`; `(root)` for the whole value. */
  readonly path: string;
  /** What was expected there, in words. */
  readonly expected: string;
  /** What came, in words. A value that may be secret is described, never repeated. */
  readonly received: string;
}

export function issueAt(path: string, expected: string, value: unknown): Issue {
  return { path, expected, received: describeValue(value, path) };
}

/** Returns an issue of a part as one of the whole: its path starts with the name of the whole. */
export function issueWithin<Part extends Issue>(whole: string, issue: Part): Part {
  const { path } = issue;
  if (path === rootPath) return { ...issue, path: whole };
  return { ...issue, path: path.startsWith('[') ? whole + path : `${whole}.${path}` };
}

/** Returns the issue of a missing option that an environment variable can give as well. */
export function missingOption(path: string, expected: string, variable: string): Issue {
  return { path, expected, received: `nothing (pass it, or set ${variable})` };
}

/** Returns `path: expected …, got …`, without the path for the whole value. */
export function formatIssue({ path, expected, received }: Issue): string {
  return `${path === rootPath ? '' : `${path}: `}expected ${expected}, got ${received}`;
}
