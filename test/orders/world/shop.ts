import { PaymentsClient } from 'payments-client';
import type { Orders, UnknownPayment } from 'payments-client/orders';
import { startAnew } from '../../support/new-process.ts';
import type { Database } from './database.ts';
import type { Draws } from './draws.ts';
import { Seat } from './seat.ts';
import type { Service } from './service.ts';
import { Process, type Turns } from './turns.ts';

/** A running process of a shop. */
export interface Running {
  readonly process: Process;
  readonly orders: Orders;
}

/** What shops share. */
export interface Surroundings {
  readonly draws: Draws;
  readonly turns: Turns;
  readonly service: Service;
  readonly database: Database;
}

/** By how much a clock may be wrong, in ms: two of them by less than a lease. */
const mostSkew = 25_000;

/** How many processes a shop has. */
const size = 2;

/** A shop: its processes, and what they have told the world. */
export class Shop {
  readonly account: string;
  /** Whether what ships orders is broken until somebody mends it. */
  isShippingDown = false;
  /** The payments of no order that it was told of. */
  readonly unknown = new Set<string>();
  readonly #world: Surroundings;
  readonly #running: Running[] = [];
  /** By how much the clock of each machine is wrong, in ms. */
  readonly #skews: readonly number[];
  readonly #retries: number;
  readonly #tellsUnknown: boolean;
  #started = 0;

  constructor(account: string, world: Surroundings) {
    this.account = account;
    this.#world = world;
    const { draws } = world;
    this.#skews = Array.from({ length: size }, () =>
      draws.chance(0.7) ? 0 : draws.below(2 * mostSkew) - mostSkew,
    );
    this.#retries = draws.chance(0.3) ? 1 : 0;
    this.#tellsUnknown = draws.chance(0.5);
  }

  /** Starts the processes that do not run. */
  async start(): Promise<void> {
    for (let at = 0; at < size; at += 1) {
      if (this.#running[at]?.process.isAlive !== true) this.#running[at] = await this.#open(at);
    }
  }

  get processes(): readonly Running[] {
    return this.#running;
  }

  /** Returns one of its processes. */
  any(): Running {
    const running = this.#world.draws.pickAny(this.#running);
    if (running === undefined) throw new Error('The shop was not started.');
    return running;
  }

  async #open(at: number): Promise<Running> {
    const { service, database } = this.#world;
    this.#started += 1;
    const process = new Process(`${this.account}.${this.#started}`);
    const seat = new Seat(process, this.account, {
      ...this.#world,
      isShippingDown: () => this.isShippingDown,
    });
    const { secretKey, securityKey, url: baseUrl, checkoutPage } = service.sandbox;
    // Its clients know nothing of what an earlier process did.
    startAnew();
    const payments = new PaymentsClient({
      baseUrl,
      secretKey,
      securityKey,
      checkoutPage,
      fetch: service.fetch,
      maxRetries: this.#retries,
      keyLifetime: service.form.keyMemory,
    });
    const orders = await database.open(seat, {
      payments,
      account: this.account,
      page: (id) => `https://shop.example/orders/${id}`,
      saleCurrency: 'USD',
      now: () => service.now + (this.#skews[at] ?? 0),
      ...(this.#tellsUnknown && {
        onUnknown: ({ reference }: UnknownPayment) => {
          this.unknown.add(reference);
        },
      }),
    });
    return { process, orders };
  }
}
