/**
 * Runs the recipes of the guides against a sandbox with every fault at every request, alone and after a lost response, and with a
 * process that crashes before it saves. Each run starts from the stored row only. A closed order must agree with the sandbox's
 * ledger from then on, and every order must close after the faults. The sandbox lets nobody pay an expired session, or, since the
 * interface does not show that, everybody.
 */

import { EventEmitter, once } from 'node:events';
import {
  ConfigurationError,
  PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
} from 'payments-client';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { type CheckoutOrder, noteSession, openCheckout } from '../../examples/open-checkout.ts';
import { chooseCard, type Order, settleOrder } from '../../examples/settle-order.ts';
import { startAnew } from '../support/new-process.ts';
import { clientOf } from '../support/sandbox.ts';
import { everyNth, thorough } from '../support/size.ts';
import { type Harm, harms, isBeforeProcessing, losses, nameOf } from './harms.ts';

const amount = 1200;

const startsAt = Date.UTC(2026, 0, 1);

/** What every order has. */
const fields = { id: 'order-7', amount, currency: 'usd', createdAt: startsAt };

/** The faults of one order: at which requests, and before which save the process crashes. */
interface FaultPlan {
  readonly name: string;
  readonly faults: readonly (readonly [request: number, Harm])[];
  readonly crashesBeforeSave?: number;
}

class ProcessCrashed extends Error {}

/** A row of a table, as a process finds it when it starts. */
class Row<T extends object> {
  #stored: string;
  #untilDeath: number;

  constructor(row: T, untilCrash = Number.POSITIVE_INFINITY) {
    this.#stored = JSON.stringify(row);
    this.#untilDeath = untilCrash;
  }

