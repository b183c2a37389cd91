import { isolate } from '../../base/isolate.ts';
import { isRecord } from '../../base/json.ts';
import { day, minute, second } from '../../base/time.ts';
import type { WebRequest, WebResponse } from '../../base/web-types.ts';
import { WebhookVerificationError } from '../verification-error.ts';
import { frameworkOf } from './caller.ts';
import { checkReceiverOptions } from './checks.ts';
import type { Delivery } from './delivery.ts';
import type { Endpoint } from './endpoint.ts';
import { fastifyPlugin, isForFastify, type RouteOptions } from './fastify.ts';
import type { FastifyScope } from './fastify-types.ts';
import { answerFetch, isForFetch } from './fetch.ts';
import { guard, guardAsync } from './guard.ts';
import { type Handled, handleVerified, type VerifiedDelivery } from './handling.ts';
import { answerNode, isForNode } from './node.ts';
import type { NodeRequest, NodeResponse } from './node-types.ts';
import type { ActiveOptions, ReceiverOptions } from './options.ts';
import { type DeliveryReply, type ReplyMaker, replyMaker } from './reply.ts';
import type { DeliveryReport } from './report.ts';
import { reportDelivery, reportFailure, reportLoneFailure } from './reports.ts';

/** Verifies deliveries and reads the events in them. */
export interface DeliveryReader {
  readonly maxBodyBytes: number;
  /** @throws WebhookVerificationError for a delivery that is not verified. */
  open(delivery: Delivery): Promise<VerifiedDelivery>;
}

/** A delivery's reply, and what its watchers learn of it. */
interface Answered {
  readonly reply: DeliveryReply;
  readonly report: DeliveryReport;
}

function isDelivery(given: unknown[]): given is [Delivery] {
  const [delivery] = given;
  if (!isRecord(delivery) || frameworkOf(given) !== undefined) return false;
  return 'body' in delivery && isRecord(delivery['headers']);
}

/**
 * Handles each event once. Made by `webhooks.receiver()`.
 *
 * Its functions need no `this`: pass them on as they are. One that is mounted where another belongs answers 500 and tells
 * `onError` how to mount the receiver; where it has nothing to answer, it throws a `ConfigurationError`.
 */
export class Receiver<Client = never> {
  readonly #reader: DeliveryReader;
  readonly #options: ActiveOptions<Client>;
  readonly #reply: ReplyMaker;
  readonly #endpoint: Endpoint;

  /** @internal */
  constructor(reader: DeliveryReader, options: ReceiverOptions<Client>) {
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
      refuse: (error) => {
        const answered = this.#refuse(error, performance.now());
        void this.#instrumented(async () => answered);
        return answered.reply;
      },
    };
  }

  /**
   * What to answer to a delivery, for frameworks without a function of their own here. What goes wrong with a delivery is
   * in the reply, and told to `onError`; it rejects only where it was given no delivery.
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
   * For everything that speaks `Request` and `Response`: Hono, Next.js, Workers, Bun, Deno.
   *
   * @example
   * app.post('/webhooks', (context) => receiver.fetch(context.req.raw)); // Hono
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
   * For Node's `http`, and for Express: mount it before any body parser, or behind `express.raw()`.
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
   * A plugin for Fastify: a POST route whose body is left raw; other routes keep their parsers. It is no handler itself.
   *
   * @throws ConfigurationError for a path that does not begin with `/`, or another option.
   *
   * @example
   * await app.register(receiver.fastify({ path: '/webhooks' }));
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

  async #handle(delivery: Delivery): Promise<DeliveryReply> {
    return (await this.#instrumented(() => this.#receive(delivery))).reply;
  }

  /** Handles a delivery once, whatever the instrument does. */
  #instrumented(handle: () => Promise<Answered>): Promise<Answered> {
    const { instrument } = this.#options;
    if (instrument === undefined) return handle();
    let answered: Promise<Answered> | undefined;
    const once = () => (answered ??= handle());
    isolate(() => instrument(async () => (await once()).report));
    return once();
  }

  async #receive(delivery: Delivery): Promise<Answered> {
    const since = performance.now();
    let verified: VerifiedDelivery;
    try {
      verified = await this.#reader.open(delivery);
    } catch (error) {
      return this.#refuse(error, since);
    }
    return this.#answer(await handleVerified(this.#options, verified), since, verified);
  }

  /** Answers a delivery that was not verified. */
  #refuse(error: unknown, since: number): Answered {
    const isRefusal = error instanceof WebhookVerificationError;
    const outcome = isRefusal ? 'refused' : 'failed';
    reportFailure(this.#options, 'receiver', { error, outcome, event: undefined });
    const details = isRefusal ? { details: { reason: error.reason } } : { error };
    return this.#answer({ outcome, ...details }, since);
  }

  #answer(
    { outcome, details, attempt, error }: Handled,
    since: number,
    verified?: VerifiedDelivery,
  ): Answered {
    const reply = this.#reply(outcome, details);
    const event = verified?.reading.event;
    const report: DeliveryReport = {
      outcome,
      source: 'request',
      status: reply.status,
      duration: performance.now() - since,
      consumer: this.#options.consumer,
      verified: verified !== undefined,
      reason: details?.reason,
      error,
      scope: verified?.scope,
      eventId: event?.id,
      type: event?.type,
      attempt,
      issues: verified?.reading.issues ?? [],
    };
    reportDelivery(this.#options, report);
    return { reply, report };
  }

  #reportMisuse(error: unknown): void {
    reportLoneFailure(this.#options, 'receiver', { error, outcome: 'failed', event: undefined });
  }
}
