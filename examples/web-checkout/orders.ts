/** What the shop remembers of an order. A real one keeps it in a database. */

/**
 * Where an order stands. `paying`: a charge is on its way, so that no second one begins. `unclear`: nobody knows whether
 * money moved; a person looks it up before anything is charged again.
 */
export type OrderStatus = 'open' | 'paying' | 'paid' | 'unclear' | 'canceled';

/** An order. */
export interface Order {
  readonly id: string;
  /** In minor units. What the browser says about money is never used. */
  readonly amount: number;
  readonly currency: 'usd';
  readonly status: OrderStatus;
  /** The checkout session, once the buyer went to the hosted page. */
  readonly sessionId?: string;
  /** What the form endpoint calls the payment, once it was made here. */
  readonly transactionId?: string;
}

/** All orders. */
export class Orders {
  readonly #orders = new Map<string, Order>();

  /** Makes an order for a pound of tea. */
  create(): Order {
    const order: Order = {
      id: `order-${crypto.randomUUID()}`,
      amount: 2400,
      currency: 'usd',
      status: 'open',
    };
    this.#orders.set(order.id, order);
    return order;
  }

  /** The order; `undefined` where there is none. */
  get(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  /** The order that a checkout session belongs to; `undefined` where there is none. */
  ofSession(sessionId: string): Order | undefined {
    return [...this.#orders.values()].find((order) => order.sessionId === sessionId);
  }

  /** Changes an order as it is now: meanwhile a webhook may have changed it too. */
  update(id: string, changes: Partial<Omit<Order, 'id'>>): void {
    const order = this.#orders.get(id);
    if (order !== undefined) this.#orders.set(id, { ...order, ...changes });
  }
}
