import {
  IdempotencyBodyMismatchError,
  OperationAccountError,
  OperationInProgressError,
  OperationMismatchError,
  OperationUnresolvedError,
  PaymentsError,
  ResponseValidationError,
  UnprocessableError,
} from 'payments-client';
import type { OpenOperation } from 'payments-client/journal';
import { type Money, mistaken } from '../dimensions/currencies.ts';
import { type Fault, troubledCalls } from '../dimensions/fault.ts';
import type { OrderPlan } from '../dimensions/orders.ts';
import { abortion } from '../dimensions/processes.ts';
import { type Merchant, nameOf } from '../merchants.ts';
import { failureOf, isSale, operationOf, place, record } from '../orders.ts';
import type { Actor } from './actor.ts';
import { keyMemory, type Owner, type Seat } from './seat.ts';
import type { World } from './world.ts';

/** Faults after which nothing was sent, if none but one of them occurred. */
const harmlessFaults: readonly string[] = ['fails', 'is not answered', abortion];

/** An order of a merchant, and its state. */
export interface Order extends OrderPlan {
  /** Its id, and whose it is. */
  readonly name: string;
  /** The id that its merchant gave it. Another merchant may use the same one. */
  readonly orderId: string;
  readonly merchant: Merchant;
  /** The parameters of its callers: those of the second differ if it is mistaken. */
  readonly asked: readonly [Money, Money];
  /** Which caller is next. */
  turn: 0 | 1;
  /** How many calls were started, and how many actors are working on it. */
  tries: number;
  active: number;
  end: 'result' | 'error' | 'refused' | undefined;
  /** The account that its callers name. */
  account: string | undefined;
  /** Whether a request of it may have left. */
  isSent: boolean;
  /** The processes that called the service for it. */
  readonly callers: Actor[];
  /** The calls that each process made for it. */
  readonly calls: Map<object, string[]>;
  /** The process that repeats it, while it lives. */
  seat: Seat | undefined;
}

export function orderOf(plan: OrderPlan, { merchant, account }: Owner): Order {
  const orderId = `order-${plan.id}`;
  const money = plan.kind === 'declined sale' ? { ...plan.money, amount: 50 } : plan.money;
  // A refund names no currency.
  const mistake = plan.kind === 'refund' && plan.mistake === 'currency' ? 'amount' : plan.mistake;
  return {
    ...plan,
    name: nameOf(orderId, merchant),
    orderId,
    merchant,
    account,
    asked: [money, mistaken(money, mistake)],
    turn: 0,
    tries: 0,
    active: 0,
    end: undefined,
    isSent: false,
    callers: [],
    calls: new Map(),
    seat: undefined,
  };
}

/** After so many calls the next ones come once an hour. */
const mostQuickTries = 10;

/** What a person is asked. */
interface Question {
  /** The name of the order or event. */
  readonly name: string;
  readonly id: string;
  readonly operation: string;
  readonly of: Owner;
  readonly faults: readonly Fault[];
}

/**
 * Whether an operation took effect, but has no result: an end. The journal keeps a body that cannot be read, and what a person found out.
 */
export function isExecuted(error: unknown): boolean {
  if (!(error instanceof PaymentsError) || error.outcome !== 'executed') return false;
  return error instanceof ResponseValidationError || isSettled(error);
}

const isSettled = (error: unknown) => error instanceof PaymentsError && error.code === 'OPERATION_SETTLED';

/** The faults that hit the callers of an order, also after their calls were aborted. */
const faultsOf = ({ callers }: Order) => callers.flatMap(({ faults }) => faults);

/** The processes that call, repeat, resume and settle orders. */
export class Callers {
  readonly #world: World;
  /** The order that an actor calls the service for. */
  readonly #calling = new Map<Actor, Order>();

  constructor(world: World) {
    this.#world = world;
  }

