import type { PaymentIntent, PaymentIntentCreateParams } from 'payments-client';
import { createSandbox, type Sandbox, type StorySummary, testCards } from 'payments-client-sandbox';
import { clientOf, pageOf } from './sandbox.ts';

const pages = { success_url: 'https://shop.example/thanks', cancel_url: 'https://shop.example/cart' };

/** How a payment differs from the usual one. */
type Purchase = Partial<PaymentIntentCreateParams> & { readonly method?: `pm_${string}` };

/** A shop that makes orders in a sandbox. */
class Shop {
  readonly sandbox: Sandbox;
  readonly payments;
  /** Whether the shop's webhook answers. */
  isUp = true;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    this.payments = clientOf(sandbox, { maxRetries: 0 });
    sandbox.webhooks.deliverTo(
      () => new Response(this.isUp ? 'thanks' : 'down', { status: this.isUp ? 200 : 503 }),
    );
  }

  /** Creates and confirms a payment, as an app does for an order. */
  async buy(operationId: string, amount: number, { method = 'pm_card_visa', ...more }: Purchase = {}) {
    const params: PaymentIntentCreateParams = { amount, currency: 'USD', ...more };
    const intent = await this.payments.paymentIntents.create(params, { operationId });
    await this.pay(intent, operationId, method);
    return intent;
  }

  async pay({ id }: PaymentIntent, operationId: string, method: `pm_${string}` = 'pm_card_visa') {
    await this.payments.paymentIntents.confirm(id, { payment_method: method }, { operationId });
  }

  /** Does something whose first request of an operation gets no reply. */
  async losing(
    operation:
      | 'paymentIntents.create'
      | 'paymentIntents.confirm'
      | 'refunds.create'
      | 'transact.sale'
      | 'transact.auth'
      | 'transact.capture',
    work: () => Promise<unknown>,
  ) {
    this.sandbox.faults.inject({ kind: 'drop_reply', operation });
    await this.failing(work);
  }

  async failing(work: () => Promise<unknown>) {
    await work().then(
      () => {
        throw new Error('Expected the request to fail.');
      },
      () => undefined,
    );
  }

  async refund({ id }: PaymentIntent, operationId: string, amount?: number) {
    return this.payments.refunds.create(
      { payment_intent_id: id, ...(amount !== undefined && { amount }) },
      { operationId },
    );
  }

  async openSession(operationId: string, more = {}) {
    const line_items = [{ name: 'Tea of the month', amount: 1200, currency: 'usd', quantity: 1 }];
    return this.payments.checkoutSessions.create(
      { ...pages, mode: 'payment', line_items, ...more },
      { operationId },
    );
  }

  async subscribe(operationId: string, method: `pm_${string}` = 'pm_card_visa') {
    const session = await this.openSession(operationId, { mode: 'subscription' });
    this.sandbox.pay(session.id, { payment_method: method });
  }

  /** A buyer types a card into the page of a session. */
  async typeCard(session: string, card: keyof typeof testCards) {
    const body = new URLSearchParams({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      ccexp: '1230',
      cvv: '123',
      billing_country: 'US',
      billing_postal_code: '94107',
      ccnumber: testCards[card].number,
    });
    await fetch(pageOf(this.sandbox, session), { method: 'POST', body, redirect: 'manual' });
  }

  token(card: keyof typeof testCards) {
    return this.sandbox.tokenize({ ccnumber: testCards[card].number, ccexp: '1230', cvv: '123' });
  }

  /** A card sale by the form endpoint. */
  async sell(orderid: string, card: keyof typeof testCards = 'fullMatch', more = {}) {
    const payment_token = await this.token(card);
    return this.payments.transact.sale({ amount: '49.99', payment_token, orderid, ...more });
  }

  /** Authorizes a card by the form endpoint. */
  async authorize(orderid: string) {
    const payment_token = await this.token('fullMatch');
    return this.payments.transact.auth({ amount: '49.99', payment_token, orderid });
  }

  /** The id of the latest transaction, as the app finds it in an event or at the service. */
  latestTransaction(): string {
    return this.sandbox.transactions.at(-1)?.id ?? '';
  }

  customer(email = 'grace@example.com') {
    return this.sandbox.add('customer', { email }).id;
  }

  async wait(time: string) {
    await this.sandbox.clock.advance(time);
  }
}

/** An order with a payment problem, or one that looks like it. */
export interface Order {
  /** Its operation id. */
  readonly id: string;
  /** What happened, in words. */
  readonly what: string;
  readonly verdict: StorySummary['verdict'];
  readonly reason: string;
  /** Why somebody must act, and how; absent if nobody must. */
  readonly needs?: Omit<NonNullable<StorySummary['needs']>, 'due'>;
  readonly make: (shop: Shop, id: string) => Promise<unknown>;
}

const again = (operation: string) =>
  ({
    why: 'unknown',
    action: `Let your app send ${operation} again with the same operation id: the buyer is not ${operation === 'refunds.create' ? 'refunded' : 'charged'} again.`,
  }) as const;
const refund = (which: string) =>
  ({ why: 'charged_twice', action: `Refund '${which}', if both are one purchase.` }) as const;
const refundIf = (which: string) =>
  ({
    why: 'charged_twice',
    action: `Refund '${which}', if both are one purchase. If not, let your app send it again with the same operation id.`,
  }) as const;
