import { checkOptions } from '../../base/check-options.ts';
import type { Inline } from '../../base/inline.ts';
import { isRecord } from '../../base/json.ts';
import { optionsOf } from '../../base/options.ts';
import * as s from '../../base/schema.ts';
import { frameworkOf } from './caller.ts';
import { type Answer, type Endpoint, methodNotAllowed } from './endpoint.ts';
import type { FastifyScope } from './fastify-types.ts';
import { answerTo, type TakenBody, takeBody } from './node.ts';
import type { NodeBody, NodeRequest } from './node-types.ts';

/** Options of the route. */
export type RouteOptions = Inline<{
  /** The path of the route, such as `/webhooks`. */
  readonly path: string;
}>;

const advice = 'Make sure that no Fastify hook reads the body of this route.';

/** Holds the bodies of requests from the parser, which must read them at once, until the handler answers. */
class Bodies {
  readonly #endpoint: Endpoint;
  readonly #taken = new WeakMap<NodeRequest, Promise<TakenBody>>();

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** @param stream Node's request, or the stream that a hook of the application replaced it with. */
  take(request: NodeRequest, stream: NodeBody): Promise<TakenBody> {
    const taking = takeBody({ request, stream, advice }, this.#endpoint.maxBodyBytes);
    this.#taken.set(request, taking);
    return taking;
  }

  async answer(request: NodeRequest): Promise<Answer> {
    if (request.method !== 'POST') return methodNotAllowed;
    // Fastify calls no parser for a request without a body.
    const taken = await (this.#taken.get(request) ?? this.take(request, request));
    return answerTo(request, taken, this.#endpoint);
  }
}

/** Returns whether `receiver.fastify` was called with options, not mounted as a handler or a plugin. */
export function isForFastify(given: unknown[]): given is [RouteOptions] {
  return isRecord(given[0]) && frameworkOf(given) === undefined;
}

const path = s.lazily(() =>
  s
    .string("a path that begins with '/'")
    .check(s.refine((text) => text.startsWith('/'), "a path that begins with '/'")),
);
const optionsSchema = optionsOf<RouteOptions>(() => ({ path }));
const mountAdvice = "No event is handled until this is right: receiver.fastify({ path: '/webhooks' }).";

/**
 * Returns a plugin with one route. Fastify encapsulates a plugin's changes, so other routes keep their parsers.
 *
 * @throws ConfigurationError for an invalid path or an unknown option.
 */
export function fastifyPlugin(
  options: RouteOptions,
  endpoint: Endpoint,
): (scope: FastifyScope) => Promise<void> {
  checkOptions('receiver.fastify', optionsSchema, options, mountAdvice);
  const { path } = options;
  return async (scope) => {
    const bodies = new Bodies(endpoint);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async ({ raw }, payload) => {
      // The handler awaits it.
      if (raw.method === 'POST') void bodies.take(raw, payload);
    });
    scope.all(path, async ({ raw }, reply) => {
      const { status, headers, body } = await bodies.answer(raw);
      reply.code(status);
      reply.headers({ ...headers });
      return reply.send(body);
    });
  };
}
