/** What must hold once nothing more happens: the record says what the ledger says, and money is where it belongs. */

import type { OrderView } from 'payments-client/orders';
import type { Taken } from './ledger.ts';
import { type ShopRow, totalOf } from './seat.ts';
import { ownerOf, type World } from './world.ts';

type NeedKind = OrderView['needs'][number]['kind'];

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** An order at rest: its row, what its shop knows, and what the service knows. */
interface Rest {
  readonly world: World;
  readonly row: ShopRow;
  readonly owner: string;
  readonly view: OrderView;
  readonly taken: readonly Taken[];
  readonly fail: (why: string) => void;
}

const has = ({ view }: Rest, ...kinds: readonly NeedKind[]) =>
  view.needs.some(({ kind }) => kinds.includes(kind));

/** Whether the shop says that it does not know something, so that its record cannot be complete. */
const isUnknown = (rest: Rest) => has(rest, 'payment_unknown', 'capture_unknown', 'refund_unknown');

const netOf = (taken: readonly Taken[], wanted: (currency: string) => boolean) =>
  sum(
    taken
      .filter(({ currency }) => wanted(currency))
      .map(({ amount, refunded, refunding }) => amount - refunded - refunding),
  );

function checkRecord(rest: Rest): void {
  const { view, taken, fail } = rest;
  const { currency } = view.total;
  if (!has(rest, 'payment_unknown', 'capture_unknown')) {
    const paid = sum(taken.filter((one) => one.currency === currency).map(({ amount }) => amount));
    if (view.paid.amount !== paid)
      fail(`the record says that ${view.paid.amount} were paid, the ledger ${paid}`);
  }
  if (isUnknown(rest)) return;
  const own = taken.filter((one) => one.currency === currency);
  const refunded = sum(own.map((one) => one.refunded));
  const refunding = sum(own.map((one) => one.refunding));
  if (view.refunded.amount !== refunded)
    fail(`the record says that ${view.refunded.amount} were refunded, the ledger ${refunded}`);
  if (view.refunding.amount !== refunding)
    fail(`the record says that ${view.refunding.amount} go back, the ledger ${refunding}`);
  if (view.refunded.amount + view.refunding.amount > view.paid.amount) fail('more went back than was paid');
}

/** Each return is that which the shop asked for, once. */
function checkReturns({ world, owner, view, fail }: Rest): void {
  const asked = world.returns.get(owner);
  const returns = view.refunds.filter(({ why, status }) => why === 'return' && status !== 'failed');
  for (const [id, parts] of Map.groupBy(returns, (one) => one.id)) {
    const amount = sum(parts.map(({ money }) => money.amount));
    if (amount > (asked?.get(id) ?? 0)) fail(`${id} was over ${asked?.get(id)}, and ${amount} went back`);
  }
}

const amountOf = (view: OrderView, why: string) =>
  sum(
    view.refunds
      .filter(
        (one) => one.why === why && one.status !== 'failed' && one.money.currency === view.total.currency,
      )
      .map(({ money }) => money.amount),
  );

/** The money of a shipped order: what it cost stays, what was too much went back. */
function checkShipped(rest: Rest): void {
  const { row, view, taken, fail } = rest;
  // A return may be of what was too much, and never given back: then more is returned than it cost.
  const most = Math.max(0, (row.shippedTotal ?? 0) + view.added.amount - amountOf(view, 'return'));
  // What others gave back may be what was paid too much, or not; a tip goes back with the payment that it belongs to.
  const least = most - amountOf(view, 'elsewhere') - view.added.amount;
  // Of a disputed payment it is open what will stay.
  const isDisputed = taken.some(({ id }) => rest.world.disputes.has(id));
  const isExcused = isUnknown(rest) || has(rest, 'refund_failed') || isDisputed;
  const own = netOf(taken, (currency) => currency === row.shippedCurrency);
  const foreign = netOf(taken, (currency) => currency !== row.shippedCurrency);
  if (own > most && !isExcused) fail(`it shipped, and keeps ${own} instead of ${most}`);
  if (own < least && !isUnknown(rest) && !isDisputed)
    fail(`it shipped, and gave back too much: it keeps ${own} instead of ${least}`);
  if (foreign !== 0 && !isExcused) fail(`it shipped, and keeps ${foreign} of another currency`);
}

/** The payments without those that a bank takes back: these pay for nothing, and must not go back a second time. */
function undisputed({ world, taken }: Rest): readonly Taken[] {
  return taken.filter(({ id }) => (world.disputes.get(id) ?? 'won') === 'won');
}

function checkCanceled(rest: Rest): void {
  const kept = netOf(undisputed(rest), () => true);
  if (kept !== 0 && !isUnknown(rest) && !has(rest, 'refund_failed'))
    rest.fail(`it is canceled, and keeps ${kept}`);
}

/** Whether the row still asks for what was paid. */
function isAsPaid({ row, view: { total } }: Rest): boolean {
  return totalOf(row) === total.amount && row.currency.toUpperCase() === total.currency;
}

