import { isRecord } from '../../base/json.ts';
import { day, minute, second } from '../../base/time.ts';
import type { WebRequest, WebResponse } from '../../base/web-types.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { EventReading } from '../events/parse.ts';
import type { RawBody } from '../signatures/scheme.ts';
import { WebhookVerificationError } from '../verification-error.ts';
import { frameworkOf } from './caller.ts';
import { checkReceiverOptions } from './checks.ts';
import type { Delivery } from './delivery.ts';
import { type DispatchOutcome, settleDispatch } from './dispatch.ts';
import type { Endpoint } from './endpoint.ts';
import { fastifyPlugin, isForFastify, type RouteOptions } from './fastify.ts';
import type { FastifyScope } from './fastify-types.ts';
import { answerFetch, isForFetch } from './fetch.ts';
import { guard, guardAsync } from './guard.ts';
import { handOff } from './hand-off.ts';
import type { Handled, VerifiedBody } from './handled.ts';
import { handleDelivery } from './handling.ts';
import { isJob, type WebhookJob } from './job.ts';
import { answerNode, isForNode } from './node.ts';
import type { NodeRequest, NodeResponse } from './node-types.ts';
import { type Observe, observer } from './observe.ts';
import type { ActiveOptions, AnyReceiverOptions } from './options.ts';
import { type DeliveryReply, type ReplyMaker, replyMaker } from './reply.ts';
import { reportFailure, reportLoneFailure } from './reports.ts';

/** Verifies deliveries and reads their events. */
export interface DeliveryReader {
  readonly maxBodyBytes: number;
  /** @throws WebhookVerificationError for a delivery that fails verification. */
  open(delivery: Delivery): Promise<VerifiedBody>;
  /** Reads the event from a verified body. */
  read(rawBody: RawBody): EventReading;
}

/** Options of `receiver.dispatch`. */
type DispatchOptions = {
  /** The scope of the event's delivery: part of its key. Default: none. */
  readonly scope?: string | undefined;
};

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
  readonly #reader: DeliveryReader;
  readonly #options: ActiveOptions<Client>;
  readonly #reply: ReplyMaker;
  readonly #endpoint: Endpoint;
  readonly #observe: Observe;

  /** @internal */
  constructor(reader: DeliveryReader, options: AnyReceiverOptions<Client>) {
    checkReceiverOptions(Object(options));
    this.#reader = reader;
    this.#options = {
      ...options,
      consumer: options.consumer ?? 'default',
      lease: options.lease ?? minute,
      retention: options.retention ?? 30 * day,
      storeTimeout: options.storeTimeout ?? 3 * second,
    };
    this.#reply = replyMaker(options.statuses);
    this.#endpoint = {
      maxBodyBytes: reader.maxBodyBytes,
      handle: (delivery) => this.#handle(delivery),
      refuse: (error) => this.#refuse(error),
    };
    this.#observe = observer(this.#options);
  }

  /**
   * Returns the response to a delivery, for frameworks without an adapter here. A failed delivery is described in the
   * response and to `onError`. The promise rejects only if the argument is not a delivery.
   */
  readonly handle: (delivery: Delivery) => Promise<DeliveryReply> = guardAsync(
    {
      name: 'receiver.handle',
      expected: '{ body, headers }',
      fits: isDelivery,
      run: (delivery) => this.#handle(delivery),
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
  readonly fetch: (request: WebRequest) => Promise<WebResponse> = guardAsync(
    {
      name: 'receiver.fetch',
      expected: 'a Request',
      fits: isForFetch,
      run: (request) => answerFetch(request, this.#endpoint),
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
  readonly node: (request: NodeRequest, response: NodeResponse) => Promise<void> = guardAsync(
    {
      name: 'receiver.node',
      expected: 'a Node request and its response',
      fits: isForNode,
      run: (request, response) => answerNode(request, response, this.#endpoint),
    },
    (error) => this.#reportMisuse(error),
  );

  /**
   * Returns a Fastify plugin with a POST route whose body stays raw; other routes keep their parsers. It is not a
   * handler itself.
   *
   * @throws ConfigurationError for a path that does not start with `/`, or an unknown option.
   *
   * @example
   * await fastify.register(receiver.fastify({ path: '/webhooks' }));
   */
  readonly fastify: (options: RouteOptions) => (scope: FastifyScope) => Promise<void> = guard(
    {
      name: 'receiver.fastify',
      expected: '{ path }',
      fits: isForFastify,
      run: (options) => fastifyPlugin(options, this.#endpoint),
    },
    (error) => this.#reportMisuse(error),
  );

  /**
   * Handles a job of `enqueue` once, under the key of its event, however often the queue delivers it. Call it from the queue's worker. An
   * event, or its parsed JSON, is taken too.
   *
   * @returns The outcome.
   * @throws The error of the handler or the store, so that the queue retries. `onError` receives it too.
   * @throws PaymentsError `WEBHOOK_IN_PROGRESS` when another process is handling the event.
   * @throws WebhookVerificationError `invalid_payload` when the value is not an event, or has the other mode.
   * @throws ConfigurationError for anything but an object, such as JSON text.
   *
   * @example
   * new Worker('webhooks', ({ data }) => receiver.dispatch(data)); // BullMQ
   */
  readonly dispatch: (
    given: WebhookEvent | WebhookJob,
    options?: DispatchOptions,
  ) => Promise<DispatchOutcome> = guardAsync(
    {
      name: 'receiver.dispatch',
      expected: 'a job or an event',
      fits: isForDispatch,
      run: (given, options) => this.#dispatch(given, options),
    },
    (error) => this.#reportMisuse(error),
  );

  async #dispatch(given: WebhookEvent | WebhookJob, options: DispatchOptions = {}): Promise<DispatchOutcome> {
    const { body: rawBody, scope } = isJob(given) ? given : { body: JSON.stringify(given), ...options };
    const delivery = { rawBody, headers: {}, scope, reading: this.#reader.read(rawBody) };
    const handled = await this.#observe('dispatch', async () => ({
      handled: await handleDelivery(this.#options, delivery),
      delivery,
    }));
    return settleDispatch(handled, delivery);
  }

  async #handle(delivery: Delivery): Promise<DeliveryReply> {
    return this.#answer(
      await this.#observe('request', async () => {
        let verified: VerifiedBody;
        try {
          verified = await this.#reader.open(delivery);
        } catch (error) {
          return { handled: this.#refused(error), delivery: undefined };
        }
        const { enqueue } = this.#options;
        if (enqueue !== undefined) {
          return { handled: await handOff(this.#options, enqueue, verified), delivery: verified };
        }
        const read = { ...verified, reading: this.#reader.read(verified.rawBody) };
        return { handled: await handleDelivery(this.#options, read), delivery: read };
      }),
    );
  }

  /** Replies to a delivery that failed verification. */
  async #refuse(error: unknown): Promise<DeliveryReply> {
    return this.#answer(
      await this.#observe('request', async () => ({ handled: this.#refused(error), delivery: undefined })),
    );
  }

  #refused(error: unknown): Handled {
    const isRefusal = error instanceof WebhookVerificationError;
    const outcome = isRefusal ? 'refused' : 'failed';
    reportFailure(this.#options, 'receiver', { error, outcome, event: undefined });
    return isRefusal ? { outcome, error, details: { reason: error.reason } } : { outcome, error };
  }

  #answer({ outcome, details }: Handled): DeliveryReply {
    return this.#reply(outcome, details);
  }

  #reportMisuse(error: unknown): void {
    reportLoneFailure(this.#options, 'receiver', { error, outcome: 'failed', event: undefined });
  }
}
