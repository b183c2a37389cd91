import type { PaymentsClient } from 'payments-client';
import type { OrderRow, UnknownPayment } from 'payments-client/orders';
import type { Service } from './service.ts';
import type { Process, Turns } from './turns.ts';

/** Ends the transaction of a process that dies in it. */
class Died extends Error {}

/** What `createOrders` gets in a process, whatever the store. */
export interface CommonOptions {
  readonly payments: PaymentsClient;
  readonly account: string;
  readonly page: (id: string) => string;
  readonly saleCurrency: string;
  readonly now: () => number;
  readonly onUnknown?: (payment: UnknownPayment) => void;
}

/** The place of a process: how it reaches what all processes share. */
export class Seat {
  readonly process: Process;
  readonly account: string;
  /** Whether what ships an order is broken until somebody mends it. */
  readonly isShippingDown: () => boolean;
  readonly #turns: Turns;
  readonly #service: Service;

  constructor(
    process: Process,
    account: string,
    parts: {
      readonly turns: Turns;
      readonly service: Service;
      readonly isShippingDown: () => boolean;
    },
  ) {
    this.process = process;
    this.account = account;
    this.#turns = parts.turns;
    this.#service = parts.service;
    this.isShippingDown = parts.isShippingDown;
  }

  /** Asks the store: others act before and after it, and it may fail before or after. */
  async ask<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
    await this.#turns.gate(what);
    if (this.#service.has('storeFails')) throw new Error('the store is down');
    const value = await this.#unlessDead(work);
    const isLost = this.#service.has('storeAnswerLost');
    await this.#turns.gate(`${what} is answered${isLost ? ', and the answer is lost' : ''}`);
    if (isLost) throw new Error('the connection to the store broke');
    return value;
  }

  /** Reads a row, or ships, in code that others may interrupt. */
  async act<Value>(what: string, work: () => Value | Promise<Value>): Promise<Value> {
    await this.#turns.gate(what);
    const value = await this.#unlessDead(async () => work());
    await this.#turns.gate(`${what} is done`);
    return value;
  }

  /** A step of a transaction that nobody interrupts: only its process may die. */
  step(): void {
    if (!this.#service.has('kill')) return;
    this.#turns.kill(this.process);
    throw new Died('the process died');
  }

  /** Fails as the merchant's own code does. */
  failShipping(): void {
    if (this.isShippingDown() || this.#service.has('shippingFails')) throw new Error('the warehouse is down');
  }

  async #unlessDead<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (this.process.isAlive) throw error;
      return this.#turns.stop();
    }
  }
}

/** A row of a shop's table of orders. */
export interface ShopRow {
  readonly account: string;
  readonly id: string;
  /** In ms since 1970. */
  readonly createdAt: number;
  readonly currency: string;
  /** In minor units. */
  readonly price: number;
  readonly quantity: number;
  /** How often it was shipped. */
  readonly shipped: number;
  /** What it cost when it was shipped, in minor units of `shippedCurrency`; null until then. */
  readonly shippedTotal: number | null;
  readonly shippedCurrency: string | null;
}

/** What a merchant may edit. */
export type Edit = Pick<ShopRow, 'currency' | 'price' | 'quantity'>;

export const totalOf = ({ price, quantity }: Pick<ShopRow, 'price' | 'quantity'>) => price * quantity;

/** Returns a row as the module reads it. */
export function orderRow({ createdAt, currency, price, quantity }: ShopRow): OrderRow {
  return { createdAt, currency, lines: [{ name: 'Tea', amount: price, quantity }] };
}
