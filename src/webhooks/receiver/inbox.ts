import { checkOptions } from '../../base/check-options.ts';
import { ConfigurationError } from '../../base/errors.ts';
import { maxTimer } from '../../base/integer.ts';
import { integerFrom, optionsOf, timeFrom } from '../../base/options.ts';
import * as s from '../../base/schema.ts';
import { second } from '../../base/time.ts';
import type { WebAbortSignal } from '../../base/web-types.ts';
import { inTime } from '../../stores/in-time.ts';
import type { InboxStore, OpenClaim, TakenClaim } from '../../stores/store.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { EventReading } from '../events/parse.ts';
import type { RawBody } from '../signatures/scheme.ts';
import { eventPrefix, unreadablePrefix } from './delivery-key.ts';
import { EventClaim } from './event-claim.ts';
import type { Handled, VerifiedDelivery } from './handled.ts';
import { handleDelivery, handleKept, keptTask } from './handling.ts';
import { decodeKept, type KeptDelivery } from './kept-delivery.ts';
import type { Observe } from './observe.ts';
import type { ActiveOptions } from './options.ts';
import { nextTurn, pause } from './pause.ts';
import type { DeliveryOutcome } from './report.ts';
import { reportLoneFailure } from './reports.ts';
import { hasInbox } from './store.ts';

/** An unhandled delivery that the inbox keeps. */
export interface InboxEntry {
  /** Identifies the delivery for `replay`. It is the `operationId` in the context of its handler. */
  readonly operationId: string;
  /** The event; `undefined` if this version cannot read one from the body. */
  readonly event: WebhookEvent | undefined;
  /** The body as received. */
  readonly rawBody: RawBody;
  /** The scope of the endpoint whose secret signed it; `undefined` where the secrets have no scopes. */
  readonly scope: string | undefined;
  /** The number of attempts so far. */
  readonly attempt: number;
  /** The class and code of the last error; `undefined` before the first failure. */
  readonly lastError: string | undefined;
  /** Whether only `replay` handles it: its last attempt failed, or its body contains no readable event. */
  readonly isDead: boolean;
  /** The time until the next attempt, in ms; 0 if it is due. */
  readonly wait: number;
  /** The time since it was received, in ms. */
  readonly age: number;
}

/** Options of `receiver.inbox.work()`. */
export interface InboxWorkOptions {
  /** Stops the worker: it takes no more deliveries, and the promise resolves once the running handlers end. */
  readonly signal: WebAbortSignal;
  /** How many deliveries are handled concurrently, 1 to 1000. Default: 4. */
  readonly concurrency?: number | undefined;
  /** How long an idle worker waits between polls, in ms. Default: 1000. */
  readonly pollInterval?: number | undefined;
}

const workSchema = optionsOf<InboxWorkOptions>({
  signal: s.custom<AbortSignal>(
    (value) => value instanceof AbortSignal,
    'an AbortSignal, which stops the worker',
  ),
  concurrency: s.optional(integerFrom(1, 1000)),
  pollInterval: s.optional(timeFrom(1, maxTimer)),
});

/** The outcomes after which a body that became readable leaves the inbox. */
const doneOutcomes: ReadonlySet<DeliveryOutcome> = new Set(['handled', 'duplicate', 'ignored']);

/** Data that other code wrote under one of our keys counts as a body without an event. */
const keptOf = ({ data = '' }: { readonly data: string | undefined }): KeptDelivery =>
  decodeKept(data) ?? { rawBody: data, scope: undefined };

/** A claim that the store granted. */
interface Granted {
  readonly claim: TakenClaim;
  /** When the store was asked: the lease may have started then. */
  readonly askedAt: number;
}

/** Stores return taken claims unordered. Event keys are ASCII, so every comparison agrees with the stores'. */
const lastKeyOf = (taken: readonly Granted[]) =>
  taken
    .map(({ claim }) => claim.key)
    .sort()
    .at(-1);

