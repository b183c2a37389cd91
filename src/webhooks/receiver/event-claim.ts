import { checkOptions } from '../../base/check-options.ts';
import { maxTimer } from '../../base/integer.ts';
import { timeFrom } from '../../base/options.ts';
import { inTime } from '../../stores/in-time.ts';
import type { Claimed, ClaimResult, Completed, InProgress } from '../../stores/store.ts';
import type { WebhookEvent } from '../events/event.ts';
import { WebhookLeaseLostError } from './lease-lost.ts';
import type { ActiveOptions } from './options.ts';

/** How long before the end of the lease the signal is aborted, in ms; a tenth of the lease where that is shorter. */
const maxNotice = 5000;
/** The share of a lease that may be over when the handler starts. */
const lateShare = 0.1;

const leaseSchema = timeFrom(1, maxTimer);

/** A delivery to claim. */
export interface Claiming {
  readonly key: string;
  /** The event; `undefined` for a delivery from which none could be read. */
  readonly event: WebhookEvent | undefined;
  /** The body that the store keeps until it is handled. */
  readonly data: string | undefined;
}

/** A claim on an event. Each operation of the store is bounded by `storeTimeout`. */
export class EventClaim<Client> {
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly #options: ActiveOptions<Client>;
  readonly #claiming: Claiming;
  readonly #token: string;
  readonly #hasBody: boolean;
  readonly #controller = new AbortController();
  #lease: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  /** Whether a transaction of the handler recorded it. */
  #isRecorded = false;

  private constructor(options: ActiveOptions<Client>, claiming: Claiming, { token, attempt, data }: Claimed) {
    this.attempt = attempt;
    this.signal = this.#controller.signal;
    this.#options = options;
    this.#claiming = claiming;
    this.#token = token;
    this.#hasBody = data !== undefined;
    this.#lease = options.lease;
  }

  /**
   * Claims an event, and begins its lease. Gives back a claim that the store grants too late.
   *
   * @throws StoreTimeoutError when the store does not answer in time.
   */
  static async take<Client>(
    options: ActiveOptions<Client>,
    claiming: Claiming,
  ): Promise<EventClaim<Client> | InProgress | Completed> {
    const { store, lease, storeTimeout } = options;
    const { key, data } = claiming;
    const askedAt = performance.now();
    const asked = store.claim(key, lease, data === undefined ? undefined : { data });
    const giveBack = (late: ClaimResult) => late.status === 'claimed' && store.release(key, late.token);
    const answer = await inTime(asked, storeTimeout, giveBack);
    return answer.status === 'claimed' ? EventClaim.of(options, claiming, answer, askedAt) : answer;
  }

  /** A claim that the store granted, and was asked for at that time. */
  static async of<Client>(
    options: ActiveOptions<Client>,
    claiming: Claiming,
    granted: Claimed,
    askedAt: number,
  ): Promise<EventClaim<Client>> {
    const { lease } = options;
    const claim = new EventClaim(options, claiming, granted);
    // The store began the lease at some time since it was asked.
    if (performance.now() - askedAt > lateShare * lease) await claim.#renewOrGiveBack(lease);
    else claim.#begin(lease, askedAt);
    return claim;
  }

  /** Begins the lease anew. */
  async extend(lease: number = this.#options.lease): Promise<void> {
    checkOptions('extend.lease', leaseSchema, lease, 'The lease is as it was.');
    await this.#renew(lease);
  }

  /**
   * Records that the event is handled, and drops the body that was kept. Without a client it does nothing where a transaction did so.
   *
   * @throws WebhookLeaseLostError when another delivery took over.
   */
  async complete(client?: Client): Promise<void> {
    if (client === undefined && this.#isRecorded) return;
    const { store, retention, storeTimeout } = this.#options;
    const options = {
      ...(client !== undefined && { client }),
      ...(this.#hasBody && { data: '' }),
    };
    const completed = store.complete(this.#claiming.key, this.#token, retention, options);
    if (!(await inTime(completed, storeTimeout))) throw this.#lost();
    this.#isRecorded = client !== undefined;
  }

  /** Lets the next delivery be handled at once. `data` replaces what is kept. */
  async release(data?: string): Promise<void> {
    const { store, storeTimeout } = this.#options;
    await inTime(store.release(this.#claiming.key, this.#token, { data }), storeTimeout);
  }

  /** Lets nobody else handle it for a time, in ms. `data` replaces what is kept. */
  async postpone(wait: number, data: string | undefined): Promise<void> {
    const { store, storeTimeout } = this.#options;
    await inTime(store.renew(this.#claiming.key, this.#token, wait, { data }), storeTimeout);
  }

  /** Nothing runs under the lease any more. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /**
   * Of a claim whose handler has not started, nothing is lost by giving it back. Where the answer took half of the lease, as in a process that was
   * stopped meanwhile, another delivery may run before the handler is done.
   */
  async #renewOrGiveBack(lease: number): Promise<void> {
    try {
      await inTime(this.#renew(lease), lease / 2);
    } catch (error) {
      this.end();
      this.release().catch(() => undefined);
      throw error;
    }
  }

  async #renew(lease: number): Promise<void> {
    const { store, storeTimeout } = this.#options;
    const askedAt = performance.now();
    const isOurs = await inTime(store.renew(this.#claiming.key, this.#token, lease), storeTimeout);
    if (isOurs) return this.#begin(lease, askedAt);
    const lost = this.#lost();
    this.#controller.abort(lost);
    throw lost;
  }

  /** Starts the timer that aborts the signal. */
  #begin(lease: number, since: number): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#lease = lease;
    const notice = Math.min(lease / 10, maxNotice);
    const rest = since + lease - notice - performance.now();
    this.#timer = setTimeout(() => this.#controller.abort(leaseEnds(lease, notice)), Math.max(0, rest));
  }

  #lost(): WebhookLeaseLostError {
    const name = this.#claiming.event?.id ?? 'an unreadable delivery';
    return new WebhookLeaseLostError(name, this.#lease);
  }
}

/** The reason of an aborted signal, as of `AbortSignal.timeout`. */
function leaseEnds(lease: number, notice: number): DOMException {
  return new DOMException(
    `webhooks: the lease of ${lease} ms ends in ${notice} ms. Raise 'lease', or call context.extend() earlier.`,
    'TimeoutError',
  );
}
