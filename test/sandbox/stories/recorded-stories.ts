/** Payment stories, recorded with the client and the sandbox. */

import type { PaymentsClient } from 'payments-client';
import { type Sandbox, type SandboxOptions, testCards } from 'payments-client/sandbox';
import { clientOf, startSandbox } from '../../support/sandbox.ts';

/** The context of a story. */
interface Shop {
  readonly sandbox: Sandbox;
  readonly payments: PaymentsClient;
}

/** A story: its options, its code, and its id. */
export interface RecordedStory {
  readonly options?: SandboxOptions;
  readonly make: (shop: Shop) => Promise<string>;
}

const order = { operationId: 'order-100' };
const tea = { amount: 5500, currency: 'USD' };
const visa = { payment_method: 'pm_card_visa' };
const pages = { success_url: 'https://shop.example/thanks', cancel_url: 'https://shop.example/cart' };
const cart = {
  ...pages,
  mode: 'payment',
  line_items: [{ name: 'Tea', amount: 5500, currency: 'usd', quantity: 1 }],
} as const;

async function paidIntent({ payments }: Shop): Promise<{ id: string; charge: string }> {
  const intent = await payments.paymentIntents.create(tea, order);
  const paid = await payments.paymentIntents.confirm(intent.id, visa, order);
  return { id: intent.id, charge: paid.latest_charge_id ?? '' };
}

async function token({ sandbox }: Shop, ccnumber = testCards.fullMatch.number): Promise<string> {
  return sandbox.tokenize({ ccnumber, ccexp: '1230', cvv: '123' });
}

