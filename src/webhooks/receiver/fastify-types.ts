import type { NodeBody, NodeRequest } from './node-types.ts';

/** What is needed of Fastify's request. */
export interface FastifyDelivery {
  /** Node's own request. */
  readonly raw: NodeRequest;
}

/** What is needed of Fastify's reply. */
export interface FastifyAnswer {
  /** Sets the status. */
  code(status: number): unknown;
  /** Sets headers. */
  headers(headers: Record<string, string>): unknown;
  /** Sends the body. */
  send(body: string): unknown;
}

/** What is needed of a Fastify instance. */
export interface FastifyScope {
  /** Forgets the parsers, within the plugin alone. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a parser. */
  addContentTypeParser(
    contentType: string,
    parser: (request: FastifyDelivery, payload: NodeBody) => Promise<void>,
  ): unknown;
  /** Adds a route for all verbs. */
  all(path: string, handler: (request: FastifyDelivery, reply: FastifyAnswer) => Promise<unknown>): unknown;
}
