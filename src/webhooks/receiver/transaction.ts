import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { maxTimer } from '../../base/numbers.ts';
import { second } from '../../base/time.ts';
import { inTime, storeTimedOut } from '../../stores/in-time.ts';
import type { ClaimResult } from '../../stores/store.ts';
import type { WebhookEvent } from '../events/event.ts';
import { contextOf, type ReadDelivery } from './delivery.ts';
import type { EventHandler, TransactionContext } from './handlers.ts';
import { keepRolledBack } from './inline.ts';
import type { ActiveOptions, TransactionReceiverOptions } from './options.ts';
import { failed, type Handled, notClaimed } from './reports/outcome.ts';

/** The options of a receiver whose handlers run in a transaction. */
type ActiveTransactionOptions<Client> = ActiveOptions<Client> & TransactionReceiverOptions<Client>;

function neverRun(): ConfigurationError {
  const issue = {
    path: 'transaction',
    expected: 'a call of the function passed to it',
    received: 'none',
  };
  return configurationError(
    [issue],
    'Run the function in a transaction that you return or await, and commit when it is done.',
  );
}

/** How long to wait for a free connection of the pool and the start of a transaction, in ms. */
const startTimeout = 3 * second;

/** How much longer than its handler a transaction may be idle, in ms: a handler that obeys its signal ends it by itself. */
const timeToStop = second;

/** The reason of the aborted signal, like that of `AbortSignal.timeout`. */
function leaseIsOver(lease: number): DOMException {
  const message = `webhooks: the handler has run for its lease of ${lease} ms. Raise 'lease', or make the handler shorter.`;
  return new DOMException(message, 'TimeoutError');
}

/** Records an event and runs its handler in one transaction. */
class Recording<Client> {
  /** The store's answer to the claim. */
  readonly recorded: Promise<ClaimResult>;
  claim: ClaimResult | undefined;
  handlerError: { readonly error: unknown } | undefined;
  readonly #options: ActiveTransactionOptions<Client>;
  readonly #delivery: ReadDelivery;
  readonly #event: WebhookEvent;
  readonly #handler: EventHandler<TransactionContext<Client>>;
  #resolve = (_claim: ClaimResult) => {};
  #isAbandoned = false;

  constructor(
    options: ActiveTransactionOptions<Client>,
    delivery: ReadDelivery,
    event: WebhookEvent,
    handler: EventHandler<TransactionContext<Client>>,
  ) {
    this.#options = options;
    this.#delivery = delivery;
    this.#event = event;
    this.#handler = handler;
    this.recorded = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Stops waiting: a transaction that starts later rolls back. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  async run(client: Client): Promise<void> {
    const { store, lease, memory } = this.#options;
    this.handlerError = undefined;
    if (this.#isAbandoned) throw storeTimedOut(startTimeout);
    const idleTime = Math.min(lease + timeToStop, maxTimer);
    const claim = await store.record(this.#delivery.key, memory, { client, lease: idleTime });
    if (this.#isAbandoned) throw storeTimedOut(startTimeout);
    this.claim = claim;
    this.#resolve(claim);
    if (claim.status !== 'claimed') return;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(leaseIsOver(lease)), lease);
    try {
      const context = { ...contextOf(this.#delivery), client, signal: controller.signal };
      // Called as a method, it would get this object as its `this`.
      const handler = this.#handler;
      await handler(this.#event, context);
    } catch (error) {
      this.handlerError = { error };
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function rolledBack<Client>(
  options: ActiveTransactionOptions<Client>,
  delivery: ReadDelivery,
  part: 'handler' | 'store',
  error: unknown,
): Promise<Handled> {
  const attempt = await keepRolledBack(options, delivery, error);
  return {
    ...failed(options, part, error, delivery.reading.event),
    ...(attempt !== undefined && { attempt }),
  };
}

/** Handles an event in a transaction: its record and its effect commit together. */
export async function handleInTransaction<Client>(
  options: ActiveTransactionOptions<Client>,
  delivery: ReadDelivery,
  event: WebhookEvent,
  handler: EventHandler<TransactionContext<Client>>,
): Promise<Handled> {
  const recording = new Recording(options, delivery, event, handler);
  const transaction = (async () => options.transaction((client) => recording.run(client)))();
  // The race below reports its failure, unless it has already timed out.
  transaction.catch(() => undefined);
  let failure: { readonly error: unknown } | undefined;
  try {
    // Bounds the wait for a free connection of the pool, or for another delivery of the event.
    await inTime(Promise.race([recording.recorded, transaction]), startTimeout);
    await transaction;
  } catch (error) {
    recording.abandon();
    failure = { error };
  }
  const { claim, handlerError } = recording;
  // A transaction that hides the handler's error still rolled back.
  if (handlerError !== undefined) return rolledBack(options, delivery, 'handler', handlerError.error);
  if (failure !== undefined) {
    // With the claim, the handler succeeded, and the commit failed.
    return claim?.status === 'claimed'
      ? rolledBack(options, delivery, 'store', failure.error)
      : failed(options, 'store', failure.error, event);
  }
  if (claim === undefined) return failed(options, 'receiver', neverRun(), event);
  return claim.status === 'claimed' ? { outcome: 'handled', attempt: claim.attempt } : notClaimed(claim);
}
