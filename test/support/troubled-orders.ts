import type { PaymentsClient } from 'payments-client';
import { createSandbox, type Sandbox, type StorySummary, testCards } from 'payments-client/sandbox';
import { clientOf } from './sandbox.ts';

/** A shop that makes orders in a sandbox. */
interface Shop {
  readonly sandbox: Sandbox;
  readonly payments: PaymentsClient;
  /** Whether the shop's webhook answers. */
  isUp: boolean;
}

/** An order with a payment problem. */
export interface Order {
  /** Its operation id. */
  readonly id: string;
  /** What happened, in words. */
  readonly what: string;
  readonly verdict: StorySummary['verdict'];
  readonly make: (shop: Shop, id: string) => Promise<unknown>;
}

const card = { payment_method: 'pm_card_visa' };
const pages = { success_url: 'https://shop.example/thanks', cancel_url: 'https://shop.example/cart' };

/** Creates and confirms a payment, as an app does for an order. */
async function buy({ payments }: Shop, operationId: string, amount: number, more = {}): Promise<string> {
  const { id } = await payments.paymentIntents.create({ amount, currency: 'USD', ...more }, { operationId });
  await payments.paymentIntents.confirm(id, card, { operationId });
  return id;
}

async function openSession({ payments }: Shop, operationId: string, mode: 'payment' | 'subscription') {
  const line_items = [{ name: 'Tea of the month', amount: 1200, currency: 'usd', quantity: 1 }];
  return payments.checkoutSessions.create({ ...pages, mode, line_items }, { operationId });
}

/** Orders, each with what an app, a buyer, a network or a bank does to it. */
export const troubledOrders: readonly Order[] = [
  {
    id: 'order-100',
    what: 'The reply to the payment is lost, and the app repeats it.',
    verdict: 'charged_once',
    make: async (shop, id) => {
      shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
      await buy(shop, id, 5500).catch(() => undefined);
      await shop.sandbox.clock.advance('4 seconds');
      await buy(shop, id, 5500);
    },
  },
  {
    id: 'order-101',
    what: 'The card is declined, and another card pays.',
    verdict: 'charged_once',
    make: async ({ payments, sandbox }, id) => {
      const intent = await payments.paymentIntents.create(
        { amount: 2300, currency: 'USD' },
        { operationId: id },
      );
      const declined = { payment_method: 'pm_card_insufficient_funds' };
      await payments.paymentIntents.confirm(intent.id, declined, { operationId: id }).catch(() => undefined);
      await sandbox.clock.advance('1 minute');
      await payments.paymentIntents.retryWithNewPaymentMethod(intent.id, card, { operationId: id });
    },
  },
  {
    id: 'order-102',
    what: 'A refund fails, and is retried.',
    verdict: 'charged_once',
    make: async (shop, operationId) => {
      const { payments, sandbox } = shop;
      const intent = await payments.paymentIntents.create({ amount: 8000, currency: 'USD' }, { operationId });
      await payments.paymentIntents.confirm(
        intent.id,
        { payment_method: 'pm_card_refund_fails_once' },
        { operationId },
      );
      const refund = await payments.refunds.create(
        { payment_intent_id: intent.id, amount: 3000 },
        { operationId },
      );
      await sandbox.clock.advance('2 minutes');
      await payments.refunds.retry(refund.id, { operationId: `${operationId}/refund-again` });
      await sandbox.clock.advance('2 minutes');
    },
  },
  {
    id: 'order-103',
    what: 'A sale is disputed.',
    verdict: 'charged_once',
    make: async ({ payments, sandbox }, orderid) => {
      const payment_token = await sandbox.tokenize({
        ccnumber: testCards.fullMatch.number,
        ccexp: '1230',
        cvv: '123',
      });
      await payments.transact.sale({ amount: '49.99', payment_token, orderid, email: 'grace@example.com' });
      await sandbox.clock.advance('1 day');
      sandbox.trigger('chargeback.received', { reason_code: '10.4' });
    },
  },
  {
    id: 'order-104',
    what: "The shop's webhook is down for an hour.",
    verdict: 'charged_once',
    make: async (shop, id) => {
      shop.isUp = false;
      await buy(shop, id, 1900);
      await shop.sandbox.settled();
      await shop.sandbox.clock.advance('1 hour');
      shop.isUp = true;
      await shop.sandbox.clock.advance('1 day');
    },
  },
  {
    id: 'order-105-first-click',
    what: 'The buyer clicks twice, and the app makes an order of each click.',
    verdict: 'charged_twice',
    make: async (shop, id) => {
      const customer = await shop.payments.customers.create(
        { email: 'grace@example.com' },
        { operationId: 'customer-6' },
      );
      await buy(shop, id, 3100, { customer: customer.id });
      await shop.sandbox.clock.advance('1 second');
      await buy(shop, 'order-105-second-click', 3100, { customer: customer.id });
    },
  },
  {
    id: 'order-106',
    what: 'The app crashes between the charge and its own write, and repeats the request when it starts again.',
    verdict: 'charged_once',
    make: async (shop, id) => {
      await buy(shop, id, 4200);
      await shop.sandbox.clock.advance('10 minutes');
      await buy({ ...shop, payments: clientOf(shop.sandbox) }, id, 4200);
    },
  },
  {
    id: 'order-107',
    what: 'The reply is lost, and the app never asks again.',
    verdict: 'unknown_to_app',
    make: async (shop, id) => {
      shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
      await buy(shop, id, 6400).catch(() => undefined);
    },
  },
  {
    id: 'order-108',
    what: 'The buyer never pays, and the session expires.',
    verdict: 'nothing_happened',
    make: async (shop, id) => {
      await openSession(shop, id, 'payment');
      await shop.sandbox.clock.advance('25 hours');
    },
  },
  {
    id: 'order-109',
    what: 'A subscription is paid once, and its renewal is declined until the last attempt.',
    verdict: 'charged_once',
    make: async (shop, id) => {
      const session = await openSession(shop, id, 'subscription');
      shop.sandbox.pay(session.id, { payment_method: 'pm_card_fails_on_renewal' });
      await shop.sandbox.clock.advance('50 days');
    },
  },
  {
    id: 'order-110',
    what: '3-D Secure fails on the checkout page, and the buyer leaves.',
    verdict: 'open',
    make: async (shop, id) => {
      const session = await openSession(shop, id, 'payment');
      const body = new URLSearchParams({
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        ccexp: '1230',
        cvv: '123',
        billing_country: 'US',
        billing_postal_code: '94107',
        ccnumber: testCards.authenticationFailed.number,
      });
      await fetch(shop.sandbox.checkoutUrl(session.id), { method: 'POST', body, redirect: 'manual' });
    },
  },
];

/** A sandbox that listens, in which the orders were made one hour after the other. Who starts it closes it. */
export async function startShop(orders: readonly Order[] = troubledOrders): Promise<Sandbox> {
  const sandbox = await createSandbox({ startsAt: Date.UTC(2026, 0, 15, 9) }).listen();
  const shop: Shop = { sandbox, payments: clientOf(sandbox, { maxRetries: 0 }), isUp: true };
  sandbox.webhooks.deliverTo(
    () => new Response(shop.isUp ? 'thanks' : 'down', { status: shop.isUp ? 200 : 503 }),
  );
  for (const { make, id } of orders) {
    await make(shop, id);
    await sandbox.settled();
    await sandbox.clock.advance('1 hour');
  }
  return sandbox;
}
