import { isRecord } from '../../base/json.ts';
import type { Inline, WebRequest, WebResponse } from '../../base/runtime/runtime.ts';
import { type DrainOptions, drainTime, Work } from '../../base/work.ts';
import { type Backlog, backlogOf } from '../../stores/backlog.ts';
import type { Delivery } from '../authenticate.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { ActiveWebhooksOptions } from '../options.ts';
import { frameworkOf } from './adapters/caller.ts';
import { isForFetch, readFetch, toResponse } from './adapters/fetch.ts';
import { guard } from './adapters/guard.ts';
import { isForNode, type NodeRequest, type NodeResponse, readNode, sendNode } from './adapters/node.ts';
import { type AdapterReply, methodNotAllowed, type ReadRequest } from './adapters/request.ts';
import { deliverySpace } from './delivery.ts';
import { discardFailed, type FailedDelivery, isOwn, listFailed } from './failed.ts';
import { isJob, receivedIn, type WebhookJob } from './job.ts';
import { type ActiveOptions, type AnyReceiverOptions, activeOptions } from './options.ts';
import { type Received, receive } from './receive.ts';
import {
  type DeliveryProgress,
  type DeliveryReply,
  type DispatchOutcome,
  type Handled,
  replyTo,
  settleDispatch,
} from './reports/outcome.ts';
import { reportLoneFailure } from './reports/reports.ts';

/** Options of `receiver.dispatch`. */
type DispatchOptions = {
  /** The scope of the event's delivery: part of its key. Default: none. A job has its own. */
  readonly scope?: string | undefined;
};

/** A delivery that `receiver.drain` has not waited for. */
type UnfinishedDelivery = Inline<{
  /** The event's id; `undefined` until it is read, and for a body that no handler can read. */
  readonly eventId: string | undefined;
  /** The event's type; `undefined` as the id. */
  readonly type: string | undefined;
}>;

function isDelivery(given: unknown[]): given is [Delivery] {
  const [delivery] = given;
  if (!isRecord(delivery) || frameworkOf(given) !== undefined) return false;
  return 'body' in delivery && isRecord(delivery['headers']);
}

function isForDispatch(
  given: unknown[],
): given is [given: WebhookEvent | WebhookJob, options?: DispatchOptions] {
  const [event, options] = given;
  if (!isRecord(event) || frameworkOf(given) !== undefined) return false;
  return options === undefined || isRecord(options);
}

/**
 * Handles each event once. Created by `webhooks.receiver()`.
 *
 * Its functions need no `this`: pass them without binding. A function mounted in the wrong framework responds with 500, and
 * `onError` gets an error that says how to mount the receiver. If there is no request to respond to, it throws a
 * `ConfigurationError`.
 */
export class Receiver<Client = never> {
  readonly #options: ActiveOptions<Client>;
  readonly #work = new Work<DeliveryProgress>();

  /** @internal */
  constructor(ofWebhooks: ActiveWebhooksOptions, options: AnyReceiverOptions<Client>) {
    this.#options = activeOptions(options, ofWebhooks);
  }

  /**
   * Returns the response to a delivery, for frameworks without an adapter here. A failed delivery is described in the
   * response and to `onError`. The promise rejects only if the argument is not a delivery.
   */
  readonly handle: (delivery: Delivery) => Promise<DeliveryReply> = guard(
    {
      name: 'receiver.handle',
      expected: '{ body, headers }',
      fits: isDelivery,
      run: (delivery) => this.#handle({ delivery }),
    },
    (error) => this.#reportMisuse(error),
  );

