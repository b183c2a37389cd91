/** What a recorded operation returns, so that a result given by hand can be checked before a later call returns it. */

import type { Delivered } from '../http/api-promise.ts';
import type { Returns } from '../http/call.ts';
import type { Api } from '../http/execute.ts';
import { returnedAnyObject, returnedBody } from '../http/response.ts';
import type { ReceivedResponse } from '../http/transport/transport.ts';
import { Collections } from '../resources/collections.ts';
import { ReturnedTransaction } from '../transact/returned-transaction.ts';

/** Ends a call that was only described. */
function notSent(): Promise<Delivered<never>> {
  return Promise.reject(new Error('This call is never sent.'));
}

/** Returns what a method of a collection returns, which only its call describes. */
function describedReturns(api: Api, operation: string): Returns<unknown> {
  let returns: Returns<unknown> = returnedAnyObject;
  const collections = new Collections({
    ...api,
    execute: (_, description) => {
      returns = description.returns;
      return notSent();
    },
  });
  const [name = '', method = ''] = operation.split('.');
  const collection = Reflect.get(collections, name);
  const call: Promise<unknown> = Reflect.apply(Reflect.get(collection, method), collection, []);
  call.catch(() => undefined);
  return returns;
}

/** Whether a later call of an operation would accept this response as its result. */
export function isReturnedBy(api: Api, operation: string, response: ReceivedResponse): boolean {
  const { connection } = api;
  const judges = (returns: Pick<Returns<unknown>, 'judge'>) => {
    const verdict = returns.judge(response, connection);
    return verdict === 'end' || verdict === 'declined';
  };
  if (operation.startsWith('transact.')) return judges(new ReturnedTransaction(false));
  // `payments.request` may return anything.
  if (!api.routes.has(operation)) return judges(returnedBody());
  return judges(returnedAnyObject) && judges(describedReturns(api, operation));
}
