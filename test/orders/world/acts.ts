/** What buyers, staff, the service and other programs do, drawn from the seed. */

import { toDecimalAmount } from 'payments-client';
import type { Orders } from 'payments-client/orders';
import { testCards } from 'payments-client-sandbox';
import { type ShopRow, totalOf } from './seat.ts';
import { authenticating } from './service.ts';
import { ownerOf, type World } from './world.ts';

type Act = (world: World) => Promise<void> | void;

const methods = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_declined',
  'pm_card_refund_fails_once',
] as const;
const currencies = ['usd', 'usd', 'usd', 'usd', 'eur', 'jpy'] as const;
const prices = [1200, 1200, 500, 100, 0] as const;

/** Calls the module about one of the present rows. */
function about(name: string, work: (orders: Orders, row: ShopRow, world: World) => Promise<void>): Act {
  return async (world) => {
    const row = world.draws.pickAny(await world.database.rows());
    if (row !== undefined) world.call(name, row, (orders) => work(orders, row, world));
  };
}

const checkout = about('checkout', async (orders, row, world) => {
  const page = await orders.checkout(row.id);
  if (page.state === 'open') world.pages.push({ owner: ownerOf(row), session: page.session });
  world.note(
    `    checkout ${row.id} → ${page.state}${page.state === 'open' ? ` ${page.session}, ${page.due.amount}` : ''}`,
  );
});

const charge = about('charge', async (orders, row, world) => {
  const method = world.draws.chance(0.15) ? authenticating : world.draws.pick(methods);
  const { state } = await orders.charge(row.id, method, world.draws.chance(0.2) ? { capture: false } : {});
  world.note(`    charge ${row.id} → ${state}`);
});

const sell = about('sell', async (orders, row, world) => {
  const { number } = world.draws.chance(0.25) ? testCards.doNotHonor : testCards.fullMatch;
  const card = { ccnumber: number, ccexp: '1230' };
  const { state } = await orders.sell(row.id, card, world.draws.chance(0.2) ? { capture: false } : {});
  world.note(`    sell ${row.id} → ${state}`);
});

const capture = about('capture', async (orders, row, world) => {
  world.note(`    capture ${row.id} → ${(await orders.capture(row.id)).state}`);
});

const cancel = about('cancel', async (orders, row, world) => {
  const { state } = await orders.cancel(row.id);
  if (state === 'canceled') world.canceled.add(ownerOf(row));
  world.note(`    cancel ${row.id} → ${state}`);
});

const refund = about('refund', async (orders, row, world) => {
  const known = world.returns.get(ownerOf(row)) ?? new Map<string, number>();
  const id = `return-${world.draws.below(3)}`;
  const amount = known.get(id) ?? world.draws.pick([100, 300, 1200, totalOf(row)]);
  if (amount === 0) return;
  world.returns.set(ownerOf(row), known.set(id, amount));
  const currency = (row.shippedCurrency ?? row.currency).toUpperCase();
  await orders.refund(row.id, { id, amount, currency });
  world.note(`    refund ${row.id} ${id} ${amount}`);
});

const retryRefund = about('retryRefund', async (orders, row, world) => {
  const failed = (await orders.get(row.id)).refunds.filter(({ status }) => status === 'failed');
  const one = world.draws.pickAny(failed);
  if (one !== undefined) await orders.retryRefund(row.id, one.id);
});

const refresh = about('refresh', async (orders, { id }) => void (await orders.refresh(id)));
const get = about('get', async (orders, { id }) => void (await orders.get(id)));

const resume: Act = (world) => void world.resume(world.draws.pickAny(world.shops) ?? world.shopOf(''));

const order: Act = async (world) => {
  const rows = [...(await world.database.rows()), ...world.missing];
  if (rows.length > 3) return;
  const { account } = world.draws.pickAny(world.shops) ?? world.shopOf('');
  const number =
    1 + Math.max(0, ...rows.filter((row) => row.account === account).map(({ id }) => Number(id.slice(6))));
  await world.insert({
    account,
    id: `order-${number}`,
    createdAt: world.service.now,
    currency: world.draws.pick(currencies),
    price: world.draws.pick(prices),
    quantity: 1,
    shipped: 0,
    shippedTotal: null,
    shippedCurrency: null,
  });
};