  read(): T {
    return JSON.parse(this.#stored);
  }

  change(change: (row: T) => unknown): void {
    const row = this.read();
    change(row);
    this.#stored = JSON.stringify(row);
  }

  readonly save = (row: T): void => {
    if (this.#untilDeath === 0) {
      this.#untilDeath = Number.POSITIVE_INFINITY;
      throw new ProcessCrashed();
    }
    this.#untilDeath -= 1;
    this.#stored = JSON.stringify(row);
  };
}

/** A merchant's order: how a job processes it, and what buyer and merchant do in between. */
interface Scenario {
  /** Runs the job once, in a new process. */
  job(payments: PaymentsClient): Promise<unknown>;
  /** What the buyer or the merchant does before a run. */
  between(run: number): void | Promise<void>;
  /** The state in the merchant's table. */
  state(): string;
  /** What the merchant still handles after the faults. */
  finish?(payments: PaymentsClient): Promise<unknown>;
  /** The expected final state; absent if it depends on the order of arrival. */
  readonly end?: string | undefined;
}

type Execution = (sandbox: Sandbox, trouble: FaultPlan) => Scenario;

/** The payments so far. */
function taken({ events }: Sandbox): unknown[] {
  const payments = events.filter(({ type }) => type === 'payment_intent.succeeded');
  return payments.map(({ data }) => Reflect.get(data.object, 'amount'));
}

/** The sum of the refunds so far. */
function returned({ events }: Sandbox): number {
  const refunds = events.filter(({ type }) => type === 'refund.created');
  return refunds.reduce((sum, { data }) => sum + Number(Reflect.get(data.object, 'amount')), 0);
}

/** Payments of expired sessions come whatever the recipe does, and must be returned by the end. */
type Allowed = Pick<SandboxOptions, 'expiredSessions'>;

function disagreement(sandbox: Sandbox, state: string, { expiredSessions }: Allowed): string | undefined {
  const payments = taken(sandbox);
  if (payments.length > 1 && expiredSessions !== 'payable') return 'two payments';
  if (state === 'paid' && payments[0] !== amount) return 'paid, and no payment';
  return state === 'failed' && payments.length > 0 ? 'failed, and a payment' : undefined;
}

function finalDisagreement(sandbox: Sandbox, state: string, allowed: Allowed): string | undefined {
  const kept = taken(sandbox).length * amount - returned(sandbox);
  if (state === 'paid' && kept !== amount) return `paid, and ${kept} kept`;
  return disagreement(sandbox, state, allowed);
}

async function ignoreFailures(job: Promise<unknown>): Promise<void> {
  await job.catch((error: unknown) => {
    if (!(error instanceof PaymentsError || error instanceof ProcessCrashed)) throw error;
  });
}

const lastRun = 14;
/** The faults end after this run, and interrupted requests continue. The order may be closed by then. */
const lastFaultyRun = 4;

const isFinal = (scenario: Scenario) => ['paid', 'failed'].includes(scenario.state());

/** Injects a fault. While its request is delayed, a second process works on the order. */
function inject(
  sandbox: Sandbox,
  [skip, harm]: readonly [number, Harm],
  meanwhile: () => Promise<void>,
): void {
  const hold = sandbox.faults.inject({ ...harm, skip });
  if (harm.kind !== 'hold' || hold === undefined) return;
  void hold.reached.then(meanwhile).finally(() => hold.release());
}

/** Returns how an order contradicts the ledger, or `undefined`. */
async function wrong(
  play: Execution,
  trouble: FaultPlan,
  allowed: Allowed = {},
): Promise<string | undefined> {
  const sandbox = createSandbox({ startsAt, onlyShownFields: true, ...allowed });
  const { url: baseUrl, secretKey, fetch } = sandbox;
  const patient = { baseUrl, secretKey, fetch, maxRetries: 0 };
  // Only a timeout ends a stall. On a slow machine it may also end other requests, which is one more fault.
  const stalls = trouble.faults.some(([, { kind }]) => kind === 'stall_body');
  const early = stalls ? { ...patient, timeout: 25 } : patient;
  const startProcess = (options: PaymentsClientOptions) => {
    startAnew();
    return new PaymentsClient(options);
  };
  const scenario = play(sandbox, trouble);
  const run = (options = early) => ignoreFailures(scenario.job(startProcess(options)));
  for (const fault of trouble.faults) inject(sandbox, fault, () => run());
  for (let count = 1; count <= lastRun && !isFinal(scenario); count += 1) {
    await scenario.between(count);
    await run(count <= lastFaultyRun ? early : patient);
    const found = disagreement(sandbox, scenario.state(), allowed);
    if (found !== undefined) return found;
    if (count === lastFaultyRun) sandbox.faults.clear();
  }
  sandbox.faults.clear();
  await sandbox.settled();
  await scenario.finish?.(startProcess(patient));
  const state = scenario.state();
  const { end = state } = scenario;
  return (
    finalDisagreement(sandbox, state, allowed) ??
    (isFinal(scenario) && state === end ? undefined : `ends ${state}`)
  );
}

/** Every fault at every request, every misleading response soon after a lost one, and a crash before every save. */
function troubles(requests: number): FaultPlan[] {
  const places = Array.from({ length: requests }, (_, place) => place);
  const alone = places.flatMap((place) =>
    harms.map((harm): FaultPlan => ({ name: `${nameOf(harm)} at ${place}`, faults: [[place, harm]] })),
  );
  const pairs = [1, 2].flatMap((later) =>
    places.flatMap((place) =>
      losses.flatMap((loss) =>
        harms.filter(isBeforeProcessing).map((harm): FaultPlan => {
          const name = `${nameOf(loss)} at ${place}, then ${nameOf(harm)} at ${place + later}`;
          return { name, faults: [[place, loss] as const, [place + later, harm] as const] };
        }),
      ),
    ),
  );
  const deaths = places.map(
    (place): FaultPlan => ({ name: `crashes before save ${place}`, faults: [], crashesBeforeSave: place }),
  );
  return [{ name: 'nothing', faults: [] }, ...alone, ...pairs, ...deaths];
}

async function allWrong(play: Execution, tried: readonly FaultPlan[], allowed?: Allowed): Promise<string[]> {
  const found: string[] = [];
  for (const trouble of tried) {
    const what = await wrong(play, trouble, allowed);
    if (what !== undefined) found.push(`${trouble.name}: ${what}`);
  }
  return found;
}

type Settle = typeof settleOrder;

/** A buyer who tries cards in turn. The merchant cancels the order after the last card, or before a run. */
function buyerWith(
  cards: readonly string[],
  {
    givenUpBefore = Number.POSITIVE_INFINITY,
    settle = settleOrder,
    end,
  }: { givenUpBefore?: number; settle?: Settle; end?: string } = {},
): Execution {
  return (_, { crashesBeforeSave: diesBeforeSave }) => {
    const left = [...cards];
    const row = new Row<Order>(
      { ...fields, state: 'open', intent: null, card: null, attempt: 0 },
      diesBeforeSave,
    );
    return {
      job: (payments) => settle(payments, row.read(), row.save),
      between: (run) =>
        row.change((order) => {
          if (order.state !== 'open') return;
          const card = order.card ?? left.shift();
          if (card === undefined || run >= givenUpBefore) order.state = 'canceling';
          else if (order.card === null) chooseCard(order, card);
        }),
      state: () => row.read().state,
      end,
    };
  };
}

type Note = typeof noteSession;

/** How a buyer of a hosted page behaves, and how the merchant notes a payment. */
interface Visits {
  /** How many sessions the buyer lets expire. */
  readonly expiries?: number;
  /** The first run before which the buyer pays. */
  readonly paysBefore?: number;
  readonly note?: Note;
}

/** A buyer who lets sessions expire, clicks the button, and later pays each session that takes a payment. */
function buyerWhoReturns({ expiries = 0, paysBefore = 2, note = noteSession }: Visits): Execution {
  return (sandbox, { crashesBeforeSave: diesBeforeSave }) => {
    const shown = new Set<string>();
    const row = new Row<CheckoutOrder>({ ...fields, sessions: [], paidBy: null }, diesBeforeSave);
    const addSession = (id: string, attempt: number) => {
      const order = row.read();
      row.save({ ...order, sessions: order.sessions.toSpliced(attempt, 1, id) });
    };
    /** Events may arrive late, twice, and in any order. A handler that throws is called again. */
    const receiveAllEvents = async (payments: PaymentsClient) => {
      for (const { type, data } of sandbox.events.toReversed()) {
        if (type !== 'checkout.session.completed') continue;
        const session = await payments.checkoutSessions.retrieve(String(Reflect.get(data.object, 'id')));
        const order = row.read();
        await note(payments, order.sessions.includes(session.id) ? order : undefined, session);
        row.change((stored) => {
          stored.paidBy ??= order.paidBy;
        });
      }
    };
    return {
      job: async (payments) => {
        const { id } = await openCheckout(payments, row.read(), addSession, 'https://shop.example');
        shown.add(id);
        if (row.read().paidBy === null) await receiveAllEvents(payments);
      },
      between: async (run) => {
        if (shown.size > 0 && shown.size <= expiries) await sandbox.clock.advance('25 hours');
        else if (run >= paysBefore) for (const id of shown) tryToPay(sandbox, id);
      },
      finish: receiveAllEvents,
      state: () => (row.read().paidBy === null ? 'open' : 'paid'),
      end: 'paid',
    };
  };
}

/** The page of a closed session accepts no payment. */
function tryToPay(sandbox: Sandbox, sessionId: string): void {
  const session = sandbox.get('checkout_session', sessionId);
  if (session?.status === 'complete') return;
  try {
    sandbox.pay(sessionId);
  } catch (error) {
    if (!(error instanceof ConfigurationError) || session?.status !== 'expired') throw error;
  }
}

/** A forged decline makes the buyer change a card that was never charged. */
const spare = 'pm_card_spare';

describe('the recipe agrees with the ledger for an order', () => {
  it.each([
    ['whose card pays', buyerWith(['pm_card', spare], { end: 'paid' })],
    ['whose second card pays', buyerWith(['pm_card_declined', 'pm_card', spare], { end: 'paid' })],
    ['whose first card is not accepted', buyerWith(['tok_visa', 'pm_card', spare], { end: 'paid' })],
    ['whose cards are all declined', buyerWith(['pm_card_declined', 'pm_card_stolen'], { end: 'failed' })],
    ['canceled after one run', buyerWith(['pm_card'], { givenUpBefore: 2 })],
    ['canceled after two runs', buyerWith(['pm_card_declined', 'pm_card'], { givenUpBefore: 3 })],
    ['paid on its hosted page', buyerWhoReturns({})],
    ['whose hosted page expired', buyerWhoReturns({ expiries: 1 })],
    ['whose buyer clicks the button repeatedly before paying', buyerWhoReturns({ paysBefore: 4 })],
  ])('%s', async (_, play) => {
    expect(await allWrong(play, everyNth(troubles(7), 150))).toEqual([]);
  });

  it.each([0, 1, 2])('whose buyer also pays %i expired pages', async (expiries) => {
    const play = buyerWhoReturns({ expiries, paysBefore: expiries + 2 });
    const tried = everyNth(troubles(7), 150);
    expect(await allWrong(play, tried, { expiredSessions: 'payable' })).toEqual([]);
  });
});

it('moves no money for an order whose intent could not be stored', async () => {
  const sandbox = createSandbox();
  const order: Order = {
    ...fields,
    state: 'open',
    intent: null,
    card: 'pm_card_visa',
    attempt: 1,
  };
  const save = () => Promise.reject(new ProcessCrashed());
  await expect(settleOrder(clientOf(sandbox, { fetch: sandbox.fetch }), order, save)).rejects.toThrow(
    ProcessCrashed,
  );
  expect(sandbox.requests.map(({ path }) => path)).toEqual(['/v1/payment_intents']);
});

describe('these tests detect', () => {
  it('a recipe that relies on an expired session taking no payment', async () => {
    const note: Note = async (_, order, { id, payment_status }) => {
      if (order !== undefined && payment_status === 'paid') order.paidBy ??= id;
    };
    const play = buyerWhoReturns({ expiries: 1, note });
    expect(await wrong(play, { name: 'nothing', faults: [] })).toBeUndefined();
    const late = await wrong(play, { name: 'nothing', faults: [] }, { expiredSessions: 'payable' });
    expect(late).toBe('paid, and 2400 kept');
  });

  it('a recipe that closes an order by the outcome of one call', thorough, async () => {
    const settle: Settle = async (payments, order, save) => {
      const { id, amount, currency, card } = order;
      const params = { amount, currency, payment_method: card ?? '' };
      try {
        const intent = await payments.paymentIntents.create(params, { operationId: id });
        const { status } = await payments.paymentIntents.confirm(intent.id, {}, { operationId: id });
        if (status === 'succeeded') order.state = 'paid';
      } catch (error) {
        if (error instanceof PaymentsError && error.outcome === 'not_executed') order.state = 'failed';
      }
      save(order);
    };
    expect(await allWrong(buyerWith(['pm_card'], { settle }), troubles(2))).toEqual(
      expect.arrayContaining([
        'drop_reply at 1, then rate_limit at 2: failed, and a payment',
        'drop_reply at 1, then refuse_connection at 2: failed, and a payment',
        'respond 402 {"error":{"code":"CARD_DECLINED","decline_code":"do_not_honor"}} after the work at 1: failed, and a payment',
      ]),
    );
  });

  it('a recipe that counts an intent as a payment', thorough, async () => {
    const settle: Settle = async (payments, order, save) => {
      const { id: operationId, amount, currency } = order;
      await payments.paymentIntents.create({ amount, currency }, { operationId });
      save({ ...order, state: 'paid' });
    };
    expect(await allWrong(buyerWith(['pm_card'], { settle }), troubles(1))).toContain(
      'nothing: paid, and no payment',
    );
  });

  it('a recipe that starts a new payment before the last one has a known result', thorough, async () => {
    const settle: Settle = async (payments, order, save) => {
      const { id, attempt, amount, currency, card } = order;
      const options = { operationId: `${id}/${attempt}` };
      try {
        const params = { amount, currency, payment_method: card ?? '' };
        const intent = await payments.paymentIntents.create(params, options);
        const { status } = await payments.paymentIntents.confirm(intent.id, {}, options);
        if (status === 'succeeded') order.state = 'paid';
      } catch {
        order.card = null;
      }
      save(order);
    };
    const found = await allWrong(buyerWith(['pm_card', 'pm_card'], { settle }), troubles(2));
    expect(found).toContain('drop_reply at 1: two payments');
  });
});

it('opens one checkout session for two simultaneous requests after the last one expired', async () => {
  const sandbox = createSandbox();
  const { url: baseUrl, secretKey } = sandbox;
  const gate = new EventEmitter();
  const released = once(gate, 'release');
  let retrievals = 0;
  const fetch = async (request: Request) => {
    const response = await sandbox.fetch(request);
    if (request.method === 'GET' && ++retrievals === 1) await released;
    return response;
  };
  const payments = new PaymentsClient({ baseUrl, secretKey, fetch });
  const sessions: string[] = [];
  const order: CheckoutOrder = { ...fields, sessions, paidBy: null };
  const addSession = (id: string, attempt: number) => {
    sessions[attempt] = id;
  };
  const open = () => openCheckout(payments, order, addSession, 'https://shop.example');
  await open();
  await sandbox.clock.advance('25 hours');
  const slow = open();
  const fast = await open();
  gate.emit('release');
  expect((await slow).id).toBe(fast.id);
  expect(sessions).toEqual([expect.any(String), fast.id]);
});

describe('an id that a restored database issued again', () => {
  const later = { ...fields, createdAt: fields.createdAt + 3_600_000 };

  it('does not pay an order with the payment of an earlier one', async () => {
    const sandbox = createSandbox({ startsAt });
    const payments = clientOf(sandbox, { fetch: sandbox.fetch });
    const open = { state: 'open', intent: null, card: 'pm_card_visa', attempt: 1 } as const;
    const first: Order = { ...fields, ...open };
    const second: Order = { ...later, ...open };
    await settleOrder(payments, first, () => undefined);
    await expect(settleOrder(payments, second, () => undefined)).rejects.toThrow('was its id issued twice?');
    expect([first.state, second.state, second.intent]).toEqual(['paid', 'open', null]);
  });

  it('does not give an order the session of an earlier one', async () => {
    const sandbox = createSandbox({ startsAt });
    const payments = clientOf(sandbox, { fetch: sandbox.fetch });
    const added: string[] = [];
    const open = (order: CheckoutOrder) =>
      openCheckout(payments, order, (id) => added.push(id), 'https://shop.example');
    const { id } = await open({ ...fields, sessions: [], paidBy: null });
    await expect(open({ ...later, sessions: [], paidBy: null })).rejects.toThrow('was its id issued twice?');
    expect(added).toEqual([id]);
  });
});
