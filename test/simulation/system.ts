import { type Fetch, type JournalOptions, PaymentsClient } from 'payments-client';
import { type Receiver, type ReceiverContext, Webhooks } from 'payments-client/webhooks';
import type { Sandbox } from 'payments-client-sandbox';
import type { ClaimStore } from '../support/stores.ts';
import type { Actor } from './actor.ts';
import { epoch } from './clock.ts';
import { keysOf, type Merchant } from './merchants.ts';
import { storeOf } from './shared-store.ts';

/** The system under simulation: the package, or the package with a defect. */
export interface System {
  readonly name: string;
  readonly journal?: Partial<JournalOptions>;
  readonly fetch?: (fetch: Fetch) => Fetch;
  /** Wraps the store that all processes of an episode share. */
  readonly store?: (store: ClaimStore) => ClaimStore;
  /** The status that the service sees. */
  readonly response?: (status: number) => number;
  /** Whether the store in memory has the clock of a machine, which may jump. Default: one that does not. */
  readonly hasJumpingStore?: boolean;
}

/** The unchanged package. */
export const unchangedSystem: System = { name: 'unchanged' };

/** How long the journal assumes that the service remembers a key: an hour less than it does, for late requests. */
export const keyLifetime = 23 * 3_600_000;
export const keyMemory = 24 * 3_600_000;

/** The part of an episode that a seat uses. */
export interface Place {
  readonly store: ClaimStore;
  readonly now: () => number;
  /** The clock of an actor's machine, in ms since the start. */
  readonly clockOf: (actor: Actor) => number;
  readonly handle: (seat: Seat, event: string, context: ReceiverContext) => Promise<void>;
  readonly send: (actor: Actor, request: Parameters<Fetch>[0]) => Promise<Response>;
}

/** Whose client it is, and the account that its journal names. */
export interface Identity {
  readonly merchant: Merchant;
  readonly account: string | undefined;
}

/** A client and a receiver that actors use in turn. A client remembers the claims that it could not end. */
export class Seat {
  readonly payments: PaymentsClient;
  /** Verifies deliveries, and signs them for the service. */
  readonly webhooks: Webhooks;
  readonly receiver: Receiver;
  #actor: Actor | undefined;
  #place: Place | undefined;

  readonly identity: Identity;

  constructor(system: System, sandbox: Sandbox, identity: Identity) {
    this.identity = identity;
    const fetch: Fetch = (request) => this.#here.send(this.actor, request);
    const now = () => epoch + this.#here.now();
    const { secretKey, securityKey } = keysOf(identity.merchant, sandbox);
    this.payments = new PaymentsClient({
      baseUrl: 'https://payments.test',
      maxRetries: 0,
      secretKey,
      securityKey,
      fetch: system.fetch?.(fetch) ?? fetch,
      journal: {
        keyLifetime,
        ...system.journal,
        account: identity.account,
        store: this.store(),
        now: () => epoch + this.#here.clockOf(this.actor),
      },
    });
    this.webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now });
    this.receiver = this.webhooks.receiver({
      on: {},
      onEvent: (event, context) => this.#here.handle(this, event.id, context),
      onError: () => {},
      store: this.store(),
    });
  }

  /** The actor that uses it now. */
  get actor(): Actor {
    if (this.#actor === undefined) throw new Error('No actor has this seat.');
    return this.#actor;
  }

  /** The store, as the actor reaches it. */
  store(): ClaimStore {
    return storeOf(
      () => this.actor,
      () => this.#here.store,
    );
  }

  take(actor: Actor, place: Place): void {
    this.#actor = actor;
    this.#place = place;
  }

  get #here(): Place {
    if (this.#place === undefined) throw new Error('No actor has this seat.');
    return this.#place;
  }
}

/** The seats of one system, reused by its episodes. */
export class Seats {
  readonly system: System;
  readonly sandbox: Sandbox;
  readonly #free = new Map<string, Seat[]>();

  constructor(system: System, sandbox: Sandbox) {
    this.system = system;
    this.sandbox = sandbox;
  }

  take(actor: Actor, place: Place, identity: Identity): Seat {
    const seat = this.#freeOf(identity).pop() ?? new Seat(this.system, this.sandbox, identity);
    seat.take(actor, place);
    return seat;
  }

  /** Leaves a seat to other actors. Do not leave one whose client may remember something. */
  leave(seat: Seat): void {
    this.#freeOf(seat.identity).push(seat);
  }

  #freeOf({ merchant, account = '' }: Identity): Seat[] {
    const name = `${merchant} ${account}`;
    const free = this.#free.get(name) ?? [];
    this.#free.set(name, free);
    return free;
  }
}
