import { PaymentsClient, PaymentsError } from 'payments-client';
import type { Orders } from 'payments-client/orders';
import type { Database } from './database.ts';
import { Draws } from './draws.ts';
import type { LedgerRefund } from './ledger.ts';
import { handle, type Letter, Letters } from './letters.ts';
import type { Edit, ShopRow } from './seat.ts';
import { Service } from './service.ts';
import { Shop } from './shop.ts';
import { Process, type Task, Turns } from './turns.ts';
import { calm, type Weather, weatherOf } from './weather.ts';

/** A page that a buyer has open. */
export interface Page {
  readonly owner: string;
  readonly session: string;
}

/** Names an order: an id that is issued again is another order. */
export const ownerOf = ({ account, id, createdAt }: Pick<ShopRow, 'account' | 'id' | 'createdAt'>) =>
  `${account}/${id}@${createdAt}`;

const hour = 3_600_000;

/** More steps than all calls of a history need to end. */
const mostSteps = 10_000;

/** Errors of what the simulation breaks. */
const simulated =
  /the store is down|the connection to the store broke|the warehouse is down|There is no order/;

/** Everything of one history. */
export class World {
  readonly draws: Draws;
  readonly turns: Turns;
  readonly service: Service;
  readonly database: Database;
  readonly shops: Shop[];
  readonly letters: Letters;
  readonly weather: Weather;
  readonly log: string[] = [];
  /** What the invariants found. */
  readonly violations: string[] = [];
  readonly pages: Page[] = [];
  /** The returns that a shop asked for, and how much, by order. */
  readonly returns = new Map<string, Map<string, number>>();
  /** The orders there ever were. */
  readonly known = new Set<string>();
  /** Refunds that no shop asked for. */
  readonly elsewhere = new Set<string>();
  /** Payments that a bank takes back, and what has become of it, by the id of the transaction. */
  readonly disputes = new Map<string, 'open' | 'won' | 'lost'>();
  /** Orders that a shop saw canceled. */
  readonly canceled = new Set<string>();
  /** Orders whose record a restored backup changed. */
  readonly restored = new Set<string>();
  /** Rows that are missing for a while. */
  readonly missing: ShopRow[] = [];
  /** A client without faults, of another program of the merchant. */
  readonly control: PaymentsClient;
  edits = 0;
  calls = 0;
  severalPayments = 0;
  /** Whether a person has done what orders need. */
  wasHelped = false;
  /** Where the staff works; its machine does not die. */
  readonly #office = new Process('office');
  #hasBackup = false;
  /** Whether nothing but an event will say what happens now. */
  #isOnlyTold = false;

  constructor(seed: number, database: Database, draws = new Draws(seed)) {
    this.draws = draws;
    this.database = database;
    this.weather = weatherOf(draws);
    this.turns = new Turns(draws, (line) => this.note(line), database.patience);
    const hasOnlyShown = draws.chance(0.2);
    const keyMemory = draws.chance(0.2) ? hour : 24 * hour;
    this.service = new Service(seed, { hasOnlyShown, keyMemory }, draws, this.turns, this.weather);
    this.letters = new Letters(this.service.sandbox, ({ type }) => {
      const isNeeded = hasOnlyShown || type === 'chargeback.received' || this.#isOnlyTold;
      return !isNeeded && this.service.has('eventLost');
    });
    const { secretKey, securityKey, url: baseUrl, fetch } = this.service.sandbox;
    this.control = new PaymentsClient({ baseUrl, secretKey, securityKey, fetch, maxRetries: 0 });
    const accounts = draws.chance(0.15) ? ['tea', 'books'] : ['tea'];
    this.shops = accounts.map((account) => new Shop(account, this));
    this.note(`only shown endpoints: ${hasOnlyShown}, keys: ${keyMemory / hour} h, shops: ${accounts}`);
  }

  note(line: string): void {
    this.log.push(line);
  }

  violate(what: string): void {
    if (this.violations.includes(what)) return;
    this.violations.push(what);
    this.note(`VIOLATION: ${what}`);
  }

  /** The time since the start, as the log has it. */
  async pass(ms: number): Promise<void> {
    await this.service.advance(ms);
    this.service.met('wait');
    this.note(`time: ${new Date(this.service.now).toISOString().slice(0, 19)}`);
  }

  shopOf(account: string): Shop {
    const shop = this.shops.find((one) => one.account === account) ?? this.shops[0];
    if (shop === undefined) throw new Error('There is no shop.');
    return shop;
  }

  /** Calls the module in one of a shop's processes. A caller that got an error may try again. */
  call(
    name: string,
    row: Pick<ShopRow, 'account' | 'id' | 'createdAt'>,
    work: (orders: Orders) => Promise<void>,
  ): Task {
    const { process, orders } = this.shopOf(row.account).any();
    this.calls += 1;
    return this.turns.start(process, `${name} ${row.id}`, ownerOf(row), async () => {
      try {
        await work(orders);
      } catch (error) {
        if (!process.isAlive) return;
        this.refused(name, error);
        if (this.draws.chance(0.3)) this.call(name, row, work);
      }
    });
  }

  /** Calls `resume` in one of a shop's processes. */
  resume(shop: Shop): Task {
    const { process, orders } = shop.any();
    return this.turns.start(process, 'resume', undefined, async () => {
      try {
        const limit = this.draws.chance(0.3) ? 1 + this.draws.below(3) : undefined;
        for (const { id, error } of await orders.resume(limit === undefined ? {} : { limit }))
          this.refused(`resume ${id}`, error);
      } catch (error) {
        if (process.isAlive) this.refused('resume', error);
      }
    });
  }

