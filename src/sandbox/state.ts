import type { VirtualClock } from './clock.ts';
import { Collection } from './collection.ts';
import type { Transaction } from './form/transaction.ts';
import { IdSequence } from './ids.ts';
import { type IdOf, prefixes, type SandboxKind, type SandboxObjects } from './objects.ts';

/** The objects of each kind. */
export type Collections = { readonly [Kind in SandboxKind]: Collection<SandboxObjects[Kind]> };

function createCollections(): Collections {
  return {
    checkout_session: new Collection('checkout session'),
    payment_intent: new Collection('payment intent'),
    charge: new Collection('charge'),
    refund: new Collection('refund'),
    customer: new Collection('customer'),
    invoice: new Collection('invoice'),
    subscription: new Collection('subscription'),
    credit_note: new Collection('credit note'),
    terminal_batch: new Collection('terminal batch'),
    product: new Collection('product'),
    price: new Collection('price'),
    payment_method: new Collection('payment method'),
    terminal: new Collection('terminal'),
    settlement_profile: new Collection('settlement profile'),
    api_key: new Collection('API key'),
    webhook_endpoint: new Collection('webhook endpoint'),
    account: new Collection('account'),
    connection: new Collection('connection'),
    account_link: new Collection('account link'),
  };
}

/** The fields that new objects have. */
export interface Stamp<Kind extends SandboxKind> {
  /** A new id. */
  readonly id: IdOf<Kind>;
  /** The type's name. */
  readonly object: Kind;
  /** Always false here. */
  readonly livemode: false;
  /** The present time in seconds. */
  readonly created_at: number;
  /** The same. */
  readonly updated_at: number;
}

/** Everything that the sandbox remembers of the merchant's business. */
export class State {
  /** The time. */
  readonly clock: VirtualClock;
  /** Where identifiers come from. */
  readonly ids = new IdSequence();
  /** The one merchant of the sandbox. */
  readonly merchantId = this.ids.next('mer');
  /** The objects of `/v1`. */
  readonly objects = createCollections();
  /** Transactions of the form endpoint. */
  readonly transactions = new Collection<Transaction>('transaction');

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  /** The fields that every new object has. */
  stamp<Kind extends SandboxKind>(object: Kind): Stamp<Kind> {
    const now = this.clock.seconds();
    const id: IdOf<Kind> = `${prefixes[object]}${this.ids.text()}`;
    return { id, object, livemode: false, created_at: now, updated_at: now };
  }
}
