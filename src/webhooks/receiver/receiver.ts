import { isRecord } from '../../base/json.ts';
import { day, minute } from '../../base/time.ts';
import type { WebRequest, WebResponse } from '../../base/web-types.ts';
import type { WebhookBody } from '../events/payload.ts';
import type { DeliveryHeaders } from '../headers.ts';
import { frameworkOf } from './caller.ts';
import { checkReceiverOptions } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import { fastifyPlugin, isForFastify, type RouteOptions } from './fastify.ts';
import type { FastifyScope } from './fastify-types.ts';
import { answerFetch, isForFetch } from './fetch.ts';
import { guard, guardAsync } from './guard.ts';
import { type Handled, handleVerified, refused, report, type VerifiedDelivery } from './handling.ts';
import { answerNode, isForNode } from './node.ts';
import type { NodeRequest, NodeResponse } from './node-types.ts';
import type { ReceiverOptions } from './options.ts';
import { type DeliveryReply, type ReplyMaker, replyMaker } from './reply.ts';

/** Verifies deliveries and reads the events in them. */
export interface DeliveryReader {
  readonly maxBodyBytes: number;
  open(rawBody: WebhookBody, headers: DeliveryHeaders): Promise<VerifiedDelivery>;
}

/** A delivery as a framework gives it. */
export interface Delivery {
  /** The body as it came, byte for byte. */
  readonly body: WebhookBody;
  /** The request's headers. */
  readonly headers: DeliveryHeaders;
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
  readonly #options: ReceiverOptions<Client> & { readonly lease: number; readonly retention: number };
  readonly #reply: ReplyMaker;
  readonly #endpoint: Endpoint;

  /** @internal */
  constructor(reader: DeliveryReader, options: ReceiverOptions<Client>) {
    checkReceiverOptions(Object(options));
    this.#reader = reader;
    this.#options = {
      ...options,
      lease: options.lease ?? minute,
      retention: options.retention ?? 30 * day,
    };
    this.#reply = replyMaker(options.statuses);
    this.#endpoint = {
      maxBodyBytes: reader.maxBodyBytes,
      handle: (body, headers) => this.#handle({ body, headers }),
      refuse: (error) => this.#refuse(error),
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

  async #handle({ body, headers }: Delivery): Promise<DeliveryReply> {
    try {
      const verified = await this.#reader.open(body, headers);
      return this.#answer(await handleVerified(this.#options, verified));
    } catch (error) {
      return this.#refuse(error);
    }
  }

  #answer({ outcome, details }: Handled): DeliveryReply {
    return this.#reply(outcome, details);
  }

  #refuse(error: unknown): DeliveryReply {
    return this.#answer(refused(this.#options, error));
  }

  #reportMisuse(error: unknown): void {
    report(this.#options, 'receiver', { error, outcome: 'failed', event: undefined });
  }
}
