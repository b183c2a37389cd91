import type { HonoRequest } from 'hono';
import type { RouteName } from '../../resources/routes.ts';
import { Problem } from '../domain/problem.ts';
import type { Reply } from '../domain/records/reply.ts';
import type { State } from '../domain/state.ts';
import type { Answer, Turn } from './exchange.ts';
import { handlerFinder } from './handlers/all-handlers.ts';
import type { Call, Handler } from './handlers/handler.ts';
import { errorReply } from './reply/error-shape.ts';
import { resultReply } from './reply/result-reply.ts';
import { authenticate } from './request/authenticate.ts';
import { IdempotencyKeys, type Remember } from './request/idempotency.ts';
import { parseJsonBody } from './request/json-body.ts';
import { readText } from './request/request-body.ts';

/** The JSON interface under `/v1`: authentication, parameters, idempotency, then the handler. */
export class ResourceApi {
  readonly #secretKey: string;
  readonly #handlerOf: (name: RouteName) => Handler;
  readonly #state: State;
  readonly #keys: IdempotencyKeys;

  constructor(state: State, secretKey: string) {
    this.#secretKey = secretKey;
    this.#state = state;
    this.#keys = new IdempotencyKeys(state);
    this.#handlerOf = handlerFinder(state);
  }

  /** Answers a request for one of the routes. */
  async answer(name: RouteName, request: HonoRequest, turn: Turn): Promise<Answer> {
    authenticate(request.header('authorization'), [this.#secretKey]);
    const text = await readText(request.raw);
    turn.received(() => text);
    const body = parseJsonBody(text, request.header('content-type'));
    const { searchParams: query } = new URL(request.url);
    const call = { id: request.param('id') ?? '', query, body };
    const run = async (remember: Remember): Promise<Reply> => {
      await turn.proceed();
      const work = () => {
        const reply = this.#handle(name, call);
        remember(reply);
        return reply;
      };
      return this.#state.unit(work, { cause: turn.requestId });
    };

    const key = request.method === 'POST' ? request.header('idempotency-key') : undefined;
    if (key === undefined) return { reply: await run(() => {}), replayed: false };
    const endpoint = `${request.method} ${request.path}`;
    return this.#keys.once({ key, endpoint, body: text }, run);
  }

  /** Returns a refusal as a reply. Changes before it, such as a declined attempt, stay committed. */
  #handle(name: RouteName, call: Call): Reply {
    const { forms } = this.#state.settings;
    try {
      return resultReply(name, this.#handlerOf(name)(call), forms);
    } catch (error) {
      if (error instanceof Problem) return errorReply(error, forms.errorShape);
      throw error;
    }
  }

  /**
   * Rejects an unknown path. Under `/v1`, it authenticates first.
   *
   * @throws Problem in every case.
   */
  refuse(request: HonoRequest): never {
    if (/^\/v1(?:\/|$)/.test(request.path)) authenticate(request.header('authorization'), [this.#secretKey]);
    throw new Problem(404, 'ROUTE_NOT_FOUND', `There is no ${request.method} ${request.path}.`);
  }
}