/** An order that neither shipped nor was canceled: either something is due, or a person must act. */
function checkDue(rest: Rest): void {
  const { row, view, fail } = rest;
  const total = totalOf(row);
  const taken = undisputed(rest);
  // A tip pays for nothing.
  const net = netOf(taken, (currency) => currency === row.currency.toUpperCase()) - view.added.amount;
  const any = netOf(taken, () => true);
  // What should go back in full does not ship, until a person decides.
  if (has(rest, 'refund_failed') || has(rest, 'not_shipped')) return;
  if (total > 0 && net >= total && !isUnknown(rest)) fail(`${net} of ${total} are paid, and it did not ship`);
  // A tip alone is left of what has gone back before it shipped.
  if (isUnknown(rest) || any === view.added.amount) return;
  const isHeld = view.payments.some(({ status }) => status === 'authorized');
  if (!has(rest, 'rest_unpaid') && !isHeld) fail(`${any} of ${total} are paid, and nobody is told`);
  const due = Math.max(0, total - net);
  if (view.due.amount !== due) fail(`${view.due.amount} are due instead of ${due}`);
}

/** Whether something happened that can be the reason of a need. */
function hasReason(rest: Rest, kind: NeedKind): boolean {
  const { world, taken, row, view } = rest;
  const { service, turns } = world;
  const refunds = taken.flatMap(({ source }) => service.ledger.refundsOf(source));
  const isTroubled = turns.kills > 0 || service.faults.size > 0;
  switch (kind) {
    case 'rest_unpaid':
      return row.shipped === 0 && view.state !== 'canceled' && taken.length > 0;
    case 'row_missing':
      return false;
    case 'not_shipped':
      // A person decides what an edit after a return means.
      return view.refunds.some(({ why }) => why === 'return') && !isAsPaid(rest);
    case 'payment_unknown':
    case 'capture_unknown':
      return isTroubled && view.payments.some(({ kind: way }) => way !== 'page');
    case 'hold_refused':
      return isTroubled || view.needs.some(({ reference }) => !service.ledger.isHeld(reference ?? ''));
    case 'refund_unknown':
      return isTroubled && taken.length > 0;
    case 'refund_failed':
      return refunds.some(({ status }) => status === 'failed') || isTroubled;
    case 'refunded_elsewhere':
      // A refund of which nobody knows may be one of the shop's own.
      return refunds.some(({ id }) => world.elsewhere.has(id)) || has(rest, 'refund_unknown');
    case 'chargeback':
      // What a bank takes back may have been voided since.
      return service.ledger.paymentsOf(rest.owner).some(({ id }) => world.disputes.get(id) === 'open');
  }
}

function checkNeeds(rest: Rest): void {
  const { world, view, taken, fail } = rest;
  for (const { kind } of view.needs) if (!hasReason(rest, kind)) fail(`it needs ${kind} for no reason`);
  const refunds = taken.flatMap(({ source }) => world.service.ledger.refundsOf(source));
  // One of the same amount may be taken for one of the shop's own that it waits for.
  const own = view.refunds.filter(({ why }) => why !== 'elsewhere').map(({ reference }) => reference);
  const isForeign = refunds.some(
    ({ id, status }) => world.elsewhere.has(id) && status !== 'failed' && !own.includes(id),
  );
  if (isForeign && !has(rest, 'refunded_elsewhere', 'refund_unknown') && !world.wasHelped)
    fail('money went back elsewhere, and nobody is told');
  const { unknown } = world.shopOf(rest.row.account);
  const isDisputed = taken.some(
    (one) => world.disputes.get(one.id) === 'open' && !unknown.has(world.service.ledger.disputedAs(one)),
  );
  if (isDisputed && !has(rest, 'chargeback', 'payment_unknown')) fail('a chargeback, and nobody is told');
}

function checkOrder(rest: Rest): void {
  checkRecord(rest);
  checkReturns(rest);
  checkNeeds(rest);
  if (rest.row.shipped > 0) checkShipped(rest);
  else if (rest.view.state === 'canceled') checkCanceled(rest);
  else checkDue(rest);
}

/** The list of what a person has to do has each order with a need, and no other. */
async function checkList(world: World): Promise<void> {
  for (const { account } of world.shops) {
    const { orders } = world.shopOf(account).any();
    const listed: string[] = [];
    for await (const { id, createdAt } of orders.needs()) listed.push(`${account}/${id}@${createdAt}`);
    for (const row of (await world.database.rows()).filter((one) => one.account === account)) {
      const owner = ownerOf(row);
      const isNeedy = (await orders.get(row.id)).needs.length > 0;
      if (isNeedy !== listed.includes(owner))
        world.violate(
          `${owner}: it has ${isNeedy ? 'a need' : 'no need'}, and is ${isNeedy ? 'not ' : ''}listed`,
        );
    }
  }
}

/** Checks every order whose record no backup has changed. */
export async function checkRest(world: World): Promise<void> {
  await checkList(world);
  for (const row of await world.database.rows()) {
    const owner = ownerOf(row);
    const { orders } = world.shopOf(row.account).any();
    const view = await orders.get(row.id);
    world.note(`at rest ${owner}, shipped ${row.shipped}: ${JSON.stringify(view)}`);
    const taken = world.service.ledger.takenFor(owner);
    world.note(`  the ledger: ${JSON.stringify(taken)}`);
    const fail = (why: string) => world.violate(`${owner}: ${why}`);
    if (!world.restored.has(owner)) checkOrder({ world, row, owner, view, taken, fail });
    if (view.payments.filter(({ status }) => status === 'paid').length > 1) world.severalPayments += 1;
  }
}
