import type { Inline } from '../../base/inline.ts';
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

/** The path of the form endpoint. */
export const formPath = '/api/transact.php';

/** All methods of the resource API that the sandbox serves. */
export const routeNames: readonly RouteName[] = Object.keys(routes).filter(isRouteName);
