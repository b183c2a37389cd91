/** How many requests and store operations each call costs: a page of a shop is opened often, and `resume` runs every few minutes. */

import type { OrdersOptions } from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { openShop, type Shop } from './shop.ts';

/** A store that counts. */
function countingStore() {
  const inner = memoryStore();
  const counts = { loads: 0, saves: 0, others: 0 };
  const counted =
    <Args extends unknown[], Result>(name: keyof typeof counts, run: (...args: Args) => Result) =>
    (...args: Args) => {
      counts[name] += 1;
      return run(...args);
    };
  const store: OrdersOptions['store'] = {
    load: counted('loads', inner.load.bind(inner)),
    save: counted('saves', inner.save.bind(inner)),
    lookUp: counted('others', inner.lookUp.bind(inner)),
    due: counted('others', inner.due.bind(inner)),
  };
  return { store, counts };
}

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const back = { id: 'return-1', amount: 500, currency: 'USD' };

type Act = (shop: Shop) => unknown;
type Cost = readonly [requests: number, loads: number, saves: number, others: number];

const nothing: Act = () => undefined;
const open: Act = ({ pageOf }) => pageOf();
const pay: Act = ({ pay: payPage }) => payPage();
const payUntold: Act = async ({ pageOf, sandbox }) => sandbox.pay((await pageOf()).session);
const view: Act = ({ orders }) => orders.get('order-1');
const refresh: Act = ({ orders }) => orders.refresh('order-1');
const resume: Act = ({ orders }) => orders.resume();
const completed: Act = ({ deliver }) => deliver('checkout.session.completed');
const givenBack: Act = async (shop) => {
  await pay(shop);
  await shop.orders.refund('order-1', back);
};
const refunded: Act = ({ deliver }) => deliver('refund.created');
const elsewhere: Act = ({ deliver }) =>
  deliver('refund.created', undefined, { id: 'rf_other', payment_intent_id: 'pi_other' });
const canceled: Act = ({ sandbox, orders }) =>
  orders.on['payment_intent.canceled'](anything(sandbox.trigger('payment_intent.canceled')));

/** Requests, loads, saves, and reads of an index: `others`. */
const rows: readonly (readonly [name: string, before: Act, call: Act, cost: Cost])[] = [
  ['a first view', nothing, view, [0, 1, 0, 0]],
  ['a view', open, view, [0, 1, 0, 0]],
  ['a first checkout', nothing, open, [1, 4, 3, 0]],
  ['a checkout with an open page', open, open, [1, 3, 0, 0]],
  ['a paid event', payUntold, completed, [0, 12, 5, 1]],
  ['a paid event again', pay, completed, [0, 2, 0, 1]],
  ['an event of a known refund', givenBack, refunded, [0, 2, 0, 1]],
  ['an event of an unknown refund', givenBack, elsewhere, [0, 1, 1, 4]],
  ['an event of an unknown intent that took nothing', nothing, canceled, [0, 0, 0, 2]],
  ['a card that is charged', nothing, ({ orders }) => orders.charge('order-1', 'pm_1'), [2, 18, 9, 0]],
  ['a sale', nothing, ({ orders }) => orders.sell('order-1', card), [1, 15, 7, 0]],
  ['a refund', pay, ({ orders }) => orders.refund('order-1', back), [1, 6, 3, 0]],
  ['a refresh of an open page', open, refresh, [1, 8, 1, 0]],
  ['a refresh of a paid order', pay, refresh, [0, 3, 0, 0]],
  ['a refresh that finds the payment', payUntold, refresh, [1, 14, 5, 0]],
  ['a cancellation', open, ({ orders }) => orders.cancel('order-1'), [1, 10, 4, 0]],
  ['a resume with nothing due', pay, resume, [0, 0, 0, 1]],
  [
    'a resume of one page',
    async (shop) => {
      await open(shop);
      await shop.sandbox.clock.advance('1 hour');
    },
    resume,
    [1, 9, 2, 1],
  ],
];

it.each(rows)('%s', async (_name, before, call, cost) => {
  const { store, counts } = countingStore();
  const shop = openShop({ store });
  await before(shop);
  shop.sent();
  Object.assign(counts, { loads: 0, saves: 0, others: 0 });
  await call(shop);
  const { loads, saves, others } = counts;
  expect([shop.sent().length, loads, saves, others]).toEqual(cost);
});
