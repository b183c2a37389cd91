/** What the shop does in every framework. Each project gets a copy of this file beside its own. */

import { PaymentsClient } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

function clientFrom({ PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY }) {
  return new PaymentsClient({ baseUrl: PAYMENTS_BASE_URL, secretKey: PAYMENTS_SECRET_KEY });
}

/** Opens the shop; `env` is `process.env`, or the bindings of a Worker. */
export function openShop(env, payments = clientFrom(env)) {
  const receiver = new Webhooks({ secret: env.PAYMENTS_WEBHOOK_SECRET }).receiver({
    store: memoryStore(), // for one process; redisStore or postgresStore for more
    on: { 'payment_intent.succeeded': ({ data }) => console.log(`paid: ${data.object.id}`) },
    onError: ({ error, outcome }) => console.error(outcome, error.message),
  });

  /** Takes a payment. A repeated call returns the same payment and does not charge again. */
  async function pay(order) {
    const by = { operationId: order };
    const { id } = await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, by);
    const { status } = await payments.paymentIntents.confirm(id, { payment_method: 'pm_card' }, by);
    return { id, status };
  }

  return { pay, receiver };
}
