import { type Fetch, PaymentsClient } from 'payments-client';
import type { JournalOptions } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { type DeliveryReport, type Receiver, Webhooks } from 'payments-client/webhooks';
import { memoryOfProcess, type ProcessMemory, startAnew } from '../../support/new-process.ts';
import type { ClaimStore } from '../../support/stores.ts';
import { endpointSecrets, type Mode } from '../dimensions/deliveries.ts';
import { storeFaults } from '../dimensions/stores.ts';
import { type Keys, keys, type Merchant } from '../merchants.ts';
import { type Handling, receiverOf } from '../receivers.ts';
import type { Actor } from './actor.ts';
import { storeOf, Transaction, withTransactions } from './store.ts';
import { epoch } from './time.ts';

/** The system under test: the package, or the package with a defect. */
export interface System {
  readonly name: string;
  readonly journal?: Partial<JournalOptions>;
  /** How long the client assumes that the service remembers a key, in ms. */
  readonly keyLifetime?: number;
  readonly fetch?: (fetch: Fetch) => Fetch;
  /** Wraps the store that all processes of an episode share. */
  readonly store?: (store: ClaimStore) => ClaimStore;
  /** What the service sees of a response. */
  readonly response?: (response: string) => string;
  /** Whether the store in memory has the clock of a machine, which may jump. Default: one that does not. */
  readonly hasJumpingStore?: boolean;
  /** Whether the client learns its security key once, and its requests carry the present one. */
  readonly hasStaleKeys?: boolean;
  /** What the merchant's metrics get. */
  readonly report?: (report: DeliveryReport) => DeliveryReport | undefined;
  /** Whether a process that forgets an operation in doubt forgets that there was one. */
  readonly losesDoubts?: boolean;
  /** What becomes of an error's data in the store of a durable engine. */
  readonly errorData?: (form: unknown) => unknown;
  /** What the caller sees of an outcome. */
  readonly outcome?: (outcome: string) => string;
  /** Whether the merchant never hears of an unreadable delivery. */
  readonly dropsUnreadable?: boolean;
  /** A secret that verification accepts beside those of the merchant. */
  readonly trusts?: string;
}

/** The unchanged package. */
export const unchangedSystem: System = { name: 'unchanged' };

/** How long the journal assumes that the service remembers a key: an hour less than it does, for late requests. */
export const keyLifetime = 23 * 3_600_000;
export const keyMemory = 24 * 3_600_000;

/** The part of an episode that a seat uses. */
export interface Place {
  readonly store: ClaimStore;
  readonly losesWrites: boolean;
  readonly now: () => number;
  /** The clock of an actor's machine, in ms since the start. */
  readonly clockOf: (actor: Actor) => number;
  readonly keysOf: (merchant: Merchant) => Keys;
  readonly handle: (seat: Seat, handling: Handling<Transaction>) => Promise<void>;
  readonly unread: (seat: Seat, body: string) => void;
  readonly reported: (seat: Seat, report: DeliveryReport) => void;
  readonly send: (actor: Actor, request: Parameters<Fetch>[0]) => Promise<Response>;
}

/** Whose client it is, and the account that its journal names. */
export interface Owner {
  readonly merchant: Merchant;
  readonly account: string | undefined;
}

interface Identity extends Owner {
  readonly hasJournal: boolean;
  /** Whether its process forgets an operation when a call of it ends. */
  readonly isCrowded: boolean;
}

/** A client and receivers that actors use in turn. A client remembers the claims that it could not end. */
export class Seat {
  readonly payments: PaymentsClient;
  readonly identity: Identity;
  readonly #system: System;
  readonly #memory: ProcessMemory;
  readonly #receivers = new Map<Mode, Pick<Receiver, 'handle'>>();
  #actor: Actor | undefined;
  #place: Place | undefined;