const refundOne = { why: 'charged_twice', action: 'Refund one, if both are one purchase.' } as const;

/** Orders, each with what an app, a buyer, a network or a bank does to it, and what is true of it then. */
export const troubledOrders: readonly Order[] = [
  {
    id: 'order-100',
    what: 'The reply to the payment is lost, and the app repeats it.',
    verdict: 'charged_once',
    reason: '$55.00 was charged. A reply was lost; the app retried the request and got the same reply.',
    make: async (shop, id) => {
      await shop.losing('paymentIntents.confirm', () => shop.buy(id, 5500));
      await shop.wait('4 seconds');
      await shop.buy(id, 5500);
    },
  },
  {
    id: 'order-101',
    what: 'The card is declined, and another card pays.',
    verdict: 'charged_once',
    reason: '$23.00 was charged. An earlier attempt was declined: insufficient funds.',
    make: async (shop, operationId) => {
      const intent = await shop.payments.paymentIntents.create(
        { amount: 2300, currency: 'USD' },
        { operationId },
      );
      await shop.failing(() => shop.pay(intent, operationId, 'pm_card_insufficient_funds'));
      await shop.wait('1 minute');
      const card = { payment_method: 'pm_card_visa' } as const;
      await shop.payments.paymentIntents.retryWithNewPaymentMethod(intent.id, card, { operationId });
    },
  },
  {
    id: 'order-102',
    what: 'A refund fails, and is retried.',
    verdict: 'charged_once',
    reason: '$80.00 was charged. $30.00 was refunded, after a failed attempt.',
    make: async (shop, id) => {
      const intent = await shop.buy(id, 8000, { method: 'pm_card_refund_fails_once' });
      const refund = await shop.refund(intent, id, 3000);
      await shop.wait('2 minutes');
      await shop.payments.refunds.retry(refund.id, { operationId: `${id}/refund-again` });
      await shop.wait('2 minutes');
    },
  },
  {
    id: 'order-103',
    what: 'A sale is disputed, and there is time to respond.',
    verdict: 'charged_once',
    reason: '$49.99 was charged. The buyer disputes $49.99.',
    needs: { why: 'dispute_due', action: 'Answer the dispute of $49.99 by 31 January 2026.' },
    make: async (shop, id) => {
      await shop.sell(id, 'fullMatch', { email: 'grace@example.com' });
      await shop.wait('1 day');
      shop.sandbox.trigger('chargeback.received', { reason_code: '10.4', due_date: '2026-01-31' });
    },
  },
  {
    id: 'order-104',
    what: "The shop's webhook is down for an hour.",
    verdict: 'charged_once',
    reason: '$19.00 was charged. Your webhook endpoint failed 8 times, then received every event.',
    make: async (shop, id) => {
      shop.isUp = false;
      await shop.buy(id, 1900);
      await shop.sandbox.settled();
      await shop.wait('1 hour');
      shop.isUp = true;
      await shop.wait('1 day');
    },
  },
  {
    id: 'order-105-first-click',
    what: 'The buyer clicks twice, and the app makes an order of each click.',
    verdict: 'charged_twice',
    reason:
      "$31.00 was charged. 'order-105-second-click' charged the same customer the same amount: $62.00 in total.",
    needs: refund('order-105-second-click'),
    make: async (shop, id) => {
      const customer = shop.customer();
      await shop.buy(id, 3100, { customer });
      await shop.wait('1 second');
      await shop.buy('order-105-second-click', 3100, { customer });
    },
  },
  {
    id: 'order-106',
    what: 'The app crashes between the charge and its own write, and repeats the request when it starts again.',
    verdict: 'charged_once',
    reason: '$42.00 was charged. The app retried a request and got the same reply, without a second charge.',
    make: async (shop, id) => {
      await shop.buy(id, 4200);
      await shop.wait('10 minutes');
      await shop.buy(id, 4200);
    },
  },
  {
    id: 'order-107',
    what: 'The reply is lost, and the app never asks again.',
    verdict: 'unknown_to_app',
    reason: '$64.00 was charged once, but the app never received the reply to paymentIntents.confirm.',
    needs: again('paymentIntents.confirm'),
    make: (shop, id) => shop.losing('paymentIntents.confirm', () => shop.buy(id, 6400)),
  },
  {
    id: 'order-107-read',
    what: 'The reply is lost, and the app reads the payment.',
    verdict: 'charged_once',
    reason: '$64.00 was charged. A reply was lost; the app learned the result later.',
    make: async (shop, id) => {
      const { paymentIntents } = shop.payments;
      const intent = await paymentIntents.create({ amount: 6400, currency: 'USD' }, { operationId: id });
      await shop.losing('paymentIntents.confirm', () => shop.pay(intent, id));
      await paymentIntents.retrieve(intent.id);
    },
  },
  {
    id: 'order-108',
    what: 'The buyer never pays, and the session expires.',
    verdict: 'nothing_happened',
    reason: 'Nothing was charged. The session expired.',
    make: async (shop, id) => {
      await shop.openSession(id);
      await shop.wait('25 hours');
    },
  },
  {
    id: 'order-109',
    what: 'A subscription is paid once, and its renewal is declined until the last attempt.',
    verdict: 'charged_once',
    reason: '$12.00 was charged. A later invoice was declined 5 times and is not retried.',
    needs: {
      why: 'renewal_unpaid',
      action: 'Ask the buyer for another card for $12.00, or cancel the subscription.',
    },
    make: async (shop, id) => {
      await shop.subscribe(id, 'pm_card_fails_on_renewal');
      await shop.wait('50 days');
    },
  },
  {
    id: 'order-109-retried',
    what: 'A subscription is paid once, and its renewal is declined and retried.',
    verdict: 'charged_once',
    reason: '$12.00 was charged. A later invoice was declined 2 times and is retried later.',
    make: async (shop, id) => {
      await shop.subscribe(id, 'pm_card_fails_on_renewal');
      await shop.wait('31 days');
    },
  },
  {
    id: 'order-110',
    what: '3-D Secure fails on the checkout page, and the buyer leaves.',
    verdict: 'open',
    reason: 'Nothing was charged yet. 3-D Secure failed. The buyer can still pay.',
    make: async (shop, id) => shop.typeCard((await shop.openSession(id)).id, 'authenticationFailed'),
  },
];

