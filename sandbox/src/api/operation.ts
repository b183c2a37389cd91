import type { RouteName } from 'payments-client';
import type { Inline } from '../base/inline.ts';
import { isRouteName } from '../base/known-names.ts';
import { type TransactionType, transactionTypes } from '../domain/records/transaction.ts';
import { routes } from '../sdk.ts';

/**
 * The SDK method that sends a request, for example `refunds.create`. That of a form is in its `type`, as in `transact.sale`; it is
 * `transact.submit` for an unknown type.
 */
export type Operation = Inline<RouteName | `transact.${TransactionType}` | 'transact.submit'>;

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
const routeNames: readonly RouteName[] = Object.keys(routes).filter(isRouteName);

/** Stands for all requests to the form endpoint. */
export const anyForm = 'transact.submit';

const formOperations: readonly Operation[] = [
  anyForm,
  ...transactionTypes.map((type) => `transact.${type}` as const),
];

/** Everything that a request of the app may do. */
export const operations: readonly Operation[] = [...formOperations, ...routeNames];

/** Returns the operation of a form with a type. */
export function formOperation(type: string): Operation {
  return formOperations.find((operation) => operation === `transact.${type}`) ?? anyForm;
}

/** Whether an operation is one of the form endpoint. */
export function isFormOperation(operation: string | null | undefined): boolean {
  return formOperations.some((one) => one === operation);
}
