import type { NodeBody, NodeRequest } from './node-types.ts';

/** The part of Fastify's request that the receiver uses. */
export type FastifyDelivery = {
  /** Node's own request. */
  readonly raw: NodeRequest;
};

/** The part of Fastify's reply that the receiver uses. */
export type FastifyAnswer = {
  /** Sets the status. */
  code(status: number): unknown;
  /** Sets headers. */
  headers(headers: Record<string, string>): unknown;
  /** Sends the body. */
  send(body: string): unknown;
};

/** The part of a Fastify instance that the receiver uses. */
export type FastifyScope = {
  /** Removes the parsers within this plugin only. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a parser. */
  addContentTypeParser(
    contentType: string,
    parser: (request: FastifyDelivery, payload: NodeBody) => Promise<void>,
  ): unknown;
  /** Adds a route for all verbs. */
  all(path: string, handler: (request: FastifyDelivery, reply: FastifyAnswer) => Promise<unknown>): unknown;
};