/** More orders: what is easily mistaken for one of the others. */
export const moreOrders: readonly Order[] = [
  {
    id: 'order-200',
    what: 'A payment is refunded in full.',
    verdict: 'charged_once',
    reason: '$43.00 was charged. $43.00 was refunded.',
    make: async (shop, id) => {
      await shop.refund(await shop.buy(id, 4300), id);
      await shop.wait('2 minutes');
    },
  },
  {
    id: 'order-201',
    what: 'A refund is pending.',
    verdict: 'charged_once',
    reason: '$43.00 was charged. A refund of $43.00 was made and is pending.',
    make: async (shop, id) => shop.refund(await shop.buy(id, 4300), id),
  },
  {
    id: 'order-202',
    what: 'A refund fails, and nobody retries it.',
    verdict: 'charged_once',
    reason: '$43.00 was charged. A refund of $43.00 failed.',
    needs: { why: 'refund_failed', action: 'Retry the refund of $43.00, or pay the buyer another way.' },
    make: async (shop, id) => {
      await shop.refund(await shop.buy(id, 4300, { method: 'pm_card_refund_fails' }), id);
      await shop.wait('2 minutes');
    },
  },
  {
    id: 'order-203',
    what: 'A refund fails, and a new one takes its place.',
    verdict: 'charged_once',
    reason: '$43.00 was charged. A refund of $43.00 was made and is pending. A refund of $43.00 failed.',
    make: async (shop, id) => {
      const intent = await shop.buy(id, 4300, { method: 'pm_card_refund_fails_once' });
      await shop.refund(intent, id);
      await shop.wait('2 minutes');
      await shop.refund(intent, `${id}/new`);
    },
  },
  {
    id: 'order-204',
    what: 'The reply to a refund is lost while the refund is pending.',
    verdict: 'unknown_to_app',
    reason:
      '$43.00 was charged once. A refund of $43.00 was made and is pending, but the app never received the reply to refunds.create.',
    needs: again('refunds.create'),
    make: async (shop, id) => {
      const intent = await shop.buy(id, 4300);
      await shop.losing('refunds.create', () => shop.refund(intent, id));
    },
  },
  {
    id: 'order-205',
    what: 'The reply to a refund is lost, and the refund fails.',
    verdict: 'unknown_to_app',
    reason:
      '$43.00 was charged once. A refund of $43.00 failed, but the app never received the reply to refunds.create.',
    needs: again('refunds.create'),
    make: async (shop, id) => {
      const intent = await shop.buy(id, 4300, { method: 'pm_card_refund_fails' });
      await shop.losing('refunds.create', () => shop.refund(intent, id));
      await shop.wait('2 minutes');
    },
  },
  {
    id: 'order-206',
    what: 'The reply to a refund is lost, and the app repeats it.',
    verdict: 'charged_once',
    reason:
      '$43.00 was charged. $43.00 was refunded. A reply was lost; the app retried the request and got the same reply.',
    make: async (shop, id) => {
      const intent = await shop.buy(id, 4300);
      await shop.losing('refunds.create', () => shop.refund(intent, id));
      await shop.refund(intent, id);
      await shop.wait('2 minutes');
    },
  },
  {
    id: 'order-207',
    what: 'Two clicks, and one payment is refunded.',
    verdict: 'charged_once',
    reason: '$31.00 was charged. A refund of $31.00 was made and is pending.',
    make: async (shop, id) => {
      const customer = shop.customer();
      const intent = await shop.buy(id, 3100, { customer });
      await shop.buy('order-207-second', 3100, { customer });
      await shop.refund(intent, id);
    },
  },
  {
    id: 'order-208',
    what: 'Two clicks, and the refund of one payment fails.',
    verdict: 'charged_twice',
    reason:
      "$31.00 was charged. 'order-208-second' charged the same customer the same amount: $62.00 in total.",
    needs: refund('order-208-second'),
    make: async (shop, id) => {
      const customer = shop.customer();
      const intent = await shop.buy(id, 3100, { customer, method: 'pm_card_refund_fails' });
      await shop.buy('order-208-second', 3100, { customer });
      await shop.refund(intent, id);
      await shop.wait('2 minutes');
    },
  },
  {
    id: 'order-209',
    what: 'Three clicks.',
    verdict: 'charged_twice',
    reason:
      "$31.00 was charged. 'order-209-second' and 'order-209-third' charged the same customer the same amount: $93.00 in total.",
    needs: { why: 'charged_twice', action: 'Refund 2 of the 3, if all are one purchase.' },
    make: async (shop, id) => {
      const customer = shop.customer();
      for (const name of [id, 'order-209-second', 'order-209-third'])
        await shop.buy(name, 3100, { customer });
    },
  },
  {
    id: 'order-209-first',
    what: 'Six clicks.',
    verdict: 'charged_twice',
    reason:
      "$31.00 was charged. 'order-209-2', 'order-209-3' and 3 others charged the same customer the same amount: $186.00 in total.",
    needs: { why: 'charged_twice', action: 'Refund 5 of the 6, if all are one purchase.' },
    make: async (shop, id) => {
      const customer = shop.customer();
      const others = [2, 3, 4, 5, 6].map((number) => `order-209-${number}`);
      for (const name of [id, ...others]) await shop.buy(name, 3100, { customer });
    },
  },
  {
    id: 'order-210',
    what: 'The same customer buys the same again after eleven minutes.',
    verdict: 'charged_once',
    reason: '$31.00 was charged.',
    make: async (shop, id) => {
      const customer = shop.customer();
      await shop.buy(id, 3100, { customer });
      await shop.wait('11 minutes');
      await shop.buy('order-210-later', 3100, { customer });
    },
  },
  {
    id: 'order-210-early',
    what: 'The same customer buys the same again after ten minutes.',
    verdict: 'charged_twice',
    reason:
      "$31.00 was charged. 'order-210-again' charged the same customer the same amount: $62.00 in total.",
    needs: refund('order-210-again'),
    make: async (shop, id) => {
      const customer = shop.customer();
      await shop.buy(id, 3100, { customer });
      await shop.wait('10 minutes');
      await shop.buy('order-210-again', 3100, { customer });
    },
  },
  {
    id: 'order-211',
    what: 'Two guests buy the same at the same time.',
    verdict: 'charged_once',
    reason: '$31.00 was charged.',
    make: async (shop, id) => {
      await shop.buy(id, 3100);
      await shop.buy('order-211-other', 3100);
    },
  },
  {
    id: 'order-212',
    what: "A guest's reply is lost, and the app makes a new order of it.",
    verdict: 'charged_twice',
    reason:
      "$31.00 was charged, and the app never received the reply to paymentIntents.confirm. 'order-212-new' charged the same amount: $62.00 in total.",
    needs: refundIf('order-212-new'),
    make: async (shop, id) => {
      await shop.losing('paymentIntents.confirm', () => shop.buy(id, 3100));
      await shop.wait('1 minute');
      await shop.buy('order-212-new', 3100);
    },
  },
  {
    id: 'order-212-guests',
    what: "A guest's reply is lost, after one guest and before several that buy the same.",
    verdict: 'charged_twice',
    reason:
      "$31.00 was charged, and the app never received the reply to paymentIntents.confirm. 'order-212-next' charged the same amount: $62.00 in total.",
    needs: refundIf('order-212-next'),
    make: async (shop, id) => {
      await shop.buy('order-212-before', 3100);
      await shop.wait('1 minute');
      await shop.losing('paymentIntents.confirm', () => shop.buy(id, 3100));
      for (const name of ['order-212-next', 'order-212-third', 'order-212-fourth']) {
        await shop.wait('1 minute');
        await shop.buy(name, 3100);
      }
    },
  },
  {
    id: 'order-212-last',
    what: "A guest's reply is lost, after another guest bought the same.",
    verdict: 'unknown_to_app',
    reason: '$31.00 was charged once, but the app never received the reply to paymentIntents.confirm.',
    needs: again('paymentIntents.confirm'),
    make: async (shop, id) => {
      await shop.buy('order-212-earlier', 3100);
      await shop.wait('1 minute');
      await shop.losing('paymentIntents.confirm', () => shop.buy(id, 3100));
    },
  },
  {
    id: 'order-213',
    what: "A guest's reply is lost, and another guest buys something else.",
    verdict: 'unknown_to_app',
    reason: '$31.00 was charged once, but the app never received the reply to paymentIntents.confirm.',
    needs: again('paymentIntents.confirm'),
    make: async (shop, id) => {
      await shop.losing('paymentIntents.confirm', () => shop.buy(id, 3100));
      await shop.buy('order-213-other', 3200);
    },
  },
  {
    id: 'order-214',
    what: "A customer's reply is lost, and another customer buys the same.",
    verdict: 'unknown_to_app',
    reason: '$31.00 was charged once, but the app never received the reply to paymentIntents.confirm.',
    needs: again('paymentIntents.confirm'),
    make: async (shop, id) => {
      await shop.losing('paymentIntents.confirm', () => shop.buy(id, 3100, { customer: shop.customer() }));
      await shop.buy('order-214-other', 3100, { customer: shop.customer('ada@example.com') });
    },
  },
  {
    id: 'order-215',
    what: 'A reply is lost, and an hour later a new order has the same metadata.',
    verdict: 'charged_twice',
    reason:
      "$31.00 was charged, and the app never received the reply to paymentIntents.confirm. 'order-215-new' charged the same amount: $62.00 in total.",
    needs: refundIf('order-215-new'),
    make: async (shop, id) => {
      const metadata = { cart: '215' };
      await shop.losing('paymentIntents.confirm', () => shop.buy(id, 3100, { metadata }));
      await shop.wait('1 hour');
      await shop.buy('order-215-new', 3100, { metadata });
    },
  },
  {
    id: 'order-216',
    what: 'Two orders that are known to the app have the same metadata.',
    verdict: 'charged_once',
    reason: '$31.00 was charged.',
    make: async (shop, id) => {
      const metadata = { source: 'web' };
      await shop.buy(id, 3100, { metadata });
      await shop.buy('order-216-other', 3100, { metadata });
    },
  },
  {
    id: 'order-217',
    what: 'A guest pays two sessions of the same cart.',
    verdict: 'charged_twice',
    reason: "$12.00 was charged. 'order-217-second' charged the same amount: $24.00 in total.",
    needs: refund('order-217-second'),
    make: async (shop, id) => {
      for (const name of [id, 'order-217-second'])
        shop.sandbox.pay((await shop.openSession(name, { client_reference_id: 'cart-217' })).id);
    },
  },
  {
    id: 'order-260',
    what: 'Two buyers pay sessions that name their campaign, and two guests sessions without a name.',
    verdict: 'charged_once',
    reason: '$12.00 was charged.',
    make: async (shop, id) => {
      const buyers = [
        [id, 'campaign', 'a@example.com'],
        ['order-260-other', 'campaign', 'b@example.com'],
        ['order-260-guest', 'n/a', undefined],
        ['order-260-second-guest', 'n/a', undefined],
      ] as const;
      for (const [name, client_reference_id, customer_email] of buyers)
        shop.sandbox.pay((await shop.openSession(name, { client_reference_id, customer_email })).id);
    },
  },
  {
    id: 'order-218',
    what: 'The buyer pays on the page, and the app charges the card too.',
    verdict: 'charged_twice',
    reason: '$12.00 was charged twice for one order.',
    needs: refundOne,
    make: async (shop, id) => {
      shop.sandbox.pay((await shop.openSession(id)).id);
      await shop.buy(id, 1200);
    },
  },
  {
    id: 'order-219',
    what: 'A sale by form is lost, and sent again.',
    verdict: 'charged_twice',
    reason: '$49.99 was charged twice for one order.',
    needs: refundOne,
    make: async (shop, id) => {
      await shop.losing('transact.sale', () => shop.sell(id));
      await shop.sell(id);
    },
  },
  {
    id: 'order-220',
    what: 'A sale by form is lost.',
    verdict: 'unknown_to_app',
    reason: '$49.99 was charged once, but the app never received the reply to transact.sale.',
    needs: {
      why: 'unknown',
      action: 'Look it up before you send transact.sale again: it has no idempotency key.',
    },
    make: (shop, id) => shop.losing('transact.sale', () => shop.sell(id)),
  },
  {
    id: 'order-221',
    what: 'A sale by form is declined.',
    verdict: 'nothing_happened',
    reason: 'Nothing was charged. The card was declined: insufficient funds.',
    needs: { why: 'declined', action: 'Ask the buyer for another card.' },
    make: (shop, id) => shop.sell(id, 'insufficientFunds'),
  },
  {
    id: 'order-222',
    what: 'A sale by form is voided.',
    verdict: 'nothing_happened',
    reason: 'Nothing was charged. The payment was voided.',
    make: async (shop, id) =>
      shop.payments.transact.void({ transactionid: (await shop.sell(id)).transactionid }),
  },
  {
    id: 'order-223',
    what: 'A sale is disputed, and the time to respond is over.',
    verdict: 'charged_once',
    reason: '$49.99 was charged. The buyer disputes $49.99.',
    make: async (shop, id) => {
      await shop.sell(id);
      shop.sandbox.trigger('chargeback.received', { due_date: '2026-01-20' });
      await shop.wait('10 days');
    },
  },
  {
    id: 'order-224',
    what: 'The order is paid, and every webhook is given up.',
    verdict: 'charged_once',
    reason: '$19.00 was charged. Your webhook endpoint failed 16 times and misses 2 events.',
    needs: { why: 'webhooks_given_up', action: 'Fix your webhook endpoint, then redeliver 2 events.' },
    make: async (shop, id) => {
      shop.isUp = false;
      await shop.buy(id, 1900);
      await shop.wait('3 days');
    },
  },
  {
    id: 'order-225',
    what: 'Webhooks are given up, and redelivered.',
    verdict: 'charged_once',
    reason: '$19.00 was charged. Your webhook endpoint failed 16 times, then received every event.',
    make: async (shop, id) => {
      shop.isUp = false;
      await shop.buy(id, 1900);
      await shop.wait('3 days');
      shop.isUp = true;
      for (const { id: delivery } of shop.sandbox.webhooks.deliveries())
        shop.sandbox.webhooks.replay(delivery);
      await shop.sandbox.settled();
    },
  },
  {
    id: 'order-226',
    what: 'A subscription renews.',
    verdict: 'charged_once',
    reason: '$12.00 was charged twice, once for each of 2 invoices.',
    make: async (shop, id) => {
      await shop.subscribe(id);
      await shop.wait('40 days');
    },
  },
  {
    id: 'order-227',
    what: 'An unpaid subscription is canceled.',
    verdict: 'charged_once',
    reason: '$12.00 was charged. A later invoice was declined 5 times and is not retried.',
    make: async (shop, id) => {
      await shop.subscribe(id, 'pm_card_fails_on_renewal');
      await shop.wait('50 days');
      for await (const one of shop.payments.subscriptions.list())
        await shop.payments.subscriptions.cancel(one.id, { operationId: `${id}/cancel` });
    },
  },
  {
    id: 'order-228',
    what: 'A card is declined.',
    verdict: 'open',
    reason:
      'Nothing was charged yet. The card was declined: stolen card. Your app can still send a payment method.',
    needs: { why: 'declined', action: 'Ask the buyer for another card.' },
    make: (shop, id) => shop.failing(() => shop.buy(id, 3100, { method: 'pm_card_stolen' })),
  },
  {
    id: 'order-229',
    what: 'A card is declined, and the payment is canceled.',
    verdict: 'nothing_happened',
    reason: 'Nothing was charged. The payment was canceled.',
    make: async (shop, operationId) => {
      const params = { amount: 3100, currency: 'USD' };
      const intent = await shop.payments.paymentIntents.create(params, { operationId });
      await shop.failing(() => shop.pay(intent, operationId, 'pm_card_declined'));
      await shop.payments.paymentIntents.cancel(intent.id, { operationId });
    },
  },
  {
    id: 'order-230',
    what: 'An amount is authorized.',
    verdict: 'open',
    reason: 'Nothing was charged yet. The amount is authorized: your app must capture it or cancel.',
    make: (shop, id) => shop.buy(id, 3100, { capture_method: 'manual' }),
  },
  {
    id: 'order-231',
    what: 'An authorized amount is captured.',
    verdict: 'charged_once',
    reason: '$31.00 was charged.',
    make: async (shop, operationId) => {
      const { id } = await shop.buy(operationId, 3100, { capture_method: 'manual' });
      await shop.payments.paymentIntents.capture(id, {}, { operationId });
    },
  },
  {
    id: 'order-232',
    what: 'A request never arrives.',
    verdict: 'nothing_happened',
    reason: 'The service executed no request.',
    make: async (shop, id) => {
      shop.sandbox.faults.inject({ kind: 'drop_request' });
      await shop.failing(() => shop.buy(id, 3100));
    },
  },
  {
    id: 'order-233',
    what: 'A proxy answers in place of the service, which has executed the request.',
    verdict: 'unknown_to_app',
    reason: 'The service executed paymentIntents.create, but the app never received the reply.',
    needs: again('paymentIntents.create'),
    make: async (shop, id) => {
      shop.sandbox.faults.inject({ kind: 'bad_gateway', committed: true });
      await shop.failing(() => shop.buy(id, 3100));
    },
  },
  {
    id: 'order-4111111111111111',
    what: 'Two orders have ids that look like card numbers.',
    verdict: 'charged_once',
    reason: '$31.00 was charged.',
    make: async (shop, id) => {
      await shop.buy(id, 3100);
      await shop.buy('order-5555555555554444', 3100);
    },
  },
  {
    id: 'order-234',
    what: 'Two refunds have ids that look like card numbers, and one reply is lost.',
    verdict: 'unknown_to_app',
    reason:
      '$31.00 was charged once. A refund of $5.00 was made and is pending, but the app never received the reply to refunds.create.',
    needs: again('refunds.create'),
    make: async (shop, id) => {
      const intent = await shop.buy(id, 3100);
      await shop.refund(intent, '4111111111111111', 700);
      await shop.losing('refunds.create', () => shop.refund(intent, '5555555555554444', 500));
    },
  },
  {
    id: 'order-235',
    what: 'A payment in yen.',
    verdict: 'charged_once',
    reason: '¥3,100 was charged.',
    make: (shop, id) => shop.buy(id, 3100, { currency: 'JPY' }),
  },
  {
    id: 'order-236',
    what: '3-D Secure fails once, and the buyer pays.',
    verdict: 'charged_once',
    reason: '$12.00 was charged.',
    make: async (shop, id) => {
      const session = await shop.openSession(id);
      await shop.typeCard(session.id, 'authenticationFailed');
      await shop.typeCard(session.id, 'frictionless');
    },
  },
  {
    id: 'order-237',
    what: 'A card is authorized by the form endpoint, and nothing is captured yet.',
    verdict: 'open',
    reason: 'Nothing was charged yet. The amount is authorized: your app must capture it or void it.',
    make: (shop, id) => shop.authorize(id),
  },
  {
    id: 'order-238',
    what: 'A payment waits for the authentication of its buyer.',
    verdict: 'open',
    reason: 'Nothing was charged yet. The buyer must authenticate.',
    make: async (shop, operationId) => {
      const { id } = await shop.payments.paymentIntents.create(
        { amount: 3100, currency: 'USD' },
        { operationId },
      );
      shop.sandbox.update('payment_intent', id, { status: 'requires_action' });
    },
  },
  {
    id: 'order-239',
    what: 'A renewal is declined until the last attempt, while the webhook is down.',
    verdict: 'charged_once',
    reason:
      '$12.00 was charged. A later invoice was declined 5 times and is not retried. Your webhook endpoint failed 192 times and misses 24 events.',
    needs: { why: 'webhooks_given_up', action: 'Fix your webhook endpoint, then redeliver 24 events.' },
    make: async (shop, id) => {
      shop.isUp = false;
      await shop.subscribe(id, 'pm_card_fails_on_renewal');
      await shop.wait('60 days');
    },
  },
  {
    id: 'order-240',
    what: 'Nobody pays, while the webhook is down.',
    verdict: 'nothing_happened',
    reason: 'Nothing was charged. The session expired.',
    make: async (shop, id) => {
      shop.isUp = false;
      await shop.openSession(id);
      await shop.wait('5 days');
    },
  },
  {
    id: 'order-241',
    what: 'One of two webhook endpoints that are down is deleted, the other is given up.',
    verdict: 'charged_once',
    reason: '$19.00 was charged. Your webhook endpoint failed 18 times and misses 2 events.',
    needs: { why: 'webhooks_given_up', action: 'Fix your webhook endpoint, then redeliver 2 events.' },
    make: async (shop, id) => {
      shop.isUp = false;
      const second = shop.sandbox.webhooks.deliverTo(() => new Response('down', { status: 503 }));
      await shop.buy(id, 1900);
      await shop.sandbox.settled();
      await shop.payments.webhookEndpoints.delete(second.id);
      await shop.wait('3 days');
    },
  },
  {
    id: 'order-242',
    what: 'A guest clicks twice, and the app sends two sales.',
    verdict: 'charged_twice',
    reason:
      "$49.99 was charged. 'order-242-second' charged the same customer the same amount: $99.98 in total.",
    needs: refund('order-242-second'),
    make: async (shop, id) => {
      const guest = { email: 'grace@example.com' };
      await shop.sell(id, 'fullMatch', guest);
      await shop.sell('order-242-second', 'fullMatch', guest);
    },
  },
  {
    id: 'order-245',
    what: 'A sale by form is lost, and the app refunds it: it learned its transaction.',
    verdict: 'charged_once',
    reason: '$49.99 was charged. $9.99 was refunded. A reply was lost; the app learned the result later.',
    make: async (shop, id) => {
      await shop.losing('transact.sale', () => shop.sell(id));
      await shop.payments.transact.refund({ transactionid: shop.latestTransaction(), amount: '9.99' });
    },
  },
  {
    id: 'order-246',
    what: 'A sale by form is lost, and the app voids it.',
    verdict: 'nothing_happened',
    reason: 'Nothing was charged. The payment was voided.',
    make: async (shop, id) => {
      await shop.losing('transact.sale', () => shop.sell(id));
      await shop.payments.transact.void({ transactionid: shop.latestTransaction() });
    },
  },
  {
    id: 'order-247',
    what: 'An authorization by form is lost and captured, and another guest buys the same.',
    verdict: 'charged_once',
    reason: '$49.99 was charged. A reply was lost; the app learned the result later.',
    make: async (shop, id) => {
      await shop.losing('transact.auth', () => shop.authorize(id));
      await shop.payments.transact.capture({ transactionid: shop.latestTransaction() });
      await shop.sell('order-247-other');
    },
  },
  {
    id: 'order-248',
    what: 'The reply to a capture is lost, and another guest buys the same.',
    verdict: 'unknown_to_app',
    reason: '$49.99 was charged once, but the app never received the reply to transact.capture.',
    needs: {
      why: 'unknown',
      action: 'Look it up before you send transact.capture again: it has no idempotency key.',
    },
    make: async (shop, id) => {
      const { transactionid } = await shop.authorize(id);
      await shop.losing('transact.capture', () => shop.payments.transact.capture({ transactionid }));
      await shop.sell('order-248-other');
    },
  },
  {
    id: 'order-249',
    what: 'A payment is created without a reply, and the app finds and confirms it.',
    verdict: 'charged_once',
    reason: '$31.00 was charged. A reply was lost; the app learned the result later.',
    make: async (shop, id) => {
      await shop.losing('paymentIntents.create', () => shop.buy(id, 3100));
      const [intent] = (await shop.payments.paymentIntents.list()).items;
      if (intent !== undefined) await shop.pay(intent, id);
    },
  },
  {
    id: 'order-250',
    what: 'Two payments have one order id in their metadata.',
    verdict: 'charged_twice',
    reason: "$31.00 was charged. 'order-250-again' charged the same amount: $62.00 in total.",
    needs: refund('order-250-again'),
    make: async (shop, id) => {
      await shop.buy(id, 3100, { metadata: { order_id: '250', source: 'web' } });
      await shop.buy('order-250-again', 3100, { metadata: { order_id: '250', source: 'app' } });
    },
  },
  {
    id: 'order-251',
    what: 'Two sessions have one order id in their metadata.',
    verdict: 'charged_twice',
    reason: "$12.00 was charged. 'order-251-again' charged the same amount: $24.00 in total.",
    needs: refund('order-251-again'),
    make: async (shop, id) => {
      for (const name of [id, 'order-251-again'])
        shop.sandbox.pay((await shop.openSession(name, { metadata: { orderId: '251' } })).id);
    },
  },
  {
    id: 'order-252/1',
    what: 'Two attempts at an order pay.',
    verdict: 'charged_twice',
    reason: "$31.00 was charged. 'order-252/2' charged the same amount: $62.00 in total.",
    needs: refund('order-252/2'),
    make: async (shop, id) => {
      await shop.buy(id, 3100);
      await shop.buy('order-252/2', 3100);
    },
  },
  {
    id: 'shop-1/order/1',
    what: 'Two orders whose ids have one prefix cost the same.',
    verdict: 'charged_once',
    reason: '$31.00 was charged.',
    make: async (shop, id) => {
      await shop.buy(id, 3100);
      await shop.buy('shop-1/order/2', 3100);
    },
  },
  ...['2026', '2026-01', '20260115', '2026-01-15', '15.01.2026'].map(
    (period): Order => ({
      id: `${period}/1`,
      what: `Two orders that a shop numbers within ${period} cost the same.`,
      verdict: 'charged_once',
      reason: '$31.00 was charged.',
      make: async (shop, id) => {
        await shop.buy(id, 3100);
        await shop.buy(`${period}/2`, 3100);
      },
    }),
  ),
  {
    id: 'order-253',
    what: 'A session has the reference that is the operation id of a payment.',
    verdict: 'charged_twice',
    reason: "$12.00 was charged. 'order-253-page' charged the same amount: $24.00 in total.",
    needs: refund('order-253-page'),
    make: async (shop, id) => {
      await shop.buy(id, 1200);
      shop.sandbox.pay((await shop.openSession('order-253-page', { client_reference_id: id })).id);
    },
  },
  {
    id: 'order-254',
    what: 'A payment has the order id of a sale by form in its metadata.',
    verdict: 'charged_twice',
    reason: "$49.99 was charged. 'order-254-intent' charged the same amount: $99.98 in total.",
    needs: refund('order-254-intent'),
    make: async (shop, id) => {
      await shop.sell(id);
      await shop.buy('order-254-intent', 4999, { metadata: { order: id } });
    },
  },
  {
    id: 'order-255',
    what: 'A deposit and the rest have one order id.',
    verdict: 'charged_once',
    reason: '$20.00 was charged.',
    make: async (shop, id) => {
      const metadata = { order_id: '255' };
      await shop.buy(id, 2000, { metadata });
      await shop.buy('order-255-rest', 2100, { metadata });
    },
  },
  {
    id: 'order-256',
    what: 'An order is paid in two instalments, an hour apart.',
    verdict: 'charged_once',
    reason: '$31.00 was charged.',
    make: async (shop, id) => {
      const metadata = { order_id: '256' };
      await shop.buy(id, 3100, { metadata });
      await shop.wait('1 hour');
      await shop.buy('order-256-second', 3100, { metadata });
    },
  },
  {
    id: 'order-257',
    what: 'A return has items of two orders, and numbers their refunds.',
    verdict: 'charged_once',
    reason: '$31.00 was charged. A refund of $5.00 was made and is pending.',
    make: async (shop, id) => {
      await shop.refund(await shop.buy(id, 3100), 'return-7/1', 500);
      await shop.refund(await shop.buy('order-257-other', 3100), 'return-7/2', 500);
    },
  },
  {
    id: 'order-258/1',
    what: 'A reply is lost, and an hour later the next attempt at the order pays.',
    verdict: 'charged_twice',
    reason:
      "$31.00 was charged, and the app never received the reply to paymentIntents.confirm. 'order-258/2' charged the same amount: $62.00 in total.",
    needs: refundIf('order-258/2'),
    make: async (shop, id) => {
      await shop.losing('paymentIntents.confirm', () => shop.buy(id, 3100));
      await shop.wait('1 hour');
      await shop.buy('order-258/2', 3100);
    },
  },
  ...[
    { kind: 'rate_limit' } as const,
    { kind: 'idempotency_error', code: 'IDEMPOTENCY_KEY_IN_PROGRESS' } as const,
  ].map(
    (fault, index): Order => ({
      id: `order-${243 + index}`,
      what: `A reply is lost, and the repetition meets ${fault.kind}: the app still does not know.`,
      verdict: 'unknown_to_app',
      reason: '$31.00 was charged once, but the app never received the reply to paymentIntents.confirm.',
      needs: again('paymentIntents.confirm'),
      make: async (shop, operationId) => {
        const params = { amount: 3100, currency: 'USD' };
        const intent = await shop.payments.paymentIntents.create(params, { operationId });
        await shop.losing('paymentIntents.confirm', () => shop.pay(intent, operationId));
        shop.sandbox.faults.inject(fault);
        await shop.failing(() => shop.pay(intent, operationId));
      },
    }),
  ),
];

async function openShop(): Promise<Shop> {
  return new Shop(await createSandbox({ startsAt: Date.UTC(2026, 0, 15, 9) }).listen());
}

/** A sandbox that listens, in which one order was made. Who starts it closes it. */
export async function makeOrder({ make, id }: Order): Promise<Sandbox> {
  const shop = await openShop();
  await make(shop, id);
  await shop.sandbox.settled();
  return shop.sandbox;
}

/** The same with many orders, made one hour after the other. */
export async function startShop(orders: readonly Order[] = troubledOrders): Promise<Sandbox> {
  const shop = await openShop();
  for (const { make, id } of orders) {
    shop.isUp = true;
    await make(shop, id);
    await shop.sandbox.settled();
    await shop.wait('1 hour');
  }
  return shop.sandbox;
}