  /**
   * Handles a `Request` and returns a `Response`: for Hono, Next.js, Workers, Bun and Deno.
   *
   * @example
   * hono.post('/webhooks', (context) => receiver.fetch(context.req.raw));
   * export const POST = receiver.fetch; // Next.js
   */
  readonly fetch: (request: WebRequest) => Promise<WebResponse> = guard(
    {
      name: 'receiver.fetch',
      expected: 'a Request',
      fits: isForFetch,
      run: async (request) => {
        const read = await readFetch(request, this.#options.maxBodyBytes);
        return toResponse(await this.#answer(read));
      },
    },
    (error) => this.#reportMisuse(error),
  );

  /**
   * Handles a request of Node's `http` or Express: mount it before any body parser, or after `express.raw()`.
   *
   * @example
   * http.createServer(receiver.node);
   * app.post('/webhooks', receiver.node); // Express
   */
  readonly node: (request: NodeRequest, response: NodeResponse) => Promise<void> = guard(
    {
      name: 'receiver.node',
      expected: 'a Node request and its response',
      fits: isForNode,
      run: async (request, response) => {
        const read = await readNode(request, this.#options.maxBodyBytes);
        const isCutOff = read !== undefined && 'isCutOff' in read && read.isCutOff === true;
        sendNode(request, response, await this.#answer(read), isCutOff);
      },
    },
    (error) => this.#reportMisuse(error),
  );

  /**
   * Handles a job of `enqueue` once, under the key of its event, however often the queue delivers it. Call it from the queue's
   * worker. Takes a delivery of `failed()` too, and an event or its parsed JSON.
   *
   * @returns The outcome; `kept` for an event without a handler if `unhandled` is `keep`.
   * @throws The error of the handler or the store, so that the queue retries. `onError` receives it too.
   * @throws PaymentsError `WEBHOOK_IN_PROGRESS` when another process is handling the event; `WEBHOOK_DRAINING` after `drain`.
   * @throws WebhookVerificationError `invalid_payload` when the value is not an event, or has the other mode; `too_old` for a job whose
   *   event was older than `retention` when it was received, if the scheme signs no time. An event itself is handled at any age; `discard`
   *   then ends a kept delivery of it.
   * @throws ConfigurationError for anything but an object, such as JSON text.
   *
   * @example
   * new Worker('webhooks', ({ data }) => receiver.dispatch(data)); // BullMQ
   */
  readonly dispatch: (
    given: WebhookEvent | WebhookJob,
    options?: DispatchOptions,
  ) => Promise<DispatchOutcome> = guard(
    {
      name: 'receiver.dispatch',
      expected: 'a job or an event',
      fits: isForDispatch,
      run: (given, options) => this.#dispatch(given, options),
    },
    (error) => this.#reportMisuse(error),
  );

  /**
   * Lists the deliveries that failed or had no handler, oldest first, without those that a process is handling; one that is handled in a
   * `transaction` is listed until that commits. The store keeps the body of a request whose handler failed, or that no handler
   * can read, until it is handled or discarded. It keeps none that failed in the worker of a queue, which keeps its jobs itself. With
   * `unhandled: 'keep'` it keeps each event without a handler too. Throws what the store throws.
   *
   * @example
   * for await (const one of receiver.failed()) await receiver.dispatch(one).catch(() => {});
   */
  failed(): AsyncGenerator<FailedDelivery, void, undefined> {
    return listFailed(this.#options);
  }

  /** The consumer of its options: metrics and the keys of its deliveries have it. */
  get consumer(): string {
    return this.#options.consumer;
  }

  /**
   * Counts the failed deliveries that the store keeps, for your metrics, with those that are being handled again. Throws what the
   * store throws.
   */
  backlog(): Promise<Backlog> {
    return backlogOf(this.#options.store, [deliverySpace(this.#options.consumer)]);
  }

  /**
   * Ends a failed delivery without handling it: a later delivery of its event is a `duplicate`. Does nothing if the store no
   * longer keeps it. Throws what the store throws.
   *
   * @param id The `id` of a delivery of `failed()`.
   * @throws ConfigurationError for the id of anything else.
   * @throws PaymentsError `WEBHOOK_IN_PROGRESS` when another process is handling it.
   */
  discard(id: string): Promise<void> {
    return discardFailed(this.#options, id);
  }

  /**
   * Stops this receiver, for example on SIGTERM. A new delivery gets a 503, a new `dispatch` throws `WEBHOOK_DRAINING`, and deliveries in progress
   * may take until `timeout` (10 s by default). Close the stores afterwards.
   *
   * @returns The deliveries that are still being handled. Each keeps its lease, so that no other process handles its event beside this one; after
   *   the lease the next delivery does.
   * @throws ConfigurationError for a wrong or unknown option; the receiver goes on.
   *
   * @example
   * const unfinished = await receiver.drain({ timeout: 20_000 });
   * if (unfinished.length > 0) console.warn(unfinished);
   */
  async drain(options: DrainOptions = {}): Promise<readonly UnfinishedDelivery[]> {
    const rest = await this.#work.close(drainTime('receiver.drain', options));
    return rest.map(({ reading }) => ({ eventId: reading?.event?.id, type: reading?.event?.type }));
  }

  async #dispatch(given: WebhookEvent | WebhookJob, options: DispatchOptions = {}): Promise<DispatchOutcome> {
    const dispatched = isJob(given)
      ? receivedIn(given)
      : { rawBody: JSON.stringify(given), scope: options.scope, receivedAt: undefined };
    const progress: DeliveryProgress = { source: 'dispatch' };
    const handled = await this.#receive({ dispatched }, progress);
    const outcome = settleDispatch(handled, progress.reading?.event?.id);
    // A body that no handler could read has another key than the event that a later version found in it.
    if (outcome !== 'kept' && isJob(given) && 'id' in given && isOwn(this.#options, given.id))
      await this.discard(given.id);
    return outcome;
  }

  async #handle(received: Received): Promise<DeliveryReply> {
    return replyTo(await this.#receive(received, { source: 'request' }));
  }

  async #receive(received: Received, progress: DeliveryProgress): Promise<Handled> {
    const isInTime = this.#work.begin(progress);
    try {
      return await receive(this.#options, isInTime ? received : { isLate: true }, progress);
    } finally {
      this.#work.end(progress);
    }
  }

  async #answer(read: ReadRequest): Promise<AdapterReply> {
    return read === undefined ? methodNotAllowed : this.#handle(read);
  }

  #reportMisuse(error: unknown): void {
    reportLoneFailure(this.#options, 'receiver', { error, outcome: 'failed', event: undefined });
  }
}
