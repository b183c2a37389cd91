import type { HonoRequest } from 'hono';
import type { RouteName } from 'payments-client';
import { isRecord } from '../base/json.ts';
import { type Forms, withTimestamps } from '../domain/forms.ts';
import { Problem } from '../domain/problem.ts';
import type { Reply } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import type { Answer, Turn } from './exchange.ts';
import { handlerFinder } from './handlers/all-handlers.ts';
import type { Call, Handler } from './handlers/handler.ts';
import { errorReply, jsonReply } from './reply.ts';
import { IdempotencyKeys, type Remember } from './request/idempotency.ts';
import { checkNames } from './request/parameter-names.ts';
import { authenticate, parseJsonBody, readText } from './request/request-body.ts';

/** Returns the kind of a result; `undefined` for a page, which has its own place in the body. */
function kindOf(result: object): string | undefined {
  return isRecord(result) && 'id' in result && typeof result['object'] === 'string'
    ? result['object']
    : undefined;
}

/** Returns the body of a deletion that does not return the object. */
function confirmation(result: object): object {
  return { id: Reflect.get(result, 'id'), deleted: true };
}

function resultReply(name: RouteName, result: object, forms: Forms): Reply {
  const isDeletion = name.endsWith('.delete');
  if (isDeletion && forms.deletion === 'empty') return { status: 204, headers: {}, body: '' };
  const shown =
    isDeletion && forms.deletion === 'confirmation' ? confirmation(result) : withTimestamps(result, forms);
  const kind = kindOf(result);
  if (kind === undefined || forms.objectPlace === 'whole') return jsonReply(200, shown);
  return jsonReply(200, { [forms.objectPlace === 'data' ? 'data' : kind]: shown });
}

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
      checkNames(name, call.body, forms.extraParameters.get(name)?.has);
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
