import type { Inline } from '../../base/inline.ts';
import { Redactor } from '../../base/redact.ts';
import { isRouteName, type RouteName, routes } from '../../resources/routes.ts';

/**
 * The SDK method that sends a request, for example `refunds.create`; `transact.submit` for every request to the form
 * endpoint.
 */
export type Operation = Inline<RouteName | 'transact.submit'>;

/** A request of a buyer's browser: for a script, for a page, or from a page. Faults do not hit it. */
export type PageOperation = Inline<
  | 'scripts.load'
  | 'risk.collectDeviceData'
  | 'threeDSecure.authenticate'
  | 'threeDSecure.challenge'
  | 'cardFields.show'
  | 'cardFields.tokenize'
  | 'checkout.show'
  | 'checkout.pay'
>;

export const formPath = '/api/transact.php';

/** All methods of the resource API that the sandbox serves. */
export const routeNames: readonly RouteName[] = Object.keys(routes).filter(isRouteName);

/** Everything that a request of the app may do. */
export const operations: readonly Operation[] = ['transact.submit', ...routeNames];

/** The maximum length of a logged text, in characters. */
const longest = 1_000;

const redactor = new Redactor();

/** Returns a path for the log, redacted and truncated. */
export function loggedPath(path: string): string {
  return redactor.text(path, longest);
}

/** Returns an idempotency key for the log, redacted and truncated. */
export function loggedKey(key: string | undefined): string | undefined {
  return key === undefined ? undefined : redactor.text(key, longest);
}
