import type { PreparedCall } from './prepared-call.ts';

/** What a 404 says. */
interface NotFound {
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly isJson: boolean;
}

const ofRoute = /\b(?:route|path|endpoint|url|uri|page|method)\b|\bcannot (?:get|post|put|patch|delete)\b/;
const ofObject = /\bno such\b|\bobject\b|\bresource missing\b/;

/** Returns what a route's objects are called: `payment intent` for `/v1/payment_intents/{id}/capture`. */
function objectName(route: string): string {
  const [collection = ''] = route.split('/{', 1);
  return spaced(collection.slice(collection.lastIndexOf('/') + 1)).replace(/s$/, '');
}

function spaced(text: string): string {
  return text.toLowerCase().replace(/[_-]+/g, ' ');
}

/**
 * Whether a 404 says that an object is missing, which proves that the path exists. The form of errors is not shown, so the code and the
 * message are searched for the words of either.
 */
export function saysObjectIsMissing(
  { code = '', detail = '', isJson }: NotFound,
  { path, route }: Pick<PreparedCall, 'path' | 'route'>,
): boolean {
  const text = spaced(`${code} ${detail}`);
  if (!isJson || route === undefined || ofRoute.test(text) || text.includes(spaced(path))) return false;
  return ofObject.test(text) || new RegExp(`\\b${objectName(route)}\\b`).test(text);
}