/** Submits the card form of the hosted checkout. */
async function payOnPage({ sandbox }: Shop, session: string, number: string): Promise<void> {
  const form = {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    ccnumber: number,
    ccexp: '1230',
    cvv: '123',
  };
  await fetch(sandbox.checkoutUrl(session), {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
}

/** The stories by name. */
export const recordedStories: Readonly<Record<string, RecordedStory>> = {
  'a reply that is lost, and the retry that gets it': {
    make: async ({ sandbox, payments }) => {
      const intent = await payments.paymentIntents.create(tea, order);
      sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
      await payments.paymentIntents.confirm(intent.id, visa, { ...order, maxRetries: 1 });
      return 'order-100';
    },
  },
  'a decline, and another card': {
    make: async ({ payments }) => {
      const intent = await payments.paymentIntents.create(tea, order);
      const declined = { payment_method: 'pm_card_declined' };
      await payments.paymentIntents.confirm(intent.id, declined, order).catch(() => {});
      await payments.paymentIntents.retryWithNewPaymentMethod(intent.id, visa, {
        operationId: 'order-100-again',
      });
      return 'order-100';
    },
  },
  'a refund that fails and is retried': {
    options: { refunds: 'manual' },
    make: async (shop) => {
      const { charge } = await paidIntent(shop);
      const refund = await shop.payments.refunds.create({ charge_id: charge }, order);
      shop.sandbox.update('refund', refund.id, { status: 'failed' });
      await shop.payments.refunds.retry(refund.id, { operationId: 'order-100-refund-again' });
      shop.sandbox.update('refund', refund.id, { status: 'succeeded' });
      return 'order-100';
    },
  },
  'a partial refund': {
    make: async (shop) => {
      const { charge } = await paidIntent(shop);
      await shop.payments.refunds.create({ charge_id: charge, amount: 500 }, order);
      await shop.sandbox.clock.advance('5 minutes');
      return 'order-100';
    },
  },
  'a capture on the next day': {
    make: async ({ sandbox, payments }) => {
      const intent = await payments.paymentIntents.create({ ...tea, capture_method: 'manual' }, order);
      await payments.paymentIntents.confirm(intent.id, visa, order);
      await sandbox.clock.advance('1 day');
      await payments.paymentIntents.capture(intent.id, { amount: 4000 }, order);
      return 'order-100';
    },
  },
  'a cancellation': {
    make: async ({ payments }) => {
      const intent = await payments.paymentIntents.create(tea, order);
      await payments.paymentIntents.cancel(intent.id);
      return 'order-100';
    },
  },
  'a session that expires': {
    make: async ({ sandbox, payments }) => {
      await payments.checkoutSessions.create(cart, order);
      await sandbox.clock.advance('25 hours');
      return 'order-100';
    },
  },
  'a session that is paid': {
    make: async ({ sandbox, payments }) => {
      const customer = await payments.customers.create({ first_name: 'Ada', email: 'ada@example.com' });
      const session = await payments.checkoutSessions.create({ ...cart, customer: customer.id }, order);
      sandbox.pay(session.id);
      return 'order-100';
    },
  },
  'a session whose page declines, and then pays': {
    make: async (shop) => {
      const session = await shop.payments.checkoutSessions.create(cart, order);
      await payOnPage(shop, session.id, testCards.insufficientFunds.number);
      await payOnPage(shop, session.id, testCards.fullMatch.number);
      const paid = shop.sandbox.get('checkout_session', session.id);
      const intent = await shop.payments.paymentIntents.retrieve(paid?.payment_intent_id ?? '');
      await shop.payments.refunds.create({ charge_id: intent.latest_charge_id ?? '', amount: 1000 }, order);
      return 'order-100';
    },
  },
  'a subscription with dunning': {
    options: { dunning: [2, 4] },
    make: async ({ sandbox, payments }) => {
      const customer = await payments.customers.create({ first_name: 'Ada', email: 'ada@example.com' });
      const product = await payments.products.create({ name: 'Tea club' });
      const price = await payments.prices.create({
        product: product.id,
        unit_amount: 900,
        currency: 'USD',
        recurring: { interval: 'month' },
      });
      const subscription = await payments.subscriptions.create(
        { customer: customer.id, items: [{ price: price.id }], collection_method: 'charge_automatically' },
        order,
      );
      const [invoice] = await payments.invoices.list().toArray({ max: 10 });
      const declined = { payment_method: 'pm_card_fails_on_renewal' };
      await payments.invoices.updatePaymentMethod(invoice?.id ?? '', declined, order);
      await sandbox.clock.advance('34 days');
      await payments.subscriptions.cancel(subscription.id);
      return 'order-100';
    },
  },
  'a dispute of a sale': {
    make: async (shop) => {
      const sale = await shop.payments.transact.sale({
        amount: '55.00',
        payment_token: await token(shop),
        orderid: 'order-100',
      });
      shop.sandbox.trigger('chargeback.received', { transaction_id: sale.transactionid, amount: '55.00' });
      return 'order-100';
    },
  },
  'a webhook that is down for an hour': {
    make: async (shop) => {
      let isDown = true;
      shop.sandbox.webhooks.deliverTo(
        () => {
          if (isDown) throw new Error('connect ECONNREFUSED');
          return new Response();
        },
        { events: ['payment_intent.succeeded'] },
      );
      await paidIntent(shop);
      await shop.sandbox.clock.advance('1 hour');
      isDown = false;
      await shop.sandbox.clock.advance('1 day');
      return 'order-100';
    },
  },
  'a click that comes twice': {
    make: async ({ payments }) => {
      const customer = await payments.customers.create({ first_name: 'Ada', email: 'ada@example.com' });
      for (const operationId of ['order-100', 'order-101']) {
        const params = { ...tea, customer: customer.id };
        const intent = await payments.paymentIntents.create(params, { operationId });
        await payments.paymentIntents.confirm(intent.id, visa, { operationId });
      }
      return 'order-100';
    },
  },
  'an app that crashes, and repeats its request an hour later': {
    make: async ({ sandbox, payments }) => {
      const params = { ...tea, payment_method: 'pm_card_visa' };
      const intent = await payments.paymentIntents.create(params, order);
      await payments.paymentIntents.confirm(intent.id, {}, order);
      await sandbox.clock.advance('1 hour');
      await payments.paymentIntents.create(params, order);
      await payments.paymentIntents.confirm(intent.id, {}, order);
      return 'order-100';
    },
  },
  'a payment that the app never learns of': {
    make: async ({ sandbox, payments }) => {
      const intent = await payments.paymentIntents.create(tea, order);
      sandbox.faults.inject({ kind: 'truncate_body', operation: 'paymentIntents.confirm', times: 3 });
      await payments.paymentIntents.confirm(intent.id, visa, { ...order, maxRetries: 0 }).catch(() => {});
      return 'order-100';
    },
  },
  'an intent whose reply is lost, and that a list tells of': {
    make: async ({ sandbox, payments }) => {
      sandbox.faults.inject({ kind: 'drop_reply', probability: 1, times: 1, route: 'POST /v1/*' });
      await payments.paymentIntents.create(tea, { ...order, maxRetries: 0 }).catch(() => {});
      const [intent] = await payments.paymentIntents.list().toArray({ max: 1 });
      await payments.paymentIntents.confirm(intent?.id ?? '', visa, order);
      return 'order-100';
    },
  },
  'a 503, and success': {
    make: async ({ sandbox, payments }) => {
      sandbox.faults.inject({ kind: 'unavailable', retryAfter: 0 });
      const intent = await payments.paymentIntents.create(tea, { ...order, maxRetries: 1 });
      sandbox.faults.inject({ kind: 'bad_gateway', committed: true, operation: 'paymentIntents.confirm' });
      await payments.paymentIntents.confirm(intent.id, visa, { ...order, maxRetries: 0 }).catch(() => {});
      await payments.paymentIntents.confirm(intent.id, visa, order);
      return 'order-100';
    },
  },
  'an attempt that meets another one under way': {
    make: async ({ sandbox, payments }) => {
      const intent = await payments.paymentIntents.create(tea, order);
      const hold = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.confirm' });
      const first = payments.paymentIntents.confirm(intent.id, visa, order);
      await hold.reached;
      await payments.paymentIntents.confirm(intent.id, visa, { ...order, maxRetries: 0 }).catch(() => {});
      hold.release();
      await first;
      return 'order-100';
    },
  },
  'a sale that is approved': {
    make: async (shop) => {
      await shop.payments.transact.sale({
        amount: '55.00',
        payment_token: await token(shop),
        orderid: 'order-100',
        address1: "1 O'Connell Street",
        zip: '94107',
      });
      return 'order-100';
    },
  },
  'a sale whose currency the service does not take': {
    options: { onlyShownFields: true },
    make: async (shop) => {
      const { transactionid } = await shop.payments.transact.sale({
        amount: '55.00',
        currency: 'JPY',
        payment_token: await token(shop),
      });
      return transactionid;
    },
  },
  'a sale that is declined': {
    make: async (shop) => {
      const payment_token = await token(shop, testCards.stolenCard.number);
      await shop.payments.transact.sale({ amount: '55.00', payment_token, orderid: 'order-100' });
      return 'order-100';
    },
  },
  'a sale whose reply is lost, and that is found and voided': {
    make: async (shop) => {
      const payment_token = await token(shop);
      shop.sandbox.faults.inject({ kind: 'drop_reply' });
      const sale = { amount: '55.00', payment_token, orderid: 'order-100' };
      await shop.payments.transact.sale(sale).catch(() => {});
      const [found] = shop.sandbox.transactions;
      await shop.payments.transact.void({ transactionid: found?.id ?? '' });
      return 'order-100';
    },
  },
  'a token that is used twice': {
    make: async (shop) => {
      const sale = { amount: '55.00', payment_token: await token(shop), orderid: 'order-100' };
      await shop.payments.transact.sale(sale);
      await shop.payments.transact.sale(sale);
      return 'order-100';
    },
  },
  'an authorization, its capture and a refund': {
    make: async (shop) => {
      const payment_token = await token(shop, testCards.cvvMismatch.number);
      const auth = await shop.payments.transact.auth({
        amount: '55.00',
        payment_token,
        orderid: 'order-100',
      });
      const { transactionid } = auth;
      await shop.payments.transact.capture({ transactionid, amount: '50.00' });
      await shop.payments.transact.refund({ transactionid, amount: '20.00' });
      return transactionid;
    },
  },
  'a session that the app expires, under its own key and interface': {
    options: {
      interface: {
        objectPlace: 'data',
        routes: { 'checkoutSessions.expire': 'POST /v1/sessions/{id}/close' },
      },
    },
    make: async ({ payments }) => {
      const session = await payments.checkoutSessions.create(cart, { idempotencyKey: 'order-100' });
      await payments.checkoutSessions.expire(session.id);
      await payments
        .request({ method: 'POST', path: `/v1/unknown/${session.id}`, movesMoney: false })
        .catch(() => {});
      return session.id;
    },
  },
  'a refund of a payment from before the sandbox listened': {
    make: async ({ sandbox, payments }) => {
      // Sample data is not recorded.
      sandbox.seed({ customers: 1, intents: 5, seed: 'earlier' });
      const charges = await payments.charges.list().toArray({ max: 10 });
      const charge = charges.find(
        ({ status, amount_refunded }) => status === 'succeeded' && amount_refunded === 0,
      );
      await payments.refunds.create({ charge_id: charge?.id ?? '', amount: 100 }, order);
      await sandbox.clock.advance('2 minutes');
      return 'order-100';
    },
  },
  'a request that is lost, and never repeated': {
    make: async ({ sandbox, payments }) => {
      sandbox.faults.inject({ kind: 'drop_request' });
      await payments.paymentIntents.create(tea, { ...order, maxRetries: 0 }).catch(() => {});
      return 'order-100';
    },
  },
  'a reply that is malformed, and one that never ends': {
    make: async ({ sandbox, payments }) => {
      sandbox.faults.inject({ kind: 'malformed_body' });
      await payments.paymentIntents.create(tea, { ...order, maxRetries: 0 }).catch(() => {});
      const intent = await payments.paymentIntents.create(tea, order);
      sandbox.faults.inject({ kind: 'stall_body', operation: 'paymentIntents.confirm' });
      const impatient = { ...order, maxRetries: 0, timeout: 300 };
      await payments.paymentIntents.confirm(intent.id, visa, impatient).catch(() => {});
      await payments.paymentIntents.confirm(intent.id, visa, order);
      return intent.id;
    },
  },
  'a refund from the dashboard': {
    make: async (shop) => {
      const { id, charge } = await paidIntent(shop);
      const { url, secretKey } = shop.sandbox;
      await fetch(`${url}/_sandbox/stories/order-100/actions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'refund', target: charge }),
      });
      await shop.sandbox.clock.advance('2 min');
      return id;
    },
  },
  'a refund that is triggered, and a batch': {
    make: async (shop) => {
      const { charge } = await paidIntent(shop);
      const charge_id = shop.sandbox.get('charge', charge)?.id;
      if (charge_id !== undefined) shop.sandbox.trigger('refund.succeeded', { charge_id, amount: 700 });
      shop.sandbox.settle({ currency: 'USD' });
      return 'order-100';
    },
  },
  'a wrong key, and then the right one': {
    make: async ({ sandbox, payments }) => {
      const wrong = clientOf(sandbox, { secretKey: 'sk_v1_test_wrong' });
      await wrong.paymentIntents.create(tea, order).catch(() => {});
      const intent = await payments.paymentIntents.create(
        { ...tea, metadata: { note: 'it\'s "tea"\n`tea`' } },
        order,
      );
      sandbox.pay(intent.id);
      return 'order-100';
    },
  },
  'a connection that breaks while the service is at work': {
    make: async ({ sandbox, payments }) => {
      const intent = await payments.paymentIntents.create(tea, order);
      const work = sandbox.faults.inject({ kind: 'drop_during', operation: 'paymentIntents.confirm' });
      await payments.paymentIntents.confirm(intent.id, visa, { ...order, maxRetries: 0 }).catch(() => {});
      await payments.paymentIntents.confirm(intent.id, visa, { ...order, maxRetries: 0 }).catch(() => {});
      work.release();
      await payments.paymentIntents.confirm(intent.id, visa, order);
      return 'order-100';
    },
  },
  'a delivery that is replayed': {
    make: async (shop) => {
      shop.sandbox.webhooks.deliverTo(() => new Response());
      await paidIntent(shop);
      await shop.sandbox.settled();
      const [delivery] = shop.sandbox.webhooks.deliveries();
      shop.sandbox.webhooks.replay(delivery?.id ?? '');
      await shop.sandbox.settled();
      return 'order-100';
    },
  },
};

/** Returns the exported test of a story. */
export async function exportOf({ options, make }: RecordedStory): Promise<string> {
  const sandbox = await startSandbox(options);
  const forms = options?.interface === undefined ? {} : { interface: options.interface };
  const payments = clientOf(sandbox, forms);
  const id = await make({ sandbox, payments });
  const response = await fetch(`${sandbox.url}/_sandbox/stories/${encodeURIComponent(id)}/test`, {
    headers: { authorization: `Bearer ${sandbox.secretKey}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
