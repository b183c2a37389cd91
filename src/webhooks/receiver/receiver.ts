import type { WebRequest, WebResponse } from '../../core/web-types.ts';
import type { WebhookBody } from '../events/payload.ts';
import type { DeliveryHeaders } from '../headers.ts';
import { checkReceiverOptions } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import { type FastifyScope, fastifyPlugin } from './fastify.ts';
import { answerFetch } from './fetch.ts';
import { type Handled, handleVerified, refused, type VerifiedDelivery } from './handling.ts';
import { answerNode, type NodeRequest, type NodeResponse } from './node.ts';
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

/** Where a route is mounted. */
export interface RouteOptions {
  /** The path of the route, such as `/webhooks`. */
  readonly path: string;
}

const thirtyDays = 30 * 24 * 60 * 60 * 1000;

/**
 * Handles each event once. Made by `webhooks.receiver()`.
 *
 * Its functions need no `this`: pass them on as they are.
 */
export class Receiver<Client = never> {
  readonly #reader: DeliveryReader;
  readonly #options: ReceiverOptions<Client> & { readonly lease: number; readonly retention: number };
  readonly #reply: ReplyMaker;
  readonly #endpoint: Endpoint;

  /** @internal */
  constructor(reader: DeliveryReader, options: ReceiverOptions<Client>) {
    checkReceiverOptions(options);
    this.#reader = reader;
    this.#options = {
      ...options,
      lease: options.lease ?? 60_000,
      retention: options.retention ?? thirtyDays,
    };
    this.#reply = replyMaker(options.statuses);
    this.#endpoint = {
      maxBodyBytes: reader.maxBodyBytes,
      handle: (body, headers) => this.handle({ body, headers }),
      refuse: (error) => this.#refuse(error),
    };
  }

  /**
   * What to answer to a delivery, for frameworks without a function of their own here. It never throws: what goes wrong
   * is in the reply, and told to `onError`.
   */
  readonly handle = async ({ body, headers }: Delivery): Promise<DeliveryReply> => {
    try {
      const verified = await this.#reader.open(body, headers);
      return this.#answer(await handleVerified(this.#options, verified));
    } catch (error) {
      return this.#refuse(error);
    }
  };

  /**
   * For everything that speaks `Request` and `Response`: Hono, Next.js, Workers, Bun, Deno.
   *
   * @example
   * app.post('/webhooks', (context) => receiver.fetch(context.req.raw)); // Hono
   * export const POST = receiver.fetch; // Next.js
   */
  readonly fetch = (request: WebRequest): Promise<WebResponse> => answerFetch(request, this.#endpoint);

  /**
   * For Node's `http`, and for Express: mount it before any body parser, or behind `express.raw()`.
   *
   * @example
   * http.createServer(receiver.node);
   * app.post('/webhooks', receiver.node); // Express
   */
  readonly node = (request: NodeRequest, response: NodeResponse): Promise<void> =>
    answerNode(request, response, this.#endpoint);

  /**
   * A plugin for Fastify: a POST route whose body is left raw; other routes keep their parsers.
   *
   * @example
   * await app.register(receiver.fastify({ path: '/webhooks' }));
   */
  readonly fastify = ({ path }: RouteOptions): ((scope: FastifyScope) => Promise<void>) =>
    fastifyPlugin(path, this.#endpoint);

  #answer({ outcome, details }: Handled): DeliveryReply {
    return this.#reply(outcome, details);
  }

  #refuse(error: unknown): DeliveryReply {
    return this.#answer(refused(this.#options, error));
  }
}
