/** No call takes the answer of another sender for its result, whatever its status, or hides that money may have moved. */

import { PaymentsClient, PaymentsError, type RouteName } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/resources/routes.ts';
import { everyCollection } from '../support/every-collection.ts';
import { everyMethod } from '../support/every-method.ts';
import { fieldTables } from '../support/field-tables.ts';
import { saleParams } from '../support/fixtures.ts';
import { type Answerer, answerers } from './dimensions.ts';
import { endingOf, newOperation, secretKey, securityKey } from './service.ts';

const names = Object.keys(everyMethod).filter((name): name is RouteName => Object.hasOwn(routes, name));

/** Collections whose fields the interface shows. Of others, and after a DELETE, any object with an id is accepted. */
const known = everyCollection.flatMap(({ name, object }) =>
  Object.hasOwn(fieldTables, object) ? [name] : [],
);
const isKnown = (name: RouteName) =>
  known.includes(name.replace(/\..*/, '')) && routes[name].method !== 'DELETE';

/** What a call must end with: an outcome, or the value of an empty response to a DELETE, which needs no body. */
function endOf(name: RouteName, { who, isJson }: Answerer): string {
  const { method } = routes[name];
  if (who.endsWith('empty body') && method === 'DELETE') return 'deleted';
  return method === 'GET' ? 'not_an_operation' : isJson ? 'executed' : 'unknown';
}

describe.each(answerers)('$who', (answerer) => {
  const fetch = async (request: Request) => {
    const { status = 200, body, headers = {} } = await answerer.answer(request);
    return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers });
  };
  const keys = { baseUrl: 'https://payments.test', secretKey, securityKey };
  const payments = new PaymentsClient({ ...keys, fetch, maxRetries: 0 });

  it('is the result of no method', async () => {
    const called = names.filter((name) => isKnown(name) || answerer.who !== 'the reply to another request');
    const endings = await Promise.all(
      called.map(async (name) => {
        const ending = await endingOf(everyMethod[name](payments, newOperation()));
        if ('value' in ending)
          return [name, Object(ending.value).deleted === true ? 'deleted' : ending.value];
        return [name, ending.error instanceof PaymentsError ? ending.error.outcome : ending.error];
      }),
    );
    expect(endings).toEqual(called.map((name) => [name, endOf(name, answerer)]));
  });

  it('is the result of no sale', async () => {
    const ending = await endingOf(payments.transact.sale(saleParams));
    expect(ending).toMatchObject({ error: { name: 'ResponseValidationError', outcome: 'unknown' } });
  });
});
