/** A person who reads what an order needs, and does what the doc comment of each need says. */

import { toMinorUnits } from 'payments-client';
import type { Orders, OrderView } from 'payments-client/orders';
import type { ShopRow } from './seat.ts';
import { ownerOf, type World } from './world.ts';

type Need = OrderView['needs'][number];

/** What a person works with. */
interface Desk {
  readonly world: World;
  readonly row: ShopRow;
  readonly orders: Orders;
  readonly view: OrderView;
}

/** Looks a sale up in the control panel: one that was approved and that the order does not know. Of a capture, whether it was captured. */
function findPayment({ world, row, view }: Desk, { money, operation }: Need): string | null {
  const { ledger, sandbox } = world.service;
  if (!view.payments.some((payment) => payment.operation === operation)) {
    const authorized = view.payments.filter(({ kind, status }) => kind === 'sale' && status !== 'paid');
    const captured = ledger.takenFor(ownerOf(row)).map(({ id }) => id);
    return authorized.find(({ reference }) => captured.includes(reference ?? ''))?.reference ?? null;
  }
  const known = view.payments.map(({ reference }) => reference);
  const made = ledger
    .paymentsOf(ownerOf(row))
    .filter(({ kind, id }) => kind === 'sale' && !known.includes(id));
  const found = made.flatMap(({ id }) => sandbox.transactions.filter((one) => one.id === id && one.approved));
  return (
    found.filter(({ amount, currency }) => toMinorUnits(amount, currency) === money.amount).at(-1)?.id ?? null
  );
}

/** Looks a refund up: one of the amount that nobody made by hand, if there are more than the order knows of. */
function findRefunds({ world, row, view }: Desk, { money }: Need): readonly (string | null)[] {
  const { ledger } = world.service;
  const refunds = ledger.takenFor(ownerOf(row)).flatMap(({ source }) => ledger.refundsOf(source));
  const made = refunds.filter(({ id, amount }) => amount === money.amount && !world.elsewhere.has(id));
  const known = view.refunds.filter(
    ({ money: { amount }, why, reference }) =>
      amount === money.amount && why !== 'elsewhere' && reference !== null,
  );
  if (made.length <= known.length) return [null];
  // The newest first: the older ones are probably those that the order knows.
  return made.map(({ id }) => id).toReversed();
}

/** Tries ids until the order takes one that it does not know yet. */
async function resolveWithAny(
  { world, orders, row }: Desk,
  operation: string,
  found: readonly (string | null)[],
): Promise<void> {
  for (const id of found) {
    world.note(`    tries ${id}`);
    try {
      await orders.resolve(row.id, operation, id);
      return;
    } catch (error) {
      world.refused(`resolve ${row.id} with ${id}`, error);
    }
  }
}

/** The bank decides a dispute about one of the order's payments. */
async function decide({ world, row, orders }: Desk, { reference }: Need, operation: string): Promise<void> {
  const payment = reference ?? '';
  if (world.disputes.get(payment) !== 'open')
    throw new Error(`${row.id} has a chargeback of ${payment} that no bank made.`);
  const isLost = world.draws.chance(0.5);
  world.disputes.set(payment, isLost ? 'lost' : 'won');
  await orders.resolve(row.id, operation, isLost ? operation : null);
}

/** Looks held money up that the service neither takes nor releases. */
function findHold({ world, row }: Desk, { reference }: Need): string | null {
  const taken = world.service.ledger.takenFor(ownerOf(row));
  return taken.some(({ id }) => id === reference) ? reference : null;
}

async function meet(desk: Desk, need: Need): Promise<void> {
  const { world, row, orders, view } = desk;
  const operation = need.operation ?? '';
  world.note(`person: ${row.id} needs ${need.kind} ${operation}`);
  switch (need.kind) {
    case 'rest_unpaid':
      world.canceled.add(ownerOf(row));
      await orders.cancel(row.id);
      return;
    case 'payment_unknown':
    case 'capture_unknown':
      await orders.resolve(row.id, operation, findPayment(desk, need));
      return;
    case 'hold_refused':
      await orders.resolve(row.id, operation, findHold(desk, need));
      return;
    case 'refund_unknown':
      await resolveWithAny(desk, operation, findRefunds(desk, need));
      return;
    case 'refund_failed': {
      const failed = view.refunds.filter(({ status }) => status === 'failed');
      for (const id of new Set(failed.map((one) => one.id))) await orders.retryRefund(row.id, id);
      return;
    }
    case 'chargeback':
      await decide(desk, need, operation);
      return;
    case 'refunded_elsewhere':
      await orders.resolve(row.id, operation, null);
      return;
    case 'row_missing':
      await orders.refresh(row.id);
      return;
    case 'not_shipped':
      await orders.resume();
  }
}

/** Does for every order what it needs, until none needs anything, in at most a few rounds. */
export async function help(world: World): Promise<void> {
  world.wasHelped = true;
  for (let round = 0; round < 6; round += 1) {
    let needs = 0;
    for (const row of await world.database.rows()) {
      if (world.restored.has(ownerOf(row))) continue;
      const { orders } = world.shopOf(row.account).any();
      const view = await orders.get(row.id);
      const need = view.needs[round % Math.max(1, view.needs.length)];
      if (need === undefined) continue;
      needs += 1;
      try {
        await meet({ world, row, orders, view }, need);
      } catch (error) {
        world.refused(`person: ${need.kind}`, error);
      }
    }
    // Events that were given up are delivered again by hand.
    for (const letter of world.letters.waiting) letter.refusals = 0;
    if (needs === 0) return;
  }
}
