/** Leaves the security code and the expiry of a card out of a request, by the names of their fields. */

import { parseJson } from '../../base/json.ts';
import { isCardSecretName, unescaped } from '../../base/redact.ts';

/** A setting, such as `cvv: 'required'`, has no digits. */
function isSecret(name: string, value: unknown): boolean {
  return isCardSecretName(name) && /\d/.test(JSON.stringify(value));
}

/**
 * Returns a JSON text without each field that holds such a secret: a mask in its place would make another request of a repeat that no
 * longer has the code. The same text if there is none.
 */
export function withoutCardSecrets(json: string): string {
  let isFound = false;
  const rest = parseJson(json, (name, value) => {
    if (!isSecret(name, value)) return value;
    isFound = true;
    return undefined;
  });
  return isFound ? JSON.stringify(rest) : json;
}

/** Returns a query, with its question mark, without each such field; empty if no other is left. */
export function queryWithoutCardSecrets(query: string): string {
  const fields = query.slice(1).split('&');
  const kept = fields.filter((field) => {
    const [name = '', value] = field.split('=');
    return !isSecret(unescaped(name), value);
  });
  return kept.length === fields.length
    ? query
    : kept.map((field, at) => `${at === 0 ? '?' : '&'}${field}`).join('');
}
