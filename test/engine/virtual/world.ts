import { memoryStore } from 'payments-client/stores';
import { createSandbox } from 'payments-client-sandbox';
import type { Sharing } from '../dimensions/accounts.ts';
import type { Fault } from '../dimensions/fault.ts';
import { timeOf } from '../dimensions/timing.ts';
import { Book, type ExpectedOrder, type Violation, type What } from '../facts.ts';
import {
  type Keys,
  keyOf,
  keys,
  type Merchant,
  merchantOfRecord,
  nameOf,
  orderIn,
  refundedIntent,
  refundingOrder,
  secrets,
} from '../merchants.ts';
import { lookUpOf } from '../orders.ts';
import { eventsOf, ordersOf, type Plan } from '../plan.ts';
import { Actor, type Surroundings } from './actor.ts';
import { Callers, type Order, orderOf } from './callers.ts';
import { Deliverer } from './deliverer.ts';
import { Network, type Observer } from './network.ts';
import {
  keyLifetime,
  keyMemory,
  type Owner,
  type Place,
  type Seat,
  type Seats,
  type System,
} from './seat.ts';
import { type Effect, ModelService, SandboxService, type Service } from './service.ts';
import { openFileStore, seen, type Written } from './store.ts';
import { machineTime, Scheduler } from './time.ts';

/** The result of an episode. */
export interface EpisodeResult {
  /** The first promise that does not hold; `undefined` if all do. */
  readonly violation: Violation | undefined;
  /** The faults that occurred. */
  readonly faults: readonly string[];
  /** The kinds of facts in its book. */
  readonly facts: ReadonlySet<What>;
}

/** A task of a process. */
interface Acting {
  readonly name: string;
  readonly faults: readonly Fault[];
  /** Whose process it is. */
  readonly of: Owner;
  /** Its seat, if it already has one. */
  readonly seat?: Seat | undefined;
}

const paid = 1_000_000;

/** A small world in one process: one store, one service, and a few operations that processes retry until they end. */
export class World implements Surroundings {
  readonly scheduler = new Scheduler();
  readonly log: (line: string) => void;
  readonly book: Book;
  readonly orders: readonly Order[];
  readonly sharing: Sharing;
  readonly heals: boolean;
  readonly hasJournal: boolean;
  readonly isCrowded: boolean;
  readonly faults: string[] = [];
  readonly #plan: Plan;
  readonly #seats: Seats;
  readonly #place: Place;
  readonly #seen: ReturnType<typeof seen>;
  readonly #file: ReturnType<typeof openFileStore> | undefined;
  readonly #network: Network;
  readonly #service: Service;
  readonly callers = new Callers(this);
  readonly #deliverer: Deliverer;
  readonly #actors = new Set<Actor>();

  constructor(seats: Seats, plan: Plan, log?: (line: string) => void) {
    this.#seats = seats;
    this.#plan = plan;
    const { inSandbox, accounts, store, healing } = plan;
    const { system } = seats;
    // The sandbox knows one merchant, and one key of it.
    this.sharing = inSandbox && accounts.sharing !== 'named later' ? 'alone' : accounts.sharing;
    this.heals = healing.heals;
    this.hasJournal = plan.hasJournal;
    this.isCrowded = plan.isCrowded;
    this.log = log ? (line) => log(`${(this.now() / 1000).toFixed(3)}s ${line}`) : () => {};
    this.orders = ordersOf(plan).flatMap((order) => {
      const merchants: Merchant[] = this.#hasTwo && order.isShared ? ['first', 'other'] : ['first'];
      return merchants.map((merchant) => orderOf(order, this.ownerOf(merchant)));
    });
    // A handler cannot end what was recorded with a former key: only the former key could.
    const isStuck = this.sharing === 'rotated unnamed';
    this.#deliverer = new Deliverer(
      this,
      eventsOf(plan).map((event) => (isStuck ? { ...event, movesMoney: false } : event)),
    );
    this.book = new Book(
      {
        orders: new Map(this.orders.map((order) => [order.name, this.#expected(order)])),
        events: this.#deliverer.events,
        hasJournal: plan.hasJournal,
        losesWrites: store.losesWrites,
        keyMemory,
        secrets,
      },
      () => this.scheduler.stop(),
    );
    const machineNow = () => machineTime(this.now(), plan.clock);
    this.#file = store.kind === 'file' ? openFileStore(this.now, machineNow) : undefined;
    const memoryNow = system.hasJumpingStore ? machineNow : this.now;
    this.#seen = seen(this.#file?.store ?? memoryStore({ now: memoryNow }), (key, written) =>
      this.#wrote(key, written),
    );
    this.#service = this.#startService();
    this.#network = new Network(this, this.#service, this.#observer);
    this.#place = {
      store: system.store?.(this.#seen.store) ?? this.#seen.store,
      losesWrites: store.losesWrites,
      now: this.now,
      // Half of the actors are on the machine whose clock may jump.
      clockOf: ({ name }) => (this.time(`${name} machine`, 2) === 0 ? machineNow() : this.now()),
      keysOf: (merchant) => this.#keysOf(merchant),
      handle: (seat, handling) => this.#deliverer.handle(seat, handling),
      unread: (_, body) => this.#deliverer.unread(body),
      reported: (seat, report) => this.#deliverer.reported(seat, report),
      send: (actor, request) => {
        this.callers.sends(actor);
        return this.#network.send(actor, request);
      },
    };
  }

  readonly now = () => this.scheduler.now;

  get system(): System {
    return this.#seats.system;
  }

  /** Whether no request can still have an effect. */
  get isQuiet(): boolean {
    return this.#network.isQuiet;
  }

  get #hasTwo(): boolean {
    return this.sharing.startsWith('two');
  }

