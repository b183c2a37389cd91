import { isRouteName, type RouteName, routes } from '../../resources/routes.ts';

/** What a request asks for: a method of the resource API, or the form endpoint. */
export type Operation = RouteName | 'transact.submit';

/** What a buyer's browser asks for: a script, a page, or what these send. Faults do not hit it. */
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

/** Every method of the resource API that the sandbox serves. */
export const routeNames: readonly RouteName[] = Object.keys(routes).filter(isRouteName);
