/** Prints the results for valid and invalid values: a program, because options of Node decide what its runtime forbids. */

import { InvalidRequestError, PaymentsClient, ResponseValidationError } from 'payments-client';

const customer = {
  id: 'cus_1',
  object: 'customer',
  livemode: false,
  merchant_id: 'mer_1',
  deleted: false,
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '',
  creation_source: 'api',
  billing_address: null,
  shipping: null,
  payment_settings: {},
  metadata: { order: '1' },
  created_at: 1,
  updated_at: 1,
  more: 'kept',
};
const wrongParams = { amount: 1.5, currency: 'dollars', metadata: { order: 7 } };
let response: object = customer;
const payments = new PaymentsClient({
  baseUrl: 'http://127.0.0.1:1',
  secretKey: 'sk_v1_test_1',
  fetch: async () => Response.json(response),
});

const calls = [
  () => payments.customers.retrieve('cus_1'),
  () => {
    response = { ...customer, metadata: { order: 7 }, created_at: '1' };
    return payments.customers.retrieve('cus_1');
  },
  () => payments.paymentIntents.create(Object(wrongParams), { operationId: 'order-1' }),
];

/** The value of a call, or the issues of its error. */
async function outcomeOf(call: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof InvalidRequestError || error instanceof ResponseValidationError) return error.issues;
    throw error;
  }
}

// The schema is used so often that it is compiled where code may be generated.
for (let times = 0; times < 250; times += 1) await payments.customers.retrieve('cus_1');
for (const call of calls) process.stdout.write(`${JSON.stringify(await outcomeOf(call))}\n`);
