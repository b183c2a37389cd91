/** The shop's orders. A real shop stores them in a database. */

/**
 * The state of an order. `paying`: a charge is in progress, so no second one may start. `unclear`: the outcome is unknown; a
 * person looks the payment up before anything is charged again.
 */
export type OrderStatus = 'open' | 'paying' | 'paid' | 'unclear' | 'canceled';

export interface Order {
  readonly id: string;
  /** In minor units. The shop never uses an amount from the browser. */
  readonly amount: number;
  readonly currency: 'usd';
  readonly status: OrderStatus;
  /** The checkout session, after the redirect to the hosted page. */
  readonly sessionId?: string;
  /** The transaction id of the form endpoint, after a payment on the shop's own page. */
  readonly transactionId?: string;
}

export class Orders {
  readonly #orders = new Map<string, Order>();

  /** Creates an order for a pound of tea. */
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

  /** Returns an order, or `undefined`. */
  get(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  /** Returns the order of a checkout session, or `undefined`. */
  ofSession(sessionId: string): Order | undefined {
    return [...this.#orders.values()].find((order) => order.sessionId === sessionId);
  }

  /** Updates the current version of an order, because a webhook may have changed it meanwhile. */
  update(id: string, changes: Partial<Omit<Order, 'id'>>): void {
    const order = this.#orders.get(id);
    if (order !== undefined) this.#orders.set(id, { ...order, ...changes });
  }
}
