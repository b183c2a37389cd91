import { PaymentsError } from '../../base/errors.ts';
import { maxTimer } from '../../base/numbers.ts';
import { checkOptions, timeFrom } from '../../base/schema/options.ts';
import { lazily } from '../../base/schema/schema.ts';
import { inTime, whenLate } from '../../stores/in-time.ts';
import type { ClaimResult } from '../../stores/store.ts';
import type { ReadDelivery } from './delivery.ts';
import type { ActiveOptions, WebhookStore } from './options.ts';

/** How long before the lease expires the signal aborts, in ms; a tenth of the lease if that is shorter. */
const maxNotice = 5000;
/** The share of the lease that may have passed when the handler starts. */
const lateShare = 0.1;

const leaseSchema = /* @__PURE__ */ lazily(() => timeFrom(1, maxTimer));

/**
 * The code of the error for a handler that outlived its lease, so that another delivery took over. Its effects may happen
 * twice, unless they were part of a transaction that rolls back or used the context's `operationId`.
 */
const leaseLost = 'WEBHOOK_LEASE_LOST';

type Claimed = Extract<ClaimResult, { readonly status: 'claimed' }>;

/** A claim on the event of a delivery, or on a body that no handler can read. */
export class EventClaim<Client> {
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Whether the store keeps the body, since it failed before. */
  readonly isKept: boolean;
  readonly #options: ActiveOptions<Client>;
  readonly #delivery: ReadDelivery;
  readonly #token: string;
  readonly #controller = new AbortController();
  #lease: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  /** Whether the handler's transaction recorded the event. */
  #isRecorded = false;

  private constructor(
    options: ActiveOptions<Client>,
    delivery: ReadDelivery,
    { token, attempt, data }: Claimed,
  ) {
    this.attempt = attempt;
    this.signal = this.#controller.signal;
    this.isKept = Boolean(data);
    this.#options = options;
    this.#delivery = delivery;
    this.#token = token;
    this.#lease = options.lease;
  }

  /** Claims an event and starts its lease. Throws what the store throws. */
  static async take<Client>(
    options: ActiveOptions<Client>,
    delivery: ReadDelivery,
  ): Promise<EventClaim<Client> | Exclude<ClaimResult, Claimed>> {
    const { store, lease } = options;
    const askedAt = performance.now();
    const answer = await claimIn(store, delivery.key, lease);
    if (answer.status !== 'claimed') return answer;
    const claim = new EventClaim(options, delivery, answer);
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
    const { store, memory } = this.#options;
    // The body is needed no more.
    const options = this.isKept ? { client, data: '' } : { client };
    const isOurs = await store.complete(this.#delivery.key, this.#token, memory, options);
    if (!isOurs) throw this.#lost();
    this.#isRecorded = client !== undefined;
  }

  /** Allows the next delivery to be handled immediately. The store keeps the data until then. */
  async release(data?: string): Promise<void> {
    await this.#options.store.release(this.#delivery.key, this.#token, { data });
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
    const askedAt = performance.now();
    const isOurs = await this.#options.store.renew(this.#delivery.key, this.#token, lease);
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
    const { event } = this.#delivery.reading;
    const name = event === undefined ? 'an unreadable delivery' : event.id;
    const problem = `expected the handler of ${name} to end within its lease of ${this.#lease} ms, but another delivery took over.`;
    const message = `webhooks: ${problem} Raise 'lease', or stop at context.signal.`;
    return new PaymentsError(message, { code: leaseLost });
  }
}

/** Whether another delivery took over. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof PaymentsError && error.code === leaseLost;
}

/** Claims a key. Releases a claim that the store grants after its time-out. */
export async function claimIn<Client>(
  store: WebhookStore<Client>,
  key: string,
  lease: number,
): Promise<ClaimResult> {
  try {
    return await store.claim(key, lease);
  } catch (error) {
    whenLate(error, ({ token }) => store.release(key, token));
    throw error;
  }
}

/** The reason of the aborted signal, like that of `AbortSignal.timeout`. */
function leaseEnds(lease: number, notice: number): DOMException {
  return new DOMException(
    `webhooks: the lease of ${lease} ms ends in ${notice} ms. Raise 'lease' or call context.extend() earlier.`,
    'TimeoutError',
  );
}
