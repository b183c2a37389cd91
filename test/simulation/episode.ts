import {
  type OpenOperation,
  OperationAccountError,
  OperationInProgressError,
  OperationMismatchError,
  OperationUnresolvedError,
  PaymentsError,
  ResponseValidationError,
  UnprocessableError,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { Actor, type Surroundings } from './actor.ts';
import { Choices } from './choices.ts';
import { Clock } from './clock.ts';
import { acknowledge, beginRun, keyOf, newEvent, type SentEvent } from './events.ts';
import { type CallRequest, Invariants } from './invariants.ts';
import { accountOf, drawSharing, type Merchant, nameOf, type Sharing } from './merchants.ts';
import { Network } from './network.ts';
import { type Order, orderOf, place, plan } from './orders.ts';
import { Scheduler } from './scheduler.ts';
import { type Effect, ModelService, SandboxService } from './service.ts';
import { openFileStore, SeenStore, type Written } from './shared-store.ts';
import { type Identity, keyLifetime, keyMemory, type Place, type Seat, type Seats } from './system.ts';

/** Options of an episode. */
export interface EpisodeOptions {
  readonly seed: number;
  /** The number of its operations. */
  readonly operations: number;
  /** The names of operations and faults to leave out. */
  readonly leftOut?: ReadonlySet<string>;
  /** Whether the service is the sandbox instead of the model. */
  readonly inSandbox?: boolean;
  /** Whether the store is a SQLite file instead of memory. */
  readonly inFile?: boolean;
  /** Receives the schedule line by line. */
  readonly log?: (line: string) => void;
}

/** The result of an episode. */
export interface EpisodeResult {
  /** The violated invariant; `undefined` if all hold. */
  readonly violation: string | undefined;
  /** The names of everything that may be left out. */
  readonly parts: readonly string[];
  /** How many faults occurred. */
  readonly faults: number;
}

/** How many calls of an operation may have faults. After that there are none, and it must end. */
const troubledTries = 4;
/** How many calls it may take, including those that find another call in progress. */
const mostTries = 40;

/** Faults after which nothing was sent, if none but one of them occurred. */
const harmlessFaults = new Set(['fails', 'is not answered', 'is aborted']);

/** A small world: one store, one service, and a few operations that processes retry until they end. */
class Episode implements Surroundings, Place {
  readonly scheduler = new Scheduler();
  readonly choices: Choices;
  readonly log: (line: string) => void;
  readonly orders: readonly Order[];
  readonly events: ReadonlyMap<string, SentEvent>;
  readonly invariants: Invariants;
  readonly store: Place['store'];
  readonly #file: ReturnType<typeof openFileStore> | undefined;
  readonly #eventsByKey: ReadonlyMap<string, SentEvent>;
  readonly #seen: SeenStore;
  readonly #seats: Seats;
  readonly #network: Network;
  readonly #clock: Clock;
  readonly #sharing: Sharing;
  /** The order that an actor calls the service for. */
  readonly #calling = new Map<Actor, Order>();
  readonly #actors = new Set<Actor>();

  constructor(seats: Seats, options: EpisodeOptions) {
    const { seed, operations, leftOut = new Set(), inSandbox = false, inFile = false, log } = options;
    const { scheduler } = this;
    this.#seats = seats;
    this.choices = new Choices(seed, leftOut);
    this.log = log ? (line) => log(`${(scheduler.now / 1000).toFixed(3)}s ${line}`) : () => {};
    this.invariants = new Invariants(() => scheduler.stop());
    this.#clock = new Clock(this.now, this.choices);
    const machineTime = () => this.#clock.read();
    this.#sharing = drawSharing(this.choices, inSandbox);
    this.#file = inFile ? openFileStore(this.now, machineTime) : undefined;
    const storeTime = seats.system.hasJumpingStore ? machineTime : this.now;
    const store = this.#file?.store ?? memoryStore({ now: storeTime });
    this.#seen = new SeenStore(store, (key, written) => this.#wrote(key, written));
    this.store = seats.system.store?.(this.#seen) ?? this.#seen;
    const onEffect = (effect: Effect) => this.#happened(effect);
    this.#network = new Network(
      scheduler,
      this.choices,
      inSandbox
        ? new SandboxService(scheduler, seats.sandbox, onEffect)
        : new ModelService(scheduler, keyMemory, onEffect),
    );
    const prefix = inSandbox ? `${seed}-` : '';
    const names = (kind: string, isOf: (number: number) => boolean) =>
      Array.from({ length: operations }, (_, index) => index + 1)
        .filter(isOf)
        .map((number) => `${prefix}${kind}-${number}`);
    const isIncluded = (name: string) => this.choices.includes(name);
    // Some operations are events that the service delivers.
    const isEvent = (number: number) => this.choices.draw(`${number} is an event`, 5) < 2;
    this.orders = names('order', (number) => !isEvent(number)).flatMap((id) =>
      this.#merchantsOf(id)
        .filter((merchant) => isIncluded(nameOf(id, merchant)))
        .map((merchant) =>
          orderOf(id, this.#identityOf(merchant), (what, bound) => this.choices.draw(what, bound)),
        ),
    );
    this.events = new Map(
      names('event', isEvent)
        .filter(isIncluded)
        .map((id) => [id, newEvent(id)]),
    );
    this.#eventsByKey = new Map([...this.events].map(([id, event]) => [keyOf(id), event]));
  }

  readonly now = () => this.scheduler.now;
  /** Half of the actors are on the machine whose clock may jump. */
  readonly clockOf: Place['clockOf'] = ({ name }) =>
    this.choices.draw(`${name} machine`, 2) === 0 ? this.#clock.read() : this.now();
  readonly send: Place['send'] = (actor, request) => {
    const order = this.#calling.get(actor);
    if (order !== undefined) order.isSent = true;
    return this.#network.send(actor, request);
  };

  /** The merchants that have an order with an id. */
  #merchantsOf(id: string): readonly Merchant[] {
    const isShared = this.#sharing.startsWith('two') && this.choices.draw(`${id} is shared`, 2) === 0;
    return isShared ? ['first', 'other'] : ['first'];
  }

  #identityOf(merchant: Merchant): Identity {
    return { merchant, account: accountOf(this.#sharing, merchant) };
  }

  async run(): Promise<void> {
    for (const order of this.orders) this.#begin(order);
    for (const event of this.events.values()) this.#emit(event);
    this.#sweepLater();
    await this.scheduler.run();
    if (this.invariants.violation === undefined) await this.#close();
    for (const actor of this.#actors) actor.kill();
    this.#file?.close();
  }

  #begin(order: Order): void {
    const at = this.choices.draw(`${order.name} begins`, 1000);
    this.#tryAfter(at, order);
    if (
      order.operation === 'paymentIntents.create' &&
      this.choices.draw(`${order.name} is planned`, 4) === 0
    ) {
      this.scheduler.after(this.choices.draw(`${order.name} plan`, 1200), () => {
        this.#add(`${order.name}/plan`, order, async ({ payments }) => {
          order.active += 1;
          await plan(payments, order, order.amounts[0]).catch(() => {});
          order.active -= 1;
        });
      });
    }
    // Another process with the same task: a queue that delivers twice, a double click.
    if (this.choices.draw(`${order.name} has a rival`, 5) > 0) return;
    this.scheduler.after(at + this.choices.draw(`${order.name} rival`, 200), () => {
      this.#add(`${order.name}/rival`, order, (seat) => this.#call(order, seat, 1));
    });
  }

  #tryAfter(delay: number, order: Order): void {
    this.scheduler.after(delay, () => {
      order.tries += 1;
      const { tries, name } = order;
      this.invariants.require(tries <= mostTries, `${name} does not come to an end`);
      this.#nameAccount(order);
      this.#act({ name: `${name}/${tries}`, isCalm: tries > troubledTries, of: order }, async (seat) => {
        const next = await this.#call(order, seat, order.turn);
        // A process that lives on repeats the order itself, and its client may remember something.
        const { isAlive, isTroubled } = seat.actor;
        order.seat = isAlive && (isTroubled || order.seat !== undefined) ? seat : undefined;
        if (next === 'person') this.#askPerson(order);
        else if (typeof next === 'number') this.#tryAfter(next, order);
      });
    });
  }

  /** All callers of an order name the account from some time on, once none of the earlier ones is at work. */
  #nameAccount(order: Order): void {
    if (this.#sharing !== 'named later' || order.tries < 2 || order.active > 0) return;
    // What an aborted call left behind may still claim the operation.
    if (faultsOf(order).includes('is aborted')) return;
    if (order.account === undefined) order.seat = undefined;
    order.account = 'first';
  }

  /** Runs an optional task. */
  #add(name: string, of: Identity, task: (seat: Seat) => Promise<unknown>): void {
    this.choices.extras.push(name);
    if (this.choices.includes(name)) this.#act({ name, isCalm: false, of }, task);
  }

  /** Runs a task in its own process, or in one that already has a seat. */
  #act({ name, isCalm, of }: Acting, task: (seat: Seat) => Promise<unknown>): void {
    const actor = new Actor(this, name, isCalm);
    const seat = of.seat ?? this.#seats.take(actor, this, { merchant: of.merchant, account: of.account });
    seat.take(actor, this);
    this.#actors.add(actor);
    actor.start(async () => {
      await task(seat);
      this.#actors.delete(actor);
      // The client of a troubled process may remember something.
      if (of.seat === undefined && !actor.isTroubled) this.#seats.leave(seat);
    });
  }

  /** Makes one call of an order. Returns when to retry or that a person must decide; nothing after its end. */
  async #call(order: Order, { actor, payments }: Seat, turn: 0 | 1): Promise<number | 'person' | undefined> {
    const asked: CallRequest = { call: actor.name, order: order.name, amount: order.amounts[turn] };
    const { choices } = this;
    const pause = choices.draw(
      `${actor.name} pause`,
      choices.draw(`${actor.name} night`, 20) === 0 ? 1e8 : 3e5,
    );
    order.active += 1;
    order.callers.push(actor);
    this.#calling.set(actor, order);
    try {
      const answered = await place(order, {
        payments,
        call: actor.name,
        amount: asked.amount,
        signal: this.#signalOf(actor),
        maxRetries: choices.draw(`${actor.name} retries`, 4) === 0 ? 1 : 0,
      });
      if (!actor.isAlive) return pause;
      this.log(`${actor.name} returned a result`);
      this.invariants.returned(asked, answered);
      order.end = 'result';
      return undefined;
    } catch (error) {
      if (!actor.isAlive) return pause;
      this.log(`${actor.name} threw ${error instanceof Error ? `${error.name}: ${error.message}` : error}`);
      this.invariants.threw(asked, error);
      return this.#after(order, error, pause);
    } finally {
      order.active -= 1;
    }
  }

  /** A person is asked about an order only if a request may have left, or nobody can know. */
  #checkQuestion(order: Order): void {
    const { name, isSent, active } = order;
    const faults = faultsOf(order);
    const isClear = active === 1 && faults.length <= 1 && faults.every((fault) => harmlessFaults.has(fault));
    this.invariants.require(isSent || !isClear, `${name} asks a person, though nothing was sent`);
  }

  #after(order: Order, error: unknown, pause: number): number | 'person' | undefined {
    if (error instanceof OperationUnresolvedError) {
      this.#checkQuestion(order);
      return 'person';
    }
    if (error instanceof OperationAccountError) {
      const isShared = this.orders.some(({ id, name }) => id === order.id && name !== order.name);
      this.invariants.require(isShared, `${order.name} was refused as another merchant's`);
      order.end = 'refused';
      return undefined;
    }
    if (error instanceof OperationInProgressError) return error.retryAfter * 1000;
    if (error instanceof OperationMismatchError) {
      order.turn = order.turn === 0 ? 1 : 0;
      return pause;
    }
    const isEnd =
      (error instanceof PaymentsError && error.code === 'OPERATION_SETTLED') ||
      isExecuted(error) ||
      (error instanceof UnprocessableError && error.code === 'OBJECT_NOT_FOUND');
    if (!isEnd) return pause;
    order.end = 'error';
    return undefined;
  }

  /** Returns a signal that aborts at some time, for some of the calls. */
  #signalOf(actor: Actor): AbortSignal | undefined {
    if (actor.faultOf(`${actor.name} waits`, ['is aborted']) === undefined) return undefined;
    const controller = new AbortController();
    this.scheduler.after(this.choices.draw(`${actor.name} patience`, 200), () => {
      if (this.#actors.has(actor)) actor.abort(controller);
    });
    return controller.signal;
  }

  /** A person looks an operation up at the service, once nothing more can happen to it, and closes it. */
  #askPerson(order: Order): void {
    this.scheduler.after(3_600_000, () => {
      if (order.active > 0 || !this.#network.isQuiet) return this.#askPerson(order);
      const { name, id, merchant, account, operation } = order;
      const of = { merchant, account };
      const isCalm = order.tries > troubledTries;
      this.#act({ name: `${name}/person ${order.tries}`, isCalm, of }, async ({ payments }) => {
        const settle = this.#settlement(order);
        await payments.journal.settle(id, { operation, ...settle }).catch(() => {});
        this.#tryAfter(1, order);
      });
    });
  }

  /** Returns the settlement that the person finds. */
  #settlement(order: Pick<Order, 'name'>) {
    const isExecuted = this.invariants.effectsOf(order.name).length > 0;
    this.log(`a person settles ${order.name}: ${isExecuted}`);
    return { outcome: isExecuted ? 'executed' : 'not_executed' } as const;
  }

  /** Delivers an event until it is acknowledged, and some events once more. */
  #emit(event: SentEvent): void {
    const at = this.choices.draw(`${event.id} begins`, 1000);
    this.#deliverAfter(at, event);
    if (this.choices.draw(`${event.id} has a double`, 3) > 0) return;
    const later = this.choices.draw(
      `${event.id} double`,
      this.choices.draw(`${event.id} is late`, 2) * 1e6 + 50,
    );
    this.scheduler.after(at + later, () => {
      this.#add(`${event.id}/double`, this.#identityOf('first'), (seat) => this.#deliver(event, seat));
    });
  }

  #deliverAfter(delay: number, event: SentEvent): void {
    this.scheduler.after(delay, () => {
      event.tries += 1;
      const name = `${event.id}/${event.tries}`;
      this.invariants.require(event.tries <= mostTries, `${event.id} is never acknowledged`);
      this.#act(
        { name, isCalm: event.tries > troubledTries, of: this.#identityOf('first') },
        async (seat) => {
          await this.#deliver(event, seat);
          if (!event.isAcknowledged)
            this.#deliverAfter(1_000 + this.choices.draw(`${name} pause`, 100_000), event);
        },
      );
    });
  }

  async #deliver(event: SentEvent, { actor, webhooks, receiver }: Seat): Promise<void> {
    const fault = actor.faultOf(`${actor.name} delivery`, ['is lost', 'is not answered']);
    if (fault === 'is lost') return;
    const envelope = { id: event.id, type: 'order.paid', created: 1, livemode: false, data: { object: {} } };
    const body = JSON.stringify(envelope);
    const { status, outcome } = await receiver.handle({ body, headers: await webhooks.sign(body) });
    if (!actor.isAlive) return;
    this.log(`${actor.name} answers ${status} ${outcome}`);
    const { response = (sent: number) => sent } = this.#seats.system;
    if (response(status) >= 300) return;
    acknowledge(event, this.invariants);
    event.isAcknowledged ||= fault === undefined;
  }

  /** Handles events. Some handlers move money themselves. */
  readonly handle: Place['handle'] = async ({ actor, payments }, id, { operationId }) => {
    const event = this.events.get(id);
    if (event === undefined) throw new Error(`There is no event ${id}.`);
    const run = beginRun(event, actor, this.invariants);
    try {
      const step = await actor.step('handles');
      if (actor.faultOf(`${step}!`, ['throws']) !== undefined) throw new Error('the handler failed');
      if (this.#movesMoney(id)) {
        const intent = { amount: 1200, currency: 'usd', metadata: { order: operationId } };
        await payments.paymentIntents.create(intent, { operationId }).catch((error: unknown) => {
          if (!isExecuted(error)) throw error;
        });
      }
      await actor.step('has handled');
      run.state = 'ended';
    } finally {
      if (run.state === 'running' && actor.isAlive) run.state = 'thrown';
    }
  };

  #movesMoney(event: string): boolean {
    return this.choices.draw(`${event} moves money`, 4) === 0;
  }

  #wrote(key: string, written: Written): void {
    const event = this.#eventsByKey.get(key);
    if (event === undefined) this.invariants.wrote(written);
    else event.isRecorded = written.isCompleted;
  }

  /** Starts a process that resumes open operations, in some episodes. */
  #sweepLater(): void {
    for (let sweep = 1; sweep <= 2; sweep += 1) {
      this.scheduler.after(this.choices.draw(`sweep ${sweep}`, 400_000), () => {
        const merchant = this.#sharing.startsWith('two') && sweep === 2 ? 'other' : 'first';
        this.#add(`sweep-${sweep}`, this.#closing(merchant), (seat) => this.#sweep(seat, async () => {}));
      });
    }
  }

  /** Who resumes the open operations of a merchant. */
  #closing(merchant: Merchant): Identity {
    return this.#sharing === 'named later' ? { merchant, account: 'first' } : this.#identityOf(merchant);
  }

  async #sweep(
    { payments, actor, identity }: Seat,
    onFailure: (operation: OpenOperation, error: unknown) => Promise<void>,
  ): Promise<void> {
    try {
      for await (const operation of payments.journal.open()) {
        const name = nameOf(operation.operationId, identity.merchant);
        for (const order of this.orders) order.isSent ||= order.name === name;
        await operation.resume().catch(async (error: unknown) => {
          const asked = { call: actor.next('resumes'), order: name, amount: 0 };
          if (actor.isAlive) this.invariants.threw(asked, error);
          await onFailure(operation, error);
        });
      }
    } catch (error) {
      if (actor.isAlive && !(error instanceof Error)) throw error;
    }
  }

  /** After all faults: resumes open operations, or a person closes them. Then nothing is open. */
  async #close(): Promise<void> {
    this.scheduler.after(keyLifetime / 2, () => {
      for (const merchant of this.#sharing.startsWith('two')
        ? (['first', 'other'] as const)
        : (['first'] as const)) {
        this.#act(
          { name: `closing ${merchant}`, isCalm: true, of: this.#closing(merchant) },
          async (seat) => {
            // In the second round the service replays the rejections of the first, which closes what was open before them.
            // Planned operations are planned again by that, and settled in the third round.
            for (let round = 1; round <= 3; round += 1) {
              await this.#sweep(seat, async (operation, error) => {
                const isGivenUp = operation.state === 'planned' && error instanceof UnprocessableError;
                if (isGivenUp || error instanceof OperationUnresolvedError)
                  await operation.settle(this.#settlement({ name: nameOf(operation.operationId, merchant) }));
              });
            }
          },
        );
      }
    });
    await this.scheduler.run();
    if (this.invariants.violation !== undefined) return;
    const pages = await Promise.all(this.#seen.spaces.map((space) => this.#seen.open({ space, limit: 100 })));
    const open = pages.flatMap(({ claims }) => claims);
    const unknown = open.filter(
      ({ key, data }) => !this.#eventsByKey.has(key) && JSON.parse(data).state !== 'refused',
    );
    this.invariants.require(unknown.length === 0, `${unknown.map(({ key }) => key)} stayed open`);
    for (const { id, name, kind, end } of this.orders) {
      this.invariants.require(end !== undefined, `${name} did not come to an end`);
      const isRefused = end === 'refused';
      const others = this.orders.filter((other) => other.id === id && other.name !== name);
      const isOnlyOne = !isRefused || others.some((other) => other.end !== 'refused');
      this.invariants.require(isOnlyOne, `${id} was refused to every merchant`);
      const isTaken = (kind === 'intent' || kind === 'sale') && !isRefused;
      const count = this.invariants.effectsOf(name).length;
      this.invariants.require(count === (isTaken ? 1 : 0), `${name} took effect ${count} times in the end`);
    }
    for (const { id, runs } of this.events.values()) {
      this.invariants.require(
        runs.some(({ state }) => state === 'ended'),
        `${id} was never handled`,
      );
      const count = this.invariants.effectsOf(keyOf(id)).length;
      this.invariants.require(count === (this.#movesMoney(id) ? 1 : 0), `${id} moved money ${count} times`);
    }
  }

  #happened(effect: Effect): void {
    this.log(`the service executes ${effect.order}`);
    const isKnown =
      this.orders.some(({ name }) => name === effect.order) || this.#eventsByKey.has(effect.order);
    this.invariants.require(isKnown, `${effect.order} was sent by another merchant`);
    this.invariants.happened(effect);
  }
}

/** The faults that hit the callers of an order, also after their calls were aborted. */
function faultsOf({ callers }: Order): readonly string[] {
  return callers.flatMap(({ faults }) => faults);
}

/** A task of a process. */
interface Acting {
  readonly name: string;
  readonly isCalm: boolean;
  /** Whose process it is, and its seat if it already has one. */
  readonly of: Identity & { readonly seat?: Seat | undefined };
}

/**
 * Whether an operation took effect but its result cannot be read: this is an end, since the journal keeps the body
 * unchanged.
 */
function isExecuted(error: unknown): boolean {
  return error instanceof ResponseValidationError && error.outcome === 'executed';
}

/** Simulates one episode. */
export async function runEpisode(seats: Seats, options: EpisodeOptions): Promise<EpisodeResult> {
  const episode = new Episode(seats, options);
  await episode.run();
  const { invariants, orders, events, choices } = episode;
  return {
    violation: invariants.violation,
    parts: [...orders.map(({ name }) => name), ...events.keys(), ...choices.extras, ...choices.faults],
    faults: choices.faults.length,
  };
}
