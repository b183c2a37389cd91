/** A shop that sells tea at 12.00, with one order of one cup: a sandbox with its client, a store, a row, and what was shipped. */

import type { PaymentsClient, PaymentsClientOptions } from 'payments-client';
import {
  createOrders,
  type Need,
  type OrderRow,
  type Orders,
  type OrdersOptions,
  type OrderView,
} from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';
import { type SandboxOptions, testCards } from 'payments-client-sandbox';
import { createTestClient } from 'payments-client-sandbox/testing';
import { expect } from 'vitest';
import { anything } from '../support/anything.ts';
import { clientOf } from '../support/sandbox.ts';

interface ShopOptions extends Partial<OrdersOptions> {
  /** Options of the client. */
  readonly client?: Pick<PaymentsClientOptions, 'journal' | 'keyLifetime' | 'formAmounts'>;
  /** Options of the sandbox. Default: refunds stay pending, and an expired page can be paid. */
  readonly sandbox?: SandboxOptions;
}

export function openShop({ client, sandbox: settings, ...options }: ShopOptions = {}) {
  const { payments, sandbox } = createTestClient({
    client,
    sandbox: { refunds: 'manual', expiredSessions: 'payable', ...settings },
  });
  const row: { -readonly [Name in keyof OrderRow]: OrderRow[Name] } & { cups: number } = {
    createdAt: 1,
    currency: 'usd',
    lines: [],
    cups: 1,
  };
  const shipped: string[] = [];
  const store = options.store ?? memoryStore();
  const start = (own: PaymentsClient) =>
    createOrders({
      account: 'tea-shop-test',
      saleCurrency: 'USD',
      page: (id) => `https://shop.example/orders/${id}`,
      order: (): OrderRow => ({ ...row, lines: [{ name: 'Tea', amount: 1200, quantity: row.cups }] }),
      onPaid: ({ id, total: { amount, currency } }) => void shipped.push(`${id} for ${amount} ${currency}`),
      now: sandbox.clock.now,
      ...options,
      payments: own,
      store,
    });
  const orders = start(options.payments ?? payments);
  let seen = 0;
  /** Delivers the newest event of a type, of an object if its id is given, with changes of that object. */
  const deliver = async (type: keyof Orders['on'], id?: string, changes: object = {}): Promise<void> => {
    const event = sandbox.events.findLast(
      (one) => one.type === type && (id === undefined || Reflect.get(one.data.object, 'id') === id),
    );
    if (event === undefined) throw new Error(`Expected an event ${type}.`);
    // The type of an event decides about its object.
    await orders.on[type](anything({ ...event, data: { object: { ...event.data.object, ...changes } } }));
  };
  const pageOf = async () => {
    const page = await orders.checkout('order-1');
    if (page.state !== 'open') throw new Error(`Expected an open page, got ${page.state}.`);
    return page;
  };
  return {
    payments,
    sandbox,
    row,
    shipped,
    store,
    orders,
    deliver,
    /** Returns the orders of another process, whose client knows nothing of earlier calls. */
    restart: () => {
      // All clients of one address in a process share what they know.
      const baseUrl = 'https://another-process.example';
      return start(clientOf(sandbox, { maxRetries: 0, ...client, baseUrl, fetch: sandbox.fetch }));
    },
    /** Opens the page of the order. */
    pageOf,
    /** Lets the buyer pay the order on its page. Returns the session. */
    pay: async () => {
      const { session } = await pageOf();
      sandbox.pay(session);
      await orders.refresh('order-1');
      return session;
    },
    /** The requests since this was asked last, by the methods that sent them. */
    sent: () => {
      const { requests } = sandbox;
      const fresh = requests.slice(seen).map(({ operation }) => operation);
      seen = requests.length;
      return fresh;
    },
    /** The idempotency keys of all requests of a method. */
    keysOf: (method: string) =>
      sandbox.requests
        .filter(({ operation }) => operation === method)
        .map(({ idempotencyKey }) => idempotencyKey),
  };
}

export type Shop = ReturnType<typeof openShop>;

/** A shop whose onPaid fails until it is mended, and what it shipped since. */
export function openBrokenShop() {
  const shipped: string[] = [];
  let isBroken = true;
  const shop = openShop({
    onPaid: ({ id }) => {
      if (isBroken) throw new Error('down');
      shipped.push(id);
    },
  });
  const mend = () => {
    isBroken = false;
  };
  return { ...shop, shipped, mend };
}

/** Holds the money of an order, by an intent or by the form endpoint. */
export async function holdMoney(shop: Shop, by: 'intent' | 'sale'): Promise<Shop> {
  const later = { capture: false } as const;
  const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
  const { orders } = shop;
  const result =
    by === 'intent' ? orders.charge('order-1', 'pm_1', later) : orders.sell('order-1', card, later);
  expect(await result).toEqual({ state: 'authorized' });
  shop.sent();
  return shop;
}

/** The state of a view, and its amounts that are not zero, in minor units. */
export function sumsOf(view: OrderView): Readonly<Record<string, number | string>> {
  const { state, total, paid, added, due, refunded, refunding, refundable } = view;
  const amounts = { total, paid, added, due, refunded, refunding, refundable };
  const entries = Object.entries(amounts).map(([name, { amount }]) => [name, amount] as const);
  return { state, ...Object.fromEntries(entries.filter(([, amount]) => amount !== 0)) };
}

/** Returns all of what an iterable yields. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Returns the only need of an order. */
export async function onlyNeed({ orders }: Shop, kind: Need['kind']): Promise<Need & { operation: string }> {
  const { needs } = await orders.get('order-1');
  const [need] = needs;
  if (needs.length !== 1 || need?.kind !== kind)
    throw new Error(`Expected the need ${kind}, got ${JSON.stringify(needs)}.`);
  return { ...need, operation: need.operation ?? '' };
}

/** The code of the error that a call ends with. */
export async function codeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return Reflect.get(Object(error), 'code') ?? Reflect.get(Object(error), 'name');
  }
  throw new Error('Expected an error.');
}