/** Without transactions nothing keeps a row from being edited while it ships, so the shop edits when nothing is under way. */
async function letShip(world: World): Promise<void> {
  if (world.database.isTransactional) return;
  await world.drain();
  await world.restart();
}

const edit: Act = async (world) => {
  const row = world.draws.pickAny(await world.database.rows());
  if (row === undefined) return;
  await letShip(world);
  const { currency, price } = row;
  const quantity = 1 + world.draws.below(3);
  world.edit(row, {
    quantity,
    price: world.draws.chance(0.1) ? world.draws.pick(prices) : price,
    currency: world.draws.chance(0.1) ? world.draws.pick(currencies) : currency,
  });
};

const pay: Act = (world) => {
  const page = world.draws.pickAny(world.pages.slice(-4)) ?? world.draws.pickAny(world.pages);
  if (page === undefined) return;
  const { sandbox } = world.service;
  try {
    const session = sandbox.get('checkout_session', page.session);
    if (session?.status === 'open' && session.payment_intent_id === null && world.draws.chance(0.04))
      sandbox.update('checkout_session', session.id, { amount_total: session.amount_total + 50 });
    const { status } = sandbox.pay(page.session, { payment_method: world.draws.pick(methods) });
    world.note(`buyer pays ${page.session} of ${page.owner}: ${status}`);
  } catch {
    world.note(`buyer cannot pay ${page.session}`);
  }
};

/** The buyer of an intent that waits for 3-D Secure passes or fails. */
const authenticate: Act = (world) => {
  const { sandbox, ledger } = world.service;
  for (const id of world.owners().flatMap((owner) => ledger.paymentsOf(owner).map((payment) => payment.id))) {
    const intent = id.startsWith('pi_') ? sandbox.get('payment_intent', id) : undefined;
    if (intent?.status !== 'requires_action') continue;
    if (world.draws.chance(0.6)) sandbox.pay(id, { payment_method: 'pm_card_visa' });
    else sandbox.trigger('payment_intent.payment_failed', { id: intent.id });
    world.note(`buyer authenticates ${id}: ${sandbox.get('payment_intent', id)?.status}`);
    return;
  }
};

/** The service ends a refund: it succeeds, fails, or fails after it had succeeded. */
const endRefund: Act = async (world) => {
  const { sandbox } = world.service;
  const refunds = world.refunds().filter(({ id }) => id.startsWith('rf_'));
  const pending = world.draws.pickAny(refunds.filter(({ status }) => status === 'pending'));
  const ended = world.draws.pickAny(refunds.filter(({ status }) => status === 'succeeded'));
  const isLate = world.draws.chance(0.05);
  const one = isLate ? ended : pending;
  if (one === undefined) return;
  const fails = isLate || world.draws.chance(0.25);
  if (isLate) await world.failLate(one.id);
  else if (fails) sandbox.update('refund', one.id, { status: 'failed', failure_message: 'already_refunded' });
  else sandbox.update('refund', one.id, { status: 'succeeded' });
  world.note(`refund ${one.id} ${fails ? 'fails' : 'succeeds'}`);
};

/** Another program, or a person in the control panel, gives money back. */
const refundElsewhere: Act = async (world) => {
  const { ledger } = world.service;
  const left = world
    .owners()
    .flatMap((owner) => ledger.takenFor(owner))
    .filter(
      ({ amount, refunded, refunding, kind }) => kind !== 'sale' && amount - refunded - refunding >= 100,
    );
  const taken = world.draws.pickAny(left);
  if (taken === undefined) return;
  // The source of all but a sale is an intent.
  const id = await world.refundElsewhere(taken.source as `pi_${string}`, 100);
  world.note(`refund elsewhere ${id} of ${taken.id}`);
};