  begin(order: Order): void {
    const { scheduler, hasJournal } = this.#world;
    const { planned, rival, begins } = order;
    this.#tryAfter(begins, order);
    if (planned !== undefined && hasJournal && !isSale(order)) {
      scheduler.after(planned.after, () => {
        this.#actFor(order, 'plan', planned.faults, async ({ payments }) => {
          order.active += 1;
          await record(payments, { ...order, money: order.asked[0] }).catch(() => {});
          order.active -= 1;
        });
      });
    }
    // Another process with the same task.
    if (rival === undefined || this.#isCalledOnce(order)) return;
    scheduler.after(begins + rival.after, () => {
      this.#actFor(order, 'rival', rival.faults, (seat) => this.#call(order, seat, 1));
    });
  }

  /** A request of an actor may have left. */
  sends(actor: Actor): void {
    const order = this.#calling.get(actor);
    if (order !== undefined) order.isSent = true;
  }

  #actFor(
    order: Order,
    what: string,
    faults: readonly Fault[],
    task: (seat: Seat) => Promise<unknown>,
  ): void {
    const { merchant, account } = order;
    this.#world.act({ name: `${order.name}/${what}`, faults, of: { merchant, account } }, task);
  }

  #tryAfter(delay: number, order: Order): void {
    this.#world.scheduler.after(delay, () => {
      order.tries += 1;
      const { tries, name, merchant } = order;
      this.#world.book.note('tried', { of: name, tries });
      this.#nameAccount(order);
      const { account, seat } = order;
      const faults = order.faults.filter(({ call }) => call === tries);
      this.#world.act(
        { name: `${name}/${tries}`, faults, of: { merchant, account }, seat },
        async (taken) => {
          const next = await this.#call(order, taken, order.turn);
          // A process that lives on repeats the order itself, and its client may remember something.
          const { isAlive, isTroubled } = taken.actor;
          order.seat = isAlive && (isTroubled || order.seat !== undefined) ? taken : undefined;
          if (next === 'person') this.#askPerson(order);
          else if (typeof next === 'number') this.#tryAfter(next, order);
          else this.#repeat(order);
        },
      );
    });
  }

  /** Calls an operation again that has its result: in a new process, perhaps after the service forgot the key. */
  #repeat(order: Order): void {
    if (order.end !== 'result' || this.#isCalledOnce(order)) return;
    for (const [index, { after, isChanged }] of order.repeats.entries()) {
      // Without a journal only the service knows the key.
      this.#world.scheduler.after(this.#world.hasJournal ? after : Math.min(after, keyMemory / 2), () => {
        if (isChanged) this.#world.change(order.name);
        this.#actFor(order, `repeat ${index + 1}`, [], (seat) => this.#call(order, seat, order.turn));
      });
    }
  }

  /** A sale without a journal: a second call would be a second sale. */
  #isCalledOnce(order: Order): boolean {
    return !this.#world.hasJournal && isSale(order);
  }

  /** All callers of an order name the account from some time on, once none of the earlier ones is at work. */
  #nameAccount(order: Order): void {
    if (this.#world.sharing !== 'named later' || order.tries < 2 || order.active > 0) return;
    // What an aborted call left behind may still claim the operation.
    if (faultsOf(order).includes(abortion)) return;
    if (order.account === undefined) order.seat = undefined;
    order.account = 'first';
  }

  /** Makes one call of an order. Returns when to retry or that a person must decide; nothing after its end. */
  async #call(order: Order, seat: Seat, turn: 0 | 1): Promise<number | 'person' | undefined> {
    const { actor, payments } = seat;
    const { book, log } = this.#world;
    const { name: of, maxRetries } = order;
    const { name: call } = actor;
    const asked = order.asked[turn];
    const longest = this.#world.hasJournal ? order.pause : 300_000;
    const isOnce = this.#isCalledOnce(order);
    // A store of a file fails for hours if a clock is wrong for hours.
    const patience = order.tries > mostQuickTries ? 3_600_000 : 1;
    const pause = patience + this.#world.time(`${call} pause`, longest);
    order.active += 1;
    book.note('called', { of, call, at: this.#world.now() });
    order.callers.push(actor);
    const knows = order.calls.get(seat.life) ?? [];
    order.calls.set(seat.life, [...knows, call]);
    this.#calling.set(actor, order);
    try {
      const signal = this.#signalOf(actor);
      // Only the response says that a call sent its request again.
      const takesObject = order.takesObject && maxRetries === 0;
      const calling = { call, signal, maxRetries, isPlain: !this.#world.hasJournal, takesObject };
      const result = await place(payments, { ...order, money: asked }, calling);
      if (!actor.isAlive) return pause;
      log(`${call} returned a result`);
      book.note('returned', { of, call, asked, result });
      return this.#end(order, 'result');
    } catch (error) {
      if (actor.isAlive) this.#threw(of, actor, error, { knows });
      if (isOnce) return this.#end(order, 'error');
      return actor.isAlive ? this.#after(order, error, pause) : pause;
    } finally {
      order.active -= 1;
    }
  }

  #threw(
    of: string,
    actor: Actor,
    error: unknown,
    { isResumed = false, knows = [] }: { readonly isResumed?: boolean; readonly knows?: readonly string[] },
  ): void {
    const { book, log, system } = this.#world;
    const { outcome: change = (one: string) => one, errorData } = system;
    const { text, code: _, ...failure } = failureOf(error, errorData);
    const call = isResumed || actor.wasAborted ? null : actor.name;
    log(`${actor.name} threw ${error instanceof Error ? `${error.name}: ${error.message}` : error}`);
    const { isCrowded: isForgetful } = this.#world;
    const outcome = change(failure.outcome);
    const process = { knows, isForgetful, hasStalled: actor.faults.includes('stalls') };
    book.note('threw', { of, call, ...failure, outcome, isResumed, ...process });
    book.note('shown', { of: `the error of ${actor.name}`, text });
  }

  #end(order: Order, end: NonNullable<Order['end']>): undefined {
    order.end = end;
    this.#world.book.note('ended', { of: order.name, end });
  }

  #after(order: Order, error: unknown, pause: number): number | 'person' | undefined {
    if (error instanceof OperationUnresolvedError) {
      const faults = faultsOf(order);
      const isClear =
        order.active === 1 && faults.length <= 1 && faults.every((fault) => harmlessFaults.includes(fault));
      const isNeedless = !order.isSent && isClear;
      this.#world.book.note('asked', { of: order.name, lookUp: error.lookUp, isNeedless });
      return 'person';
    }
    if (error instanceof OperationAccountError) return this.#end(order, 'refused');
    if (error instanceof OperationInProgressError) return error.retryAfter * 1000;
    if (error instanceof OperationMismatchError || error instanceof IdempotencyBodyMismatchError) {
      order.turn = order.turn === 0 ? 1 : 0;
      return pause;
    }
    const isEnd =
      isSettled(error) ||
      isExecuted(error) ||
      (error instanceof UnprocessableError && error.code === 'OBJECT_NOT_FOUND');
    return isEnd ? this.#end(order, 'error') : pause;
  }

  /** Returns a signal that aborts at some time, for some of the calls. */
  #signalOf(actor: Actor): AbortSignal | undefined {
    const fault = actor.faultAt('waits', [abortion]);
    if (fault === undefined) return undefined;
    const controller = new AbortController();
    // In whole ms, as clocks are.
    this.#world.scheduler.after(Math.floor(fault.size / 5), () => {
      if (this.#world.isAtWork(actor)) actor.abort(controller);
    });
    return controller.signal;
  }

  #askPerson(order: Order): void {
    const { name, orderId: id, merchant, account, tries } = order;
    const faults = tries > troubledCalls ? [] : order.faults.filter(({ call }) => call === tries);
    this.askPerson(
      { name, id, operation: operationOf(order), of: { merchant, account }, faults },
      order,
      () => this.#tryAfter(1, order),
    );
  }

  /** A person looks an operation up at the service, once nothing more can happen to it, and closes it. */
  askPerson(question: Question, work: { readonly active: number }, then = () => {}): void {
    if (!this.#world.heals) return;
    this.#world.scheduler.after(3_600_000, () => {
      if (work.active > 0 || !this.#world.isQuiet) return this.askPerson(question, work, then);
      const { name, id, operation, of, faults } = question;
      this.#world.act({ name: `${name}/person`, faults, of }, async ({ payments }) => {
        await payments.journal.settle(id, { operation, ...this.#settlement(name) }).catch(() => {});
        then();
      });
    });
  }

  /** Returns the settlement that the person finds. */
  #settlement(name: string) {
    const wasExecuted = this.#world.book.about('executed', name).length > 0;
    this.#world.log(`a person settles ${name}: ${wasExecuted}`);
    return { outcome: wasExecuted ? 'executed' : 'not_executed' } as const;
  }

  /** Resumes what is open. A person who `closes` looks up what must not be resumed. */
  async sweep({ payments, actor, identity }: Seat, closes: boolean): Promise<void> {
    try {
      for await (const operation of payments.journal.open()) {
        const name = nameOf(operation.operationId, identity.merchant);
        for (const order of this.#world.orders) order.isSent ||= order.name === name;
        await operation.resume().catch(async (error: unknown) => {
          if (!actor.isAlive) return;
          this.#threw(name, actor, error, { isResumed: true });
          if (closes) await this.#close(operation, name, error);
        });
      }
    } catch (error) {
      if (actor.isAlive && !(error instanceof Error)) throw error;
    }
  }

  async #close(operation: OpenOperation, name: string, error: unknown): Promise<void> {
    const isGivenUp = operation.state === 'planned' && error instanceof UnprocessableError;
    if (isGivenUp || error instanceof OperationUnresolvedError)
      await operation.settle(this.#settlement(name));
  }
}
