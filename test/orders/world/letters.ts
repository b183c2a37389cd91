import type { OrderHandlers } from 'payments-client/orders';
import type { Sandbox } from 'payments-client-sandbox';

type Event = Sandbox['events'][number];

/** An event on its way to a shop. */
export interface Letter {
  readonly event: Event;
  /** The service's object that it is about. */
  readonly about: string;
  /** How often a handler refused it. */
  refusals: number;
}

const handled: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'refund.created',
  'refund.succeeded',
  'refund.failed',
  'refund.settled',
  'chargeback.received',
] satisfies (keyof OrderHandlers)[];

function aboutOf({ data }: Event): string {
  const transaction: unknown = Reflect.get(data.object, 'transaction_id');
  return String(transaction ?? Reflect.get(data.object, 'id'));
}

/** The events that the service has sent and no shop has handled yet, in no order. */
export class Letters {
  readonly #waiting: Letter[] = [];

  /** @param isLost Draws whether an event is never delivered. */
  constructor(sandbox: Sandbox, isLost: (event: Event) => boolean) {
    sandbox.watch((activity) => {
      if (activity.kind !== 'event' || !handled.includes(activity.event.type)) return;
      if (!isLost(activity.event))
        this.#waiting.push({ event: activity.event, about: aboutOf(activity.event), refusals: 0 });
    });
  }

  get waiting(): readonly Letter[] {
    return this.#waiting;
  }

  /** Removes a letter that was handled. */
  drop(letter: Letter): void {
    const at = this.#waiting.indexOf(letter);
    if (at >= 0) this.#waiting.splice(at, 1);
  }
}

/** Handles a letter in a shop. */
export async function handle(on: OrderHandlers, { event }: Letter): Promise<void> {
  const handler: unknown = Reflect.get(on, event.type);
  if (typeof handler !== 'function') throw new Error(`Expected a handler of ${event.type}.`);
  await handler(event);
}