const chargeback: Act = (world) => {
  const taken = world.draws.pickAny(world.owners().flatMap((owner) => world.service.ledger.takenFor(owner)));
  if (taken === undefined || world.disputes.has(taken.id)) return;
  world.disputes.set(taken.id, 'open');
  const transaction_id = world.service.ledger.disputedAs(taken);
  const amount = toDecimalAmount(taken.amount, taken.currency);
  world.service.sandbox.trigger('chargeback.received', { transaction_id, amount });
  world.note(`chargeback of ${taken.id}, named ${transaction_id}`);
};

/** The staff ends an authorization in the control panel, as if it had lapsed or was taken there. */
const endHold: Act = async (world) => {
  const { ledger } = world.service;
  const ids = world.owners().flatMap((owner) => ledger.paymentsOf(owner).map((payment) => payment.id));
  const id = world.draws.pickAny(ids.filter((one) => ledger.isHeld(one)));
  if (id === undefined) return;
  world.note(`the staff ends the authorization ${id}`);
  await world.endHold(id);
};

/** Another program of the merchant sells something. */
const sellElsewhere: Act = async (world) => {
  const { id } = await world.control.checkoutSessions.create(
    {
      mode: 'payment',
      line_items: [{ name: 'Mug', amount: 900, currency: 'usd', quantity: 1 }],
      success_url: 'https://mugs.example/',
      cancel_url: 'https://mugs.example/',
    },
    { operationId: `mug-${world.service.now}-${world.draws.below(1e9)}` },
  );
  world.service.sandbox.pay(id);
};

const deliver: Act = (world) => {
  const letter = world.draws.pickAny(world.letters.waiting);
  if (letter !== undefined) world.deliver(letter);
};

const wait: Act = (world) => world.pass(1000 * (1 + world.draws.below(60)));

/** Much time passes. No process stands still for as long: a key that the service has forgotten meanwhile protects nobody. */
const waitLong: Act = async (world) => {
  await world.drain();
  await world.pass(world.draws.pick([600_000, 3_700_000, 25_200_000, 90_000_000, 90_000_000]));
};

const kill: Act = (world) => {
  world.turns.kill(world.shopOf(world.draws.pickAny(world.shops)?.account ?? '').any().process);
};

const breakShipping: Act = (world) => {
  const shop = world.draws.pickAny(world.shops);
  if (shop === undefined || world.weather.shippingFails === 0) return;
  shop.isShippingDown = !shop.isShippingDown;
  world.note(`shipping is ${shop.isShippingDown ? 'down' : 'up'}`);
};

const loseRow: Act = async (world) => {
  if (world.missing.length > 0) return world.bringBack();
  const row = world.draws.pickAny((await world.database.rows()).filter(({ shipped }) => shipped === 0));
  if (row !== undefined) world.lose(row);
};

const backUp: Act = async (world) => {
  await world.drain();
  await world.backUp();
};

const restore: Act = (world) => world.restore();

const weights = {
  checkout: 7,
  pay: 8,
  edit: 4,
  charge: 2,
  sell: 2,
  capture: 1.5,
  cancel: 0.5,
  refund: 2,
  retryRefund: 0.8,
  refresh: 2,
  get: 1,
  resume: 2.5,
  order: 1,
  authenticate: 1,
  endRefund: 3,
  refundElsewhere: 0.3,
  chargeback: 0.8,
  endHold: 0.4,
  sellElsewhere: 0.2,
  deliver: 8,
  wait: 4,
  waitLong: 1.5,
  kill: 0.4,
  breakShipping: 0.3,
  loseRow: 0.2,
  backUp: 0.15,
  restore: 0.15,
};

const acts: Readonly<Record<keyof typeof weights, Act>> = {
  checkout,
  pay,
  edit,
  charge,
  sell,
  capture,
  cancel,
  refund,
  retryRefund,
  refresh,
  get,
  resume,
  order,
  authenticate,
  endRefund,
  refundElsewhere,
  chargeback,
  endHold,
  sellElsewhere,
  deliver,
  wait,
  waitLong,
  kill,
  breakShipping,
  loseRow,
  backUp,
  restore,
};

/** Lets something happen. */
export async function act(world: World): Promise<void> {
  await acts[world.draws.weighted(weights)](world);
}

export { order as insertOrder };