  time(step: string, longest: number): number {
    return timeOf(this.#plan.pace, step, longest);
  }

  /** Changes the object of an order at the service. */
  change(of: string): void {
    const status = this.#service.change(of);
    if (status !== undefined) this.book.note('changed', { of, status, at: this.now() });
  }

  met(fault: string): void {
    this.faults.push(fault);
  }

  isAtWork(actor: Actor): boolean {
    return this.#actors.has(actor);
  }

  /** Runs a task in its own process, or in one that already has a seat. */
  act({ name, faults, of, seat: own }: Acting, task: (seat: Seat) => Promise<unknown>): void {
    const actor = new Actor(this, name, faults);
    const seat =
      own ??
      this.#seats.take(actor, this.#place, {
        ...of,
        hasJournal: this.hasJournal,
        isCrowded: this.isCrowded,
      });
    seat.take(actor, this.#place);
    this.#actors.add(actor);
    actor.start(async () => {
      await task(seat);
      this.#actors.delete(actor);
      // The client of a troubled process may remember something.
      if (own === undefined && !actor.isTroubled) this.#seats.leave(seat);
    });
  }

  async run(): Promise<void> {
    for (const order of this.orders) this.callers.begin(order);
    this.#deliverer.begin();
    const sweeps = this.hasJournal ? this.#plan.healing.sweeps : [];
    for (const [index, { at, isOther, faults }] of sweeps.entries()) {
      this.scheduler.after(at, () => {
        const of = this.#closing(isOther && this.#hasTwo ? 'other' : 'first');
        this.act({ name: `sweep ${index + 1}`, faults, of }, (seat) => this.callers.sweep(seat, false));
      });
    }
    await this.scheduler.run();
    if (this.heals && this.book.violation === undefined) await this.#rest();
    for (const actor of this.#actors) actor.kill();
    this.#file?.close();
  }

  /** After all faults: resumes open operations, or a person closes them. Then nothing is open. */
  async #rest(): Promise<void> {
    this.scheduler.after(keyLifetime / 2, () => {
      if (!this.hasJournal) return;
      for (const merchant of this.#hasTwo ? (['first', 'other'] as const) : (['first'] as const)) {
        this.act({ name: `closing ${merchant}`, faults: [], of: this.#closing(merchant) }, async (seat) => {
          // In the second round the service replays the rejections of the first, which closes what was open before them.
          // Planned operations are planned again by that, and settled in the third round.
          for (let round = 1; round <= 3; round += 1) await this.callers.sweep(seat, true);
        });
      }
    });
    await this.scheduler.run();
    if (this.book.violation !== undefined) return;
    const { store, spaces } = this.#seen;
    const pages = await Promise.all([...spaces].map((space) => store.open({ space, limit: 100 })));
    const open = pages
      .flatMap(({ claims }) => claims)
      .filter(({ key, data }) => key.startsWith('operation') && JSON.parse(data).state !== 'refused');
    // What was recorded before a rotation without an account is not this client's to close.
    const listed = this.sharing === 'rotated unnamed' ? [] : open;
    this.book.note('rested', { of: 'the world', open: listed.map(({ key }) => key) });
  }

