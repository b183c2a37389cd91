import type { RouteName } from 'payments-client';

/** A shop that takes payments in a sandbox, and what goes wrong around it. */
export interface DemoShop {
  /** Returns the operation id of an order, which no other run has. */
  orderNamed(name: string): string;
  /**
   * Sends a request for an order.
   *
   * @param id The id in its path.
   * @returns The id of the object in the reply; empty if the reply was lost, or is a decline.
   */
  send(order: string, operation: RouteName, body: object, id?: string): Promise<string>;
  /** Loses the next reply to a method. */
  loseReply(operation: RouteName): void;
  /** Lets a pending refund fail. */
  failRefund(refund: string): Promise<void>;
  /** Does something while the shop's webhook endpoint refuses the events of an object. */
  whileDown(object: string, work: () => Promise<unknown>): Promise<void>;
}

/** An order of the demo. */
export interface DemoOrder {
  /** Its operation id, and the id of its story. */
  readonly id: string;
  /** What happened to it, in one sentence. */
  readonly what: string;
}

const card = { payment_method: 'pm_card_visa' };

/** Amounts that an own test order hardly has: an equal one might pass for the same purchase. */
const amounts = { unheard: 2790, refunded: 4620, clicked: 3130, declined: 2370, lost: 5480 };

function create(shop: DemoShop, order: string, amount: number, more: object = {}): Promise<string> {
  return shop.send(order, 'paymentIntents.create', { amount, currency: 'USD', ...more });
}

function confirm(shop: DemoShop, order: string, intent: string, method: object = card): Promise<string> {
  return shop.send(order, 'paymentIntents.confirm', method, intent);
}

async function webhookDown(shop: DemoShop): Promise<readonly DemoOrder[]> {
  const id = shop.orderNamed('webhook-down');
  const intent = await create(shop, id, amounts.unheard);
  await shop.whileDown(intent, () => confirm(shop, id, intent));
  return [{ id, what: 'It is paid, but the webhook endpoint was down, so the app was not told.' }];
}

async function failedRefund(shop: DemoShop): Promise<readonly DemoOrder[]> {
  const id = shop.orderNamed('failed-refund');
  const intent = await create(shop, id, amounts.refunded);
  await confirm(shop, id, intent);
  await shop.failRefund(await shop.send(id, 'refunds.create', { payment_intent_id: intent }));
  return [{ id, what: 'It is paid, and its refund failed.' }];
}

async function doubleClick(shop: DemoShop): Promise<readonly DemoOrder[]> {
  const ids = [shop.orderNamed('first-click'), shop.orderNamed('second-click')] as const;
  const buyer = { first_name: 'Grace', email: 'grace@example.com' };
  const customer = await shop.send(shop.orderNamed('buyer'), 'customers.create', buyer);
  for (const id of ids) await confirm(shop, id, await create(shop, id, amounts.clicked, { customer }));
  return ids.map((id) => ({ id, what: 'The buyer clicked twice, and the app made an order of each click.' }));
}

async function secondCard(shop: DemoShop): Promise<readonly DemoOrder[]> {
  const id = shop.orderNamed('second-card');
  const intent = await create(shop, id, amounts.declined);
  await confirm(shop, id, intent, { payment_method: 'pm_card_insufficient_funds' });
  await shop.send(id, 'paymentIntents.retryWithNewPaymentMethod', card, intent);
  return [{ id, what: 'The first card was declined, and another one paid.' }];
}

async function lostReply(shop: DemoShop): Promise<readonly DemoOrder[]> {
  const id = shop.orderNamed('lost-reply');
  const intent = await create(shop, id, amounts.lost);
  shop.loseReply('paymentIntents.confirm');
  await confirm(shop, id, intent);
  await confirm(shop, id, intent);
  return [
    { id, what: 'The reply to its payment was lost, and the app repeated the request with the same key.' },
  ];
}

/** The order to look at first comes last: lists show the newest one first. */
const scenarios = [webhookDown, failedRefund, doubleClick, secondCard, lostReply];

/** Makes orders that go wrong, each in its own way. Returns them in the order of their making. */
export async function makeDemoOrders(shop: DemoShop): Promise<readonly DemoOrder[]> {
  const orders: DemoOrder[] = [];
  for (const make of scenarios) orders.push(...(await make(shop)));
  return orders;
}