  constructor(system: System, identity: Identity, taker: readonly [Actor, Place]) {
    this.identity = identity;
    this.#system = system;
    [this.#actor, this.#place] = taker;
    const send: Fetch = (request) => this.#here.send(this.actor, request);
    const fetch = system.fetch?.(send) ?? send;
    const key = (name: keyof Keys) => () => this.#here.keysOf(identity.merchant)[name];
    // Each seat is a process of its own.
    startAnew();
    this.payments = new PaymentsClient({
      baseUrl: 'https://payments.test',
      keyLifetime: system.keyLifetime ?? keyLifetime,
      maxRetries: 0,
      secretKey: key('secretKey'),
      securityKey: system.hasStaleKeys ? keys[identity.merchant].securityKey : key('securityKey'),
      fetch: system.hasStaleKeys
        ? async (request) => fetch(await withKey(request, key('securityKey')()))
        : fetch,
      ...(identity.hasJournal && {
        journal: createJournal({
          ...system.journal,
          account: identity.account,
          store: this.#store(),
          now: () => epoch + this.#here.clockOf(this.actor),
        }),
      }),
    });
    this.#memory = memoryOfProcess();
    if (system.losesDoubts) this.#memory.loseTrace();
  }

  /** Names the process. */
  life: object = {};

  /** Becomes another process. */
  restart(): void {
    this.life = {};
    this.#memory.begin(this.identity.isCrowded);
  }

  /** The actor that uses it now. */
  get actor(): Actor {
    if (this.#actor === undefined) throw new Error('No actor has this seat.');
    return this.#actor;
  }

  /** Handles a delivery in one of the merchant's ways. */
  receiver(mode: Mode): Pick<Receiver, 'handle'> {
    const receiver = this.#receivers.get(mode) ?? this.#receiverOf(mode);
    this.#receivers.set(mode, receiver);
    return receiver;
  }

  #receiverOf(mode: Mode): Pick<Receiver, 'handle'> {
    const { trusts, dropsUnreadable, report = (one: DeliveryReport) => one } = this.#system;
    const webhooks = new Webhooks({
      secrets: { ...endpointSecrets, ...(trusts !== undefined && { trusts }) },
      livemode: false,
      now: () => epoch + this.#here.now(),
    });
    const options = {
      store: withTransactions(this.#store(), () => this.#here.store),
      onError: () => {},
      onUnreadable: ({ rawBody }: { readonly rawBody: unknown }) => {
        if (!dropsUnreadable) this.#here.unread(this, String(rawBody));
      },
      onDelivery: (delivery: DeliveryReport) => {
        const told = report(delivery);
        if (told !== undefined) this.#here.reported(this, told);
      },
    };
    return receiverOf<Transaction, Transaction>(mode, {
      webhooks,
      options,
      transact: (run) => this.#transact(run),
      handle: (handling) => this.#here.handle(this, handling),
    });
  }

  /** Runs a function in a transaction, as in the guide. The database rolls back what a dead process leaves. */
  async #transact(run: (client: Transaction) => Promise<void>): Promise<void> {
    const client = new Transaction();
    let isCommitted = false;
    try {
      await run(client);
      await this.actor.step('commits');
      const fault = this.actor.faultAt('commit', storeFaults)?.fault;
      if (fault === 'fails') throw new Error('the commit failed');
      await client.commit();
      isCommitted = true;
      await this.actor.step('has committed');
      if (fault !== undefined) throw new Error('the connection to the store broke');
    } catch (error) {
      if (!isCommitted) await client.rollBack();
      throw error;
    }
  }

  /** The store, as the actor reaches it. */
  #store(): ClaimStore {
    return storeOf({
      actor: () => this.actor,
      store: () => this.#here.store,
      losesWrites: () => this.#here.losesWrites,
    });
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

/** Returns a sale with another security key. */
async function withKey(request: Parameters<Fetch>[0], key: string): Promise<Parameters<Fetch>[0]> {
  if (!request.url.endsWith('.php')) return request;
  const { url, method, headers } = request;
  const form = new URLSearchParams(await request.text());
  form.set('security_key', key);
  return new Request(url, { method, headers, body: String(form) });
}

/** The seats of one system, reused by its episodes. */
export class Seats {
  readonly system: System;
  readonly #free = new Map<string, Seat[]>();

  constructor(system: System) {
    this.system = system;
  }

  take(actor: Actor, place: Place, identity: Identity): Seat {
    const seat = this.#freeOf(identity).pop() ?? new Seat(this.system, identity, [actor, place]);
    seat.restart();
    seat.take(actor, place);
    return seat;
  }

  /** Leaves a seat to other actors. Do not leave one whose client may remember something. */
  leave(seat: Seat): void {
    // What it learned in one episode must not hide what it does not learn in another.
    if (!this.system.hasStaleKeys) this.#freeOf(seat.identity).push(seat);
  }

  #freeOf({ merchant, account, hasJournal, isCrowded }: Identity): Seat[] {
    const name = `${merchant} ${account} ${hasJournal} ${isCrowded}`;
    const free = this.#free.get(name) ?? [];
    this.#free.set(name, free);
    return free;
  }
}
