import { checkOptions } from '../../base/check-options.ts';
import type { PaymentsError } from '../../base/errors.ts';
import { maxTimer } from '../../base/integer.ts';
import { timeFrom } from '../../base/options.ts';
import { lazily } from '../../base/schema.ts';
import { inTime } from '../../stores/in-time.ts';
import type { Claimed, ClaimResult, Completed, InProgress } from '../../stores/store.ts';
import type { WebhookEvent } from '../events/event.ts';
import { leaseLost } from './lease-lost.ts';
import type { ActiveOptions } from './options.ts';

/** How long before the lease expires the signal aborts, in ms; a tenth of the lease if that is shorter. */
const maxNotice = 5000;
/** The share of the lease that may have passed when the handler starts. */
const lateShare = 0.1;

const leaseSchema = lazily(() => timeFrom(1, maxTimer));

/** The delivery to claim. */
export interface Claiming {
  readonly key: string;
  /** The event; `undefined` for an unreadable delivery. */
  readonly event: WebhookEvent | undefined;
}

/** A claim on an event. `storeTimeout` bounds each store operation. */
export class EventClaim<Client> {
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly #options: ActiveOptions<Client>;
  readonly #claiming: Claiming;
  readonly #token: string;
  readonly #controller = new AbortController();
  #lease: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  /** Whether the handler's transaction recorded the event. */
  #isRecorded = false;

  private constructor(options: ActiveOptions<Client>, claiming: Claiming, { token, attempt }: Claimed) {
    this.attempt = attempt;
    this.signal = this.#controller.signal;
    this.#options = options;
    this.#claiming = claiming;
    this.#token = token;
    this.#lease = options.lease;
  }

  /**
   * Claims an event and starts its lease. Releases a claim that the store grants too late.
   *
   * @throws PaymentsError `STORE_TIMEOUT` when the store does not answer in time.
   */
  static async take<Client>(
    options: ActiveOptions<Client>,
    claiming: Claiming,
  ): Promise<EventClaim<Client> | InProgress | Completed> {
    const { store, lease, storeTimeout } = options;
    const { key } = claiming;
    const askedAt = performance.now();
    const giveBack = (late: ClaimResult) => late.status === 'claimed' && store.release(key, late.token);
    const answer = await inTime(store.claim(key, lease), storeTimeout, giveBack);
    if (answer.status !== 'claimed') return answer;
    const claim = new EventClaim(options, claiming, answer);
    // The store started the lease at some time after the request.
    if (performance.now() - askedAt > lateShare * lease) await claim.#renewOrGiveBack(lease);
    else claim.#begin(lease, askedAt);
    return claim;
  }

  /** Renews the lease. */
  async extend(lease: number = this.#options.lease): Promise<void> {
    checkOptions('extend.lease', leaseSchema, lease, 'The lease is unchanged.');
    await this.#renew(lease);
  }

  /**
   * Marks the event as handled. Without a client, does nothing if a transaction already did.
   *
   * @throws PaymentsError `WEBHOOK_LEASE_LOST` when another delivery took over.
   */
  async complete(client?: Client): Promise<void> {
    if (client === undefined && this.#isRecorded) return;
    const { store, retention, storeTimeout } = this.#options;
    const completed = store.complete(this.#claiming.key, this.#token, retention, { client });
    if (!(await inTime(completed, storeTimeout))) throw this.#lost();
    this.#isRecorded = client !== undefined;
  }

  /** Allows the next delivery to be handled immediately. */
  async release(): Promise<void> {
    const { store, storeTimeout } = this.#options;
    await inTime(store.release(this.#claiming.key, this.#token), storeTimeout);
  }

  /** Stops the lease timer once nothing runs under the lease. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /**
   * Releasing a claim loses nothing while its handler has not started. If the answer took half of the lease, as in a
   * paused process, another delivery could run before the handler is done.
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

  #lost(): PaymentsError {
    const { event } = this.#claiming;
    if (event !== undefined) return leaseLost(event.id, this.#lease);
    return leaseLost('an unreadable delivery', this.#lease, false);
  }
}

/** The reason of the aborted signal, like that of `AbortSignal.timeout`. */
function leaseEnds(lease: number, notice: number): DOMException {
  return new DOMException(
    `webhooks: the lease of ${lease} ms ends in ${notice} ms. Raise 'lease' or call context.extend() earlier.`,
    'TimeoutError',
  );
}
