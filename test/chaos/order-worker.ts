/** A process that creates customers and intents, pays and refunds them, and retries failures with their operation ids. */

import { PaymentsClient } from 'payments-client';
import { breakSomeConnections } from './late-errors.ts';
import { type PatientOrder, type SingleCall, tasksOf, tasksOfWorker } from './plan.ts';
import type { WorkerTask } from './task.ts';
import { doAll, Work } from './work.ts';

const task: WorkerTask = JSON.parse(process.argv[2] ?? '');
breakSomeConnections(task.worker + 1);
const { baseUrl, secretKey, timeout } = task;
const payments = new PaymentsClient({ baseUrl, secretKey, timeout, totalTimeout: 20_000 });
const work = new Work(task);

/** More than any fault takes; only stops a process that would run forever. */
const patience = 50;

/** Returns the result of an operation, after any number of retries. */
async function retryUntilDone<T>(
  operation: string,
  call: (operationId: string) => PromiseLike<T>,
): Promise<T> {
  const known = work.answerOf(operation);
  // The program recorded it as the result of this operation.
  if (known !== undefined) return known as T;
  for (let tries = 0; tries < patience; tries += 1) {
    const answer = await work.attempt(operation, () => call(operation));
    if (answer !== undefined) return answer;
  }
  throw new Error(`${operation} got no result in ${patience} calls`);
}

async function doOrder({ id, amount, refund }: PatientOrder): Promise<void> {
  const metadata = { order: id };
  const customer = await retryUntilDone(`${id} customer`, (operationId) =>
    payments.customers.create({ first_name: 'Ada', email: `${id}@example.com`, metadata }, { operationId }),
  );
  const intent = await retryUntilDone(`${id} intent`, (operationId) =>
    payments.paymentIntents.create(
      { amount, currency: 'usd', customer: customer.id, metadata },
      { operationId },
    ),
  );
  await retryUntilDone(`${id} payment`, (operationId) =>
    payments.paymentIntents.confirm(intent.id, { payment_method: 'pm_card' }, { operationId }),
  );
  await retryUntilDone(`${id} refund`, (operationId) =>
    payments.refunds.create({ payment_intent_id: intent.id, amount: refund }, { operationId }),
  );
}

async function callOnce({ id, what, amount }: SingleCall): Promise<void> {
  if (!work.begin(id)) return;
  const metadata = { order: id };
  // Some meet a fault without a retry left.
  const options = { operationId: id, maxRetries: amount % 3 };
  await work.attempt<unknown>(id, () =>
    what === 'intent'
      ? payments.paymentIntents.create({ amount, currency: 'usd', metadata }, options)
      : payments.customers.create({ first_name: 'Ada', metadata }, options),
  );
}

await doAll(tasksOfWorker(tasksOf(task.operations), task.worker), (one) =>
  one.kind === 'patient' ? doOrder(one) : callOnce(one),
);