/** The part of a receiver that the inbox uses. */
export interface InboxDesk<Client> {
  readonly options: ActiveOptions<Client>;
  /** Reads the event from a body. */
  read(rawBody: RawBody): EventReading;
  readonly observe: Observe;
}

/** The queue of deliveries in the store, for workers in any number of processes. Requires the receiver's option `inbox`. */
export class Inbox<Client = never> {
  readonly #desk: InboxDesk<Client>;

  /** @internal */
  constructor(desk: InboxDesk<Client>) {
    this.#desk = desk;
  }

  /**
   * Handles the deliveries of the inbox until `signal` aborts. Retries a failed delivery up to `maxAttempts`: 0.5 to 1 s
   * after the first attempt, then doubling the delay, to at most 1 h. Retries a failed request of `keep` at once. When the
   * store fails, `onError` receives the error, and the worker continues.
   *
   * @throws ConfigurationError for a wrong option, or a receiver without an inbox.
   *
   * @example
   * const stop = new AbortController();
   * process.once('SIGTERM', () => stop.abort());
   * await receiver.inbox.work({ signal: stop.signal });
   */
  async work(options: InboxWorkOptions): Promise<void> {
    checkOptions('work', workSchema, options, 'No delivery was handled.');
    const { concurrency = 4, pollInterval = second } = options;
    const signal: AbortSignal = options.signal;
    const store = this.#store();
    const running = new Set<Promise<void>>();
    const late: Granted[] = [];
    let wake = () => {};
    // Not `Promise.race(running)`: each race would add a reaction to a handler that never ends.
    const untilWoken = () => new Promise<void>((resolve) => (wake = resolve));
    const start = (granted: Granted) => {
      const run = this.#handle(granted).finally(() => {
        running.delete(run);
        wake();
      });
      running.add(run);
    };
    // A released claim has used up an attempt without a handler: a slow store would make dead letters.
    const onLate = (granted: readonly Granted[]) => {
      if (signal.aborted) {
        void this.#release(granted);
      } else {
        late.push(...granted);
        wake();
      }
    };
    let after: string | undefined;
    while (!signal.aborted) {
      for (const granted of late.splice(0, concurrency - running.size)) start(granted);
      if (running.size >= concurrency) {
        await untilWoken();
      } else {
        const limit = concurrency - running.size;
        const taken = await this.#take(store, limit, after, onLate);
        for (const granted of taken) start(granted);
        // The worker scans the keys in rounds: a round skips a dead or waiting delivery once, and no key is always last.
        const isWholeLap = after === undefined && taken.length < limit;
        after = taken.length < limit ? undefined : lastKeyOf(taken);
        const isIdle = taken.length === 0 && isWholeLap && late.length === 0;
        if (isIdle) await pause(pollInterval, signal, untilWoken());
      }
      // A store in the process answers without a turn of the event loop.
      await nextTurn();
    }
    await this.#release(late);
    await Promise.all(running);
  }

  /**
   * Lists all unhandled deliveries, including dead letters, ordered by `operationId`.
   *
   * @throws ConfigurationError for a receiver without an inbox.
   */
  async *entries(): AsyncGenerator<InboxEntry, void, undefined> {
    const store = this.#store();
    const { storeTimeout } = this.#desk.options;
    for (const prefix of this.#prefixes()) {
      let after: string | undefined;
      do {
        const page = await inTime(store.open({ prefix, after, limit: 100 }), storeTimeout);
        for (const claim of page) yield this.#entryOf(claim);
        after = page.at(-1)?.key;
      } while (after !== undefined);
    }
  }

  /**
   * Handles one delivery, dead or not. Does nothing while a worker has it, or while its next attempt is scheduled.
   *
   * @returns The outcome; `in_progress` if it did nothing. `undefined` if the inbox does not have the delivery: it was
   *   handled, it never arrived, or it belongs to another consumer.
   * @throws ConfigurationError for a receiver without an inbox. Errors of the store pass through unchanged.
   */
  async replay(operationId: string): Promise<DeliveryOutcome | undefined> {
    const { options, observe } = this.#desk;
    const store = this.#store();
    if (!this.#prefixes().some((prefix) => operationId.startsWith(prefix))) return undefined;
    const [found] = await inTime(store.open({ prefix: operationId, limit: 1 }), options.storeTimeout);
    if (found?.key !== operationId) return undefined;
    const delivery = this.#deliveryOf(keptOf(found));
    const { outcome } = await observe('inbox', async () => ({
      handled: await this.#replay(operationId, delivery),
      delivery,
    }));
    return outcome;
  }

  async #replay(key: string, delivery: VerifiedDelivery): Promise<Handled> {
    const { options } = this.#desk;
    const isUnreadable = key.startsWith(unreadablePrefix(options.consumer));
    if (!isUnreadable) return handleKept(options, delivery, keptTask(options, delivery, key));
    const handled = await handleDelivery(options, delivery, false);
    if (doneOutcomes.has(handled.outcome)) await this.#close(key);
    return handled;
  }

  /** Removes a kept body whose event was read, and needs no other attempt. */
  async #close(key: string): Promise<void> {
    const claim = await EventClaim.take(this.#desk.options, { key, event: undefined, data: undefined });
    if (!(claim instanceof EventClaim)) return;
    claim.end();
    await claim.complete();
  }

  async #handle({ claim, askedAt }: Granted): Promise<void> {
    const { options, observe } = this.#desk;
    const delivery = this.#deliveryOf(keptOf(claim));
    const task = keptTask(options, delivery, claim.key);
    await observe('inbox', async () => ({
      handled: await handleKept(options, delivery, task, EventClaim.of(options, task, claim, askedAt)),
      delivery,
    }));
  }

  /** @param onLate Receives the claims that the store grants after `storeTimeout`. */
  async #take(
    store: InboxStore<Client>,
    limit: number,
    after: string | undefined,
    onLate: (granted: readonly Granted[]) => void,
  ): Promise<readonly Granted[]> {
    const { options } = this.#desk;
    const { consumer, lease, maxAttempts, storeTimeout } = options;
    const askedAt = performance.now();
    const asked = store
      .take({ prefix: eventPrefix(consumer), after, limit, lease, maxAttempts })
      .then((taken) => taken.map((claim) => ({ claim, askedAt })));
    try {
      return await inTime(asked, storeTimeout, onLate);
    } catch (error) {
      reportLoneFailure(options, 'store', { error, outcome: 'failed', event: undefined });
      return [];
    }
  }

  /** Releases claims without a handler. A failure is ignored, since their leases expire. */
  async #release(granted: readonly Granted[]): Promise<void> {
    const { store, storeTimeout } = this.#desk.options;
    const released = granted.map(({ claim: { key, token } }) =>
      inTime(store.release(key, token), storeTimeout),
    );
    await Promise.allSettled(released);
  }

  #store(): InboxStore<Client> {
    const { inbox, store } = this.#desk.options;
    if (inbox !== undefined && hasInbox(store)) return store;
    const received = 'one without';
    const issue = { path: 'receiver.inbox', expected: "a receiver with inbox: 'keep' or 'defer'", received };
    throw new ConfigurationError([issue], 'Pass the option to webhooks.receiver() in each process.');
  }

  /** The key prefixes of the consumer's deliveries. */
  #prefixes(): readonly string[] {
    const { consumer } = this.#desk.options;
    return [unreadablePrefix(consumer), eventPrefix(consumer)];
  }

  #deliveryOf({ rawBody, scope }: KeptDelivery): VerifiedDelivery {
    return { rawBody, headers: {}, scope, reading: this.#desk.read(rawBody) };
  }

  #entryOf(claim: OpenClaim): InboxEntry {
    const { key, attempt, leased, age } = claim;
    const { rawBody, scope, lastError } = keptOf(claim);
    const { event } = this.#desk.read(rawBody);
    const { consumer, maxAttempts } = this.#desk.options;
    const isDead = (attempt >= maxAttempts && leased === 0) || key.startsWith(unreadablePrefix(consumer));
    return { operationId: key, event, rawBody, scope, attempt, lastError, isDead, wait: leased, age };
  }
}
