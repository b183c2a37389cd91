import { isRouteName, type RouteName, routes } from '../../resources/routes.ts';

/** The operation of a request: a method of the resource API, or the form endpoint. */
export type Operation = RouteName | 'transact.submit';

/** The operation of a buyer's browser: a script, a page, or their requests. Faults do not hit it. */
export type PageOperation =
  | 'scripts.load'
  | 'risk.collectDeviceData'
  | 'threeDSecure.authenticate'
  | 'threeDSecure.challenge'
  | 'cardFields.show'
  | 'cardFields.tokenize'
  | 'checkout.show'
  | 'checkout.pay';

/** The path of the form endpoint. */
export const formPath = '/api/transact.php';

/** All methods of the resource API that the sandbox serves. */
export const routeNames: readonly RouteName[] = Object.keys(routes).filter(isRouteName);
