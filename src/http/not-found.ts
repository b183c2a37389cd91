import type { PreparedCall } from './call.ts';
import type { ErrorBody } from './error-body.ts';

const ofRoute = / (?:route|path|endpoint|url|uri|page|method|cannot (?:get|post|put|patch|delete)) /;
const ofObject = / (?:no such|object|resource missing) /;

/** Returns the words of a text in small letters, with a blank before and after each. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^a-z\d]+/g, ' ')
    .trim()} `;
}

/** Returns what a route's objects are called: `payment_intent` for `/v1/payment_intents/{id}/capture`. */
function objectName(route: string): string {
  const [collection = ''] = route.split('/{', 1);
  return collection.slice(collection.lastIndexOf('/') + 1).replace(/s$/, '');
}

/**
 * Whether a 404 says that an object is missing, which proves that the path exists. The form of errors is not shown, so the code and the
 * message are searched for the words of either.
 */
export function saysObjectIsMissing(
  { code = '', detail = '', isJson }: Pick<ErrorBody, 'code' | 'detail' | 'isJson'>,
  { identity, encoded }: PreparedCall,
): boolean {
  const { path: route } = identity.route;
  const text = `${code} ${detail}`;
  const words = wordsOf(text);
  if (!isJson || route === undefined || text.includes(encoded.path) || ofRoute.test(words)) return false;
  return ofObject.test(words) || words.includes(wordsOf(objectName(route)));
}