  #startService(): Service {
    const { scheduler } = this;
    const onEffect = ({ order: of, ...effect }: Effect) => {
      this.log(`the service executes ${of}`);
      this.book.note('executed', { of, ...effect, at: this.now() });
    };
    const currencyOf = (name: string) =>
      this.orders.find((one) => one.name === name)?.money.currency ?? 'usd';
    if (!this.#plan.inSandbox) return new ModelService(scheduler, keyMemory, currencyOf, onEffect);
    const sandbox = createSandbox({ ...keys.first, startsAt: 0 });
    for (const { orderId, money } of this.orders.filter((order) => order.kind === 'refund')) {
      const { id } = sandbox.add('payment_intent', {
        id: refundedIntent(orderId),
        ...money,
        amount: paid,
        currency: money.currency.toUpperCase(),
      });
      sandbox.pay(id);
    }
    return new SandboxService(scheduler, sandbox, currencyOf, onEffect);
  }

  readonly #observer: Observer = {
    sent: ({ isTroubled: isExcused }, request, body) =>
      this.book.note('sent', {
        ...callOf(request, body),
        key: keyOf(request.headers),
        body,
        at: this.now(),
        isExcused,
      }),
    arrived: (request, body) => this.book.note('arrived', callOf(request, body)),
    succeeded: (request, body) => this.book.note('succeeded', callOf(request, body)),
  };

  #expected(order: Order): ExpectedOrder {
    const isShared = this.orders.some(
      ({ orderId, name }) => orderId === order.orderId && name !== order.name,
    );
    const lookUps = order.asked.map((money) => lookUpOf({ ...order, money }));
    return { kind: order.kind, isShared, mayBeRefused: this.sharing === 'rotated unnamed', lookUps };
  }

  /** Returns who works for a merchant, and the account that its journal names. */
  ownerOf(merchant: Merchant): Owner {
    const isNamed = this.sharing === 'two named' || this.sharing === 'rotated named';
    return { merchant, account: isNamed ? merchant : undefined };
  }

  #keysOf(merchant: Merchant): Keys {
    if (merchant === 'other') return keys.other;
    const { rotatesAt } = this.#plan.accounts;
    return this.sharing.startsWith('rotated') && this.now() >= rotatesAt ? keys.rotated : keys.first;
  }

  /** Who resumes the open operations of a merchant. */
  #closing(merchant: Merchant): Owner {
    return this.sharing === 'named later' ? { merchant, account: 'first' } : this.ownerOf(merchant);
  }

  #wrote(key: string, { data, isCompleted }: Written): void {
    this.book.note('shown', { of: `the store at ${key}`, text: data ?? '' });
    if (!key.startsWith('operation')) {
      this.book.note('handled', { of: key, isHandled: isCompleted });
      return;
    }
    // A journal that names an account looks for a key that there may not be.
    if (data === undefined) return;
    const { state, operationId, content, credential } = JSON.parse(data);
    const { orderid, metadata, payment_intent_id } = Object(JSON.parse(content ?? '{}'));
    const id = orderid ?? metadata?.order ?? refundingOrder(payment_intent_id);
    const isNamed = operationId === undefined || operationId === id;
    this.book.note('recorded', {
      of: nameOf(id, merchantOfRecord(credential)),
      state,
      isCompleted,
      isNamed,
      at: this.now(),
    });
  }
}

function callOf(request: { readonly url: string; readonly headers: Headers }, body: string) {
  const of = orderIn(new URL(request.url).pathname, request.headers, body);
  return { of, call: request.headers.get('x-call') };
}

/** Runs one episode. */
export async function runEpisode(
  seats: Seats,
  plan: Plan,
  log?: (line: string) => void,
): Promise<EpisodeResult> {
  const world = new World(seats, plan, log);
  await world.run();
  const { violation, kinds } = world.book;
  return { violation, faults: world.faults, facts: kinds };
}