  /** Delivers an event. It stays if its handler fails or dies. */
  deliver(letter: Letter): Task {
    const owner = this.service.ledger.ownerOf(letter.about);
    const { process, orders } = this.shopOf(owner?.split('/')[0] ?? '').any();
    return this.turns.start(process, letter.event.type, owner, async () => {
      try {
        await handle(orders.on, letter);
        if (!this.service.has('eventAgain')) this.letters.drop(letter);
      } catch (error) {
        if (!process.isAlive) return;
        letter.refusals += 1;
        this.refused(letter.event.type, error);
      }
    });
  }

  /** Notes an error. One that is neither the package's nor simulated is a defect. */
  refused(name: string, error: unknown): void {
    this.note(`    ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof PaymentsError || (error instanceof Error && simulated.test(error.message))) return;
    this.violate(`${name} failed with ${error instanceof Error ? error.stack : String(error)}`);
  }

  async insert(row: ShopRow): Promise<void> {
    await this.database.insert(row);
    this.known.add(ownerOf(row));
    this.note(`row ${ownerOf(row)}: ${row.quantity} × ${row.price} ${row.currency}`);
  }

  /** Edits a row, once no transaction of a process holds it. */
  edit(row: ShopRow, edit: Edit): void {
    this.edits += 1;
    const what = `edits ${row.id}: ${edit.quantity} × ${edit.price} ${edit.currency}`;
    this.#inOffice(what, () => this.database.edit(row.account, row.id, edit));
  }

  /** Loses a row that is not shipped, as a wrong statement does. */
  lose(row: ShopRow): void {
    this.#inOffice(`loses ${row.id}`, async () => {
      const lost = await this.database.remove(row.account, row.id);
      if (lost !== undefined) this.missing.push(lost);
    });
  }

  /** Brings the rows back that are missing. */
  async bringBack(): Promise<void> {
    await this.drain();
    for (const row of this.missing.splice(0)) {
      this.note(`row ${row.id} is back`);
      await this.database.insert(row);
    }
  }

  #inOffice(what: string, work: () => Promise<void>): void {
    this.turns.start(this.#office, what, undefined, work);
  }

  /** Runs until every task has ended. */
  async drain(): Promise<void> {
    for (let steps = 0; await this.turns.step(); steps += 1) {
      await this.afterStep();
      if (steps > mostSteps)
        throw new Error(`Some call never ends: ${this.turns.tasks.map(({ name }) => name)}.`);
    }
  }

  /** Restarts dead processes. */
  async restart(): Promise<void> {
    for (const shop of this.shops) await shop.start();
  }

  /** Called after each step. */
  afterStep: () => Promise<void> = async () => {};

  /** From now on nothing goes wrong. */
  becomeCalm(): void {
    this.service.weather = calm;
    for (const shop of this.shops) shop.isShippingDown = false;
  }

  /** Returns the orders that payments were made for. */
  owners(): readonly string[] {
    return [...this.known];
  }

  /** Returns the refunds of all orders. */
  refunds(): readonly LedgerRefund[] {
    const { ledger } = this.service;
    return this.owners().flatMap((owner) =>
      ledger.takenFor(owner).flatMap(({ source }) => ledger.refundsOf(source)),
    );
  }

  /** Does what nothing but its events will tell. */
  async #told<Done>(work: () => Promise<Done>): Promise<Done> {
    this.#isOnlyTold = true;
    const done = await work();
    this.#isOnlyTold = false;
    return done;
  }

  /** Another program gives money back. */
  async refundElsewhere(intent: `pi_${string}`, amount: number): Promise<string> {
    const operationId = `elsewhere-${this.elsewhere.size}`;
    const params = { payment_intent_id: intent, amount };
    const { id } = await this.#told(() => this.control.refunds.create(params, { operationId }));
    this.elsewhere.add(id);
    return id;
  }

  /** A refund that had succeeded fails: nobody asks for news of it any more. */
  async failLate(refund: string): Promise<void> {
    const failed = { status: 'failed', failure_message: 'already_refunded' } as const;
    await this.#told(async () => this.service.sandbox.update('refund', refund, failed));
  }

  /** The staff releases an authorization in the control panel, or takes it, if an event tells of it. */
  async endHold(id: string): Promise<void> {
    const { transact, paymentIntents } = this.control;
    const intent = id as `pi_${string}`;
    await this.#told(async () => {
      if (!id.startsWith('pi_')) await transact.void({ transactionid: id });
      else if (this.draws.chance(0.5)) await paymentIntents.capture(intent, {}, { operationId: id });
      else await paymentIntents.cancel(intent);
    });
  }

  async backUp(): Promise<void> {
    await this.database.backUp();
    this.#hasBackup = true;
    this.note('the database is copied');
  }

  /** The machine is lost, and the database goes back to its copy: orders that were made since are unknown, and their ids are issued again. */
  async restore(): Promise<void> {
    if (!this.#hasBackup) return;
    for (const shop of this.shops) for (const { process } of shop.processes) this.turns.kill(process);
    await this.database.restore();
    this.missing.length = 0;
    for (const owner of this.owners()) this.restored.add(owner);
    this.note('the database is restored');
    await this.restart();
  }
}
