/** Payment stories, recorded with the client and the sandbox. */

import type { PaymentsClient } from 'payments-client';
import { type Sandbox, type SandboxOptions, testCards } from 'payments-client/sandbox';
import { clientOf, pageOf } from '../../support/sandbox.ts';

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
  await fetch(pageOf(sandbox, session), {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
}

/** Answers the 3-D Secure challenge of the hosted checkout that waits for the buyer. */
async function answerOnPage({ sandbox }: Shop, session: string, answer: string): Promise<void> {
  const page = await fetch(`${sandbox.url}/_sandbox/entries?kind=change&limit=1`, {
    headers: { authorization: `Bearer ${sandbox.secretKey}` },
  });
  const { data } = Object(await page.json());
  const form = { name: 'Ada Lovelace', email: 'ada@example.com', challenge: data[0].object.id, answer };
  const body = new URLSearchParams(form);
  await fetch(pageOf(sandbox, session), { method: 'POST', body, redirect: 'manual' });
}

/** Sends a form that the client would not send. */
async function submitForm(
  { url, securityKey }: Sandbox,
  fields: FormData | Readonly<Record<string, string>>,
): Promise<void> {
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
  body.set('security_key', securityKey);
  await fetch(`${url}/api/transact.php`, { method: 'POST', body });
}

const onceAnHour = {
  name: 'once',
  windowMs: 3_600_000,
  counts: 'attempts',
  limit: 1,
  action: 'block',
} as const;

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
  'deliveries that meet faults': {
    make: async (shop) => {
      const { faults, webhooks, clock } = shop.sandbox;
      webhooks.deliverTo(() => new Response());
      faults.inject({ kind: 'duplicate_delivery', types: ['payment_intent.succeeded'] });
      faults.inject({ kind: 'drop_delivery', types: ['refund.created'] });
      faults.inject({ kind: 'forge_delivery', types: ['refund.succeeded'] });
      const { charge } = await paidIntent(shop);
      await shop.payments.refunds.create({ charge_id: charge, amount: 500 }, order);
      await clock.advance('5 minutes');
      return 'order-100';
    },
  },
  'a delivery that comes late, after another order met the same fault': {
    make: async (shop) => {
      shop.sandbox.webhooks.deliverTo(
        async (request) =>
          new Response(null, { status: (await request.text()).includes('refund') ? 500 : 200 }),
        { events: ['payment_intent.created', 'payment_intent.succeeded', 'refund.created'] },
      );
      shop.sandbox.faults.inject({ kind: 'delay_delivery', by: '2 hours', times: 3 });
      const other = await shop.payments.paymentIntents.create(tea, { operationId: 'order-99' });
      await shop.payments.paymentIntents.confirm(other.id, visa, { operationId: 'order-99' });
      const { charge } = await paidIntent(shop);
      await shop.payments.refunds.create({ charge_id: charge, amount: 500 }, order);
      await shop.sandbox.clock.advance('3 hours');
      return 'order-100';
    },
  },
  'a delivery that is replayed since a fault dropped it': {
    make: async (shop) => {
      const { faults, webhooks } = shop.sandbox;
      webhooks.deliverTo(() => new Response());
      faults.inject({ kind: 'drop_delivery' });
      await paidIntent(shop);
      await shop.sandbox.settled();
      const [dropped] = webhooks.deliveries();
      webhooks.replay(dropped?.id ?? '');
      await shop.sandbox.settled();
      return 'order-100';
    },
  },
  'a delivery that overtakes another': {
    make: async (shop) => {
      shop.sandbox.webhooks.deliverTo(() => new Response());
      shop.sandbox.faults.inject({ kind: 'reorder_delivery' });
      await paidIntent(shop);
      await shop.sandbox.settled();
      return 'order-100';
    },
  },
  'a sale that a velocity rule declines': {
    options: { velocityRules: [{ ...onceAnHour, per: 'ip' }] },
    make: async (shop) => {
      for (const orderid of ['order-99', 'order-100']) {
        const sale = { amount: '5.00', payment_token: `tok_${orderid}`, ipaddress: '192.0.2.1', orderid };
        await shop.payments.transact.sale(sale);
      }
      return 'order-100';
    },
  },
  'a sale with a card that another sale used': {
    options: { velocityRules: [{ ...onceAnHour, per: 'card' }] },
    make: async (shop) => {
      for (const orderid of ['order-98', 'order-99', 'order-100']) {
        const ccnumber = orderid === 'order-98' ? testCards.avsGlobal.number : testCards.fullMatch.number;
        const payment_token = await token(shop, ccnumber);
        await shop.payments.transact.sale({ amount: '5.00', payment_token, orderid });
      }
      return 'order-100';
    },
  },
  'a sale with a token that is unknown, and that another sale used': {
    options: { velocityRules: [{ ...onceAnHour, per: 'card' }] },
    make: async ({ payments }) => {
      for (const [orderid, payment_token] of [
        ['order-98', 'tok_a'],
        ['order-99', 'tok_b'],
        ['order-100', 'tok_a'],
      ] as const) {
        await payments.transact.sale({ amount: '5.00', payment_token, orderid });
      }
      return 'order-100';
    },
  },
  'a sale that the cardholder confirmed': {
    make: async (shop) => {
      const payment_token = await token(shop, testCards.challengeRequired.number);
      const threeDSecure = shop.sandbox.authenticate(payment_token, 'passed');
      await shop.payments.transact.sale({
        amount: '55.00',
        payment_token,
        threeDSecure,
        orderid: 'order-100',
      });
      return 'order-100';
    },
  },
  'a sale whose cardholder failed 3-D Secure': {
    make: async (shop) => {
      const payment_token = await token(shop, testCards.authenticationFailed.number);
      const { cardholder_auth, eci } = shop.sandbox.authenticate(payment_token);
      await submitForm(shop.sandbox, {
        type: 'sale',
        amount: '55.00',
        orderid: 'order-100',
        payment_token,
        cardholder_auth,
        eci,
      });
      return 'order-100';
    },
  },
  'a buyer who passes the challenge on the page': {
    make: async (shop) => {
      const session = await shop.payments.checkoutSessions.create(cart, order);
      await payOnPage(shop, session.id, testCards.challengeRequired.number);
      await answerOnPage(shop, session.id, 'passed');
      return 'order-100';
    },
  },
  'a buyer who cancels and fails the challenge, and pays without one': {
    make: async (shop) => {
      const session = await shop.payments.checkoutSessions.create(cart, order);
      await payOnPage(shop, session.id, testCards.challengeRequired.number);
      await answerOnPage(shop, session.id, 'unanswered');
      await payOnPage(shop, session.id, testCards.challengeRequired.number);
      await answerOnPage(shop, session.id, 'failed');
      await payOnPage(shop, session.id, testCards.frictionless.number);
      return 'order-100';
    },
  },
  'a buyer whose bank refuses on the page': {
    make: async (shop) => {
      const session = await shop.payments.checkoutSessions.create(cart, order);
      await payOnPage(shop, session.id, testCards.authenticationFailed.number);
      return 'order-100';
    },
  },
  'a subscription that renews, and a payment of the second of two invoices': {
    make: async ({ sandbox, payments }) => {
      const customer = await payments.customers.create({ first_name: 'Ada', email: 'ada@example.com' });
      const price = await payments.prices.create({
        unit_amount: 900,
        currency: 'USD',
        recurring: { interval: 'month' },
      });
      const subscription = await payments.subscriptions.create(
        { customer: customer.id, items: [{ price: price.id }] },
        order,
      );
      const [first] = await payments.invoices.list().toArray({ max: 1 });
      sandbox.pay(first?.id ?? '', { payment_method: 'pm_card_fails_on_renewal' });
      await sandbox.clock.advance('65 days');
      const [second] = await payments.invoices.list().toArray({ max: 1 });
      sandbox.pay(second?.id ?? '', { payment_method: 'pm_card_visa' });
      await payments.subscriptions.cancel(subscription.id);
      return subscription.id;
    },
  },
  'a subscription from before the sandbox listened': {
    make: async ({ sandbox, payments }) => {
      // Sample data is not recorded.
      sandbox.seed({ customers: 20, intents: 0, seed: 'earlier' });
      const [subscription] = await payments.subscriptions.list().toArray({ max: 1 });
      await payments.subscriptions.cancel(subscription?.id ?? '');
      return subscription?.id ?? '';
    },
  },
  'a multipart form with a card number, and one without a security code': {
    make: async (shop) => {
      const card = { ccnumber: testCards.zipOnly.number, ccexp: '1230' };
      const sale = { type: 'sale', amount: '55.00', orderid: 'order-100', ...card };
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...sale, cvv: '123' })) form.set(name, value);
      await submitForm(shop.sandbox, form);
      await submitForm(shop.sandbox, sale);
      return 'order-100';
    },
  },
  'a card that has expired, and a token that has': {
    make: async (shop) => {
      const ccnumber = testCards.fullMatch.number;
      const payment_token = await shop.sandbox.tokenize({ ccnumber, ccexp: '0120' });
      await shop.payments.transact.sale({ amount: '55.00', payment_token, orderid: 'order-100' });
      const old = await token(shop);
      await shop.sandbox.clock.advance('1 hour');
      await shop.payments.transact.sale({ amount: '55.00', payment_token: old, orderid: 'order-100' });
      return 'order-100';
    },
  },
  'texts that look like references, cards and prototypes': {
    make: async ({ sandbox }) => {
      const metadata = '{"a":"@1.payment_intent","b":"@@1.charge#2","__proto__":"[card:fullMatch]"}';
      const response = await fetch(`${sandbox.url}/v1/payment_intents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.secretKey}`, 'content-type': 'application/json' },
        body: `{"amount":5500,"currency":"USD","metadata":${metadata}}`,
      });
      const { id } = Object(await response.json());
      sandbox.pay(String(id));
      return String(id);
    },
  },
  'a batch that is reconciled': {
    make: async (shop) => {
      await paidIntent(shop);
      const [batch] = shop.sandbox.settle();
      shop.sandbox.reconcile(batch?.id ?? '', 'reconciled');
      return 'order-100';
    },
  },
  'a price and a customer that change before a renewal': {
    make: async ({ sandbox, payments }) => {
      const customer = await payments.customers.create({ first_name: 'Ada' });
      const price = sandbox.add('price', {
        unit_amount: 900,
        currency: 'USD',
        recurring: { interval: 'month' },
      });
      await payments.subscriptions.create(
        { customer: customer.id, items: [{ price: price.id }], collection_method: 'charge_automatically' },
        order,
      );
      sandbox.update('price', price.id, { unit_amount: 1500 });
      await payments.customers.update(customer.id, { first_name: 'Grace' });
      const [invoice] = await payments.invoices.list().toArray({ max: 1 });
      sandbox.pay(invoice?.id ?? '', { payment_method: 'pm_card_visa' });
      await sandbox.clock.advance('32 days');
      return 'order-100';
    },
  },
  'work that never ends after the connection broke': {
    make: async ({ sandbox, payments }) => {
      const intent = await payments.paymentIntents.create(tea, order);
      sandbox.faults.inject({ kind: 'drop_during', operation: 'paymentIntents.confirm' });
      await payments.paymentIntents.confirm(intent.id, visa, { ...order, maxRetries: 0 }).catch(() => {});
      return 'order-100';
    },
  },
  'a renewal that is due as soon as a late invoice is paid': {
    make: async ({ sandbox, payments }) => {
      const customer = await payments.customers.create({ first_name: 'Ada' });
      const items = [{ price: sandbox.add('price', { unit_amount: 900, currency: 'USD' }).id }];
      await payments.subscriptions.create(
        { customer: customer.id, items, collection_method: 'charge_automatically' },
        order,
      );
      await sandbox.clock.advance('31 days');
      for (const payment_method of ['pm_card_fails_on_renewal', 'pm_card_visa'] as const) {
        const [invoice] = await payments.invoices.list().toArray({ max: 1 });
        sandbox.pay(invoice?.id ?? '', { payment_method });
        await sandbox.settled();
        await sandbox.clock.advance('1 hour');
      }
      return 'order-100';
    },
  },
  'an endpoint that gets an event again, and faults that a customer and a batch met': {
    options: { settlement: 'daily' },
    make: async (shop) => {
      const { faults, webhooks, clock } = shop.sandbox;
      webhooks.deliverTo(() => new Response());
      faults.inject({ kind: 'duplicate_delivery' });
      faults.inject({ kind: 'drop_delivery' });
      const customer = await shop.payments.customers.create({ first_name: 'Ada' });
      const intent = await shop.payments.paymentIntents.create({ ...tea, customer: customer.id }, order);
      await shop.sandbox.settled();
      webhooks.deliverTo(() => new Response(null, { status: 503 }));
      webhooks.replay(shop.sandbox.events.at(-1)?.id ?? '');
      await shop.payments.transact.sale({ amount: '7.00', payment_token: 'tok_1' });
      faults.inject({ kind: 'tamper_delivery', times: 3 });
      await clock.advance('1 day');
      shop.sandbox.pay(intent.id);
      await clock.advance('1 day');
      return 'order-100';
    },
  },
};
