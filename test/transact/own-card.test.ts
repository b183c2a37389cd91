/** An id that holds the card number of its own transaction. Any other number may be an id. */

import { InvalidRequestError, PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { replacing } from '../journal/shop.ts';
import { cardNumbers } from '../security/secrets/canaries.ts';
import { inEveryForm } from '../security/secrets/encodings.ts';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { startEndpoint } from './endpoint.ts';

const [ccnumber, ...others] = cardNumbers;
const sale = { amount: '12.00', ccnumber, ccexp: '1229' };
const by = { operationId: 'order-1042' };

/** A client with a journal, and the keys that its store was asked for. */
function start(options: object = {}) {
  const endpoint = startEndpoint('response=1&transactionid=7');
  const keys: string[] = [];
  const store = memoryStore();
  const asked = replacing(store, {
    claim: (key, ...rest) => {
      keys.push(key);
      return store.claim(key, ...rest);
    },
    find: (key, ...rest) => {
      keys.push(key);
      return store.find(key, ...rest);
    },
  });
  const journal = createJournal({ store: asked });
  const client = { ...endpoint.options, secretKey: 'sk_v1_test_1', journal, ...options };
  return { ...endpoint, keys, transact: new PaymentsClient(client).transact };
}

/** Where an id stands, and a call with one there. */
const places: readonly (readonly [
  path: string,
  fields: (id: string) => object,
  by: (id: string) => object,
])[] = [
  ['orderid', (orderid) => ({ orderid }), () => by],
  ['transactionid', (transactionid) => ({ transactionid }), () => by],
  ['options.operationId', () => ({}), (operationId) => ({ operationId })],
];

describe.each(places)('%s', (path, fields, optionsOf) => {
  const holding = inEveryForm([ccnumber]).flatMap((form) => [form, `order-${form}`, `1042.${form}.7`]);

  it.each(['throw', 'off'] as const)(
    'with the own number in any form is refused, with validation %s',
    async (validation) => {
      const { transact, bodies, keys } = start({ validation });
      for (const id of holding) {
        const error = await failureOf(
          transact.submit(anything({ type: 'sale', ...sale, ...fields(id) }), anything(optionsOf(id))),
          InvalidRequestError,
        );
        const expected = 'an id without the card number of this call';
        expect(error).toMatchObject({
          outcome: 'not_executed',
          issues: [{ path, expected, received: 'one with it' }],
        });
        expect(error.message).toMatch(/Nothing was sent\.$/);
        expect(error.message).not.toContain(id);
      }
      expect(bodies).toEqual([]);
      expect(keys.filter((key) => key !== 'operation/pc1:transact.submit:order-1042')).toEqual([]);
    },
  );

  it('with another number is sent as it is', async () => {
    const { transact, sent } = start();
    const ids = [...others, `${ccnumber.slice(0, -1)}0`, '4111 1111 1111 1111'];
    for (const [index, id] of ids.entries()) {
      const options = { operationId: `order-${index}`, ...optionsOf(id) };
      const own = path === 'options.operationId' ? options : { operationId: `order-${index}` };
      expect(await transact.submit({ type: 'sale', ...sale, ...fields(id) }, own)).toMatchObject({
        approved: true,
      });
      expect(sent().at(-1)).toMatchObject(fields(id));
    }
  });
});

it('the own number is refused in a number of any brand, and in a track', async () => {
  const { transact, bodies } = start({ validation: 'off' });
  const unbranded = '990000000000000002';
  for (const given of [unbranded, '9900 0000 0000 0000 02', `;${unbranded}=78111010000?`])
    await failureOf(
      transact.sale({ ...sale, ccnumber: given, orderid: `o-${unbranded}` }, by),
      InvalidRequestError,
    );
  const short = '501234678909';
  await failureOf(
    transact.sale({ ...sale, ccnumber: short, orderid: `o-${short}` }, by),
    InvalidRequestError,
  );
  expect(bodies).toEqual([]);
  // Too few digits for a card: they may stand in any id.
  await transact.sale({ ...sale, ccnumber: '50123467890', orderid: 'o-50123467890' }, by);
  expect(bodies).toHaveLength(1);
});
