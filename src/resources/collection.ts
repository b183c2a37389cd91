import { type InvalidRequestError, invalidRequest } from '../base/errors.ts';
import { describeValue, type Issue } from '../base/issue.ts';
import { snapshot } from '../base/json.ts';
import * as s from '../base/schema/schema.ts';
import { ApiPromise } from '../http/api-promise.ts';
import type { CallDescription } from '../http/call.ts';
import { callOptionsSchema, type RequestOptions } from '../http/client/options.ts';
import type { Api } from '../http/execute.ts';
import type { ExpectedPage, ListParams } from '../http/list/list.ts';
import { PagePromise } from '../http/list/page.ts';
import { idOf } from '../http/past/recorded.ts';
import { copyOptions, copyParams, jsonEncoding, type Prepare } from '../http/request/arguments.ts';
import type { Route } from '../http/request/route.ts';
import { type Expected, returnedObject } from '../http/response.ts';
import { isAtRest } from './fields/final-states.ts';
import { type IdInput, type IdKind, idIssues } from './fields/ids.ts';
import { poll, type WaitOptions } from './poll.ts';

/** Options of `waitFor` for a resource whose states the SDK does not know. */
export interface WaitUntilOptions<T> extends WaitOptions {
  /** Returns whether the resource has reached the state that you wait for. */
  readonly until: (resource: T) => boolean;
}

/** Options of `waitFor` for a resource whose states are known. */
export interface WaitForStateOptions<T> extends WaitOptions {
  /**
   * Returns whether the resource has reached the state that you wait for. Default: true once its state no longer changes by
   * itself.
   */
  readonly until?: ((resource: T) => boolean) | undefined;
}

/**
 * The result of a deletion. The interface shows no body, so a whole object, a short confirmation and an empty response are
 * accepted. For an empty response the SDK creates this object.
 */
export interface Deleted {
  /** The id of the deleted object (*inferred*). */
  readonly id: string;
  /** True; absent if the service's response does not contain it (*inferred*). */
  readonly deleted?: boolean | undefined;
}

const deletedSchema: s.Schema<Deleted> = /* @__PURE__ */ s.lazily(() =>
  s.object({ id: s.string(), deleted: s.optional(s.boolean()) }),
);

/** The definition of a collection. */
export interface CollectionDefinition<T> extends ExpectedPage<T> {
  /** The collection's name in the client, for example `refunds`. */
  readonly name: string;
  /** The kind of its ids; absent where their prefix is not documented. */
  readonly idKind?: IdKind | undefined;
}

/** What the calls of a method share. */
interface Method {
  readonly operation: string;
  readonly route: Route;
}

/** The parameters of a call, and the schema that checks them. */
interface CallBody {
  readonly params: unknown;
  readonly schema: s.Schema<unknown>;
  readonly prepare?: Prepare;
}

/** One call of a method of a collection. */
export interface CollectionCall<R> {
  /** The id of the object that the call is about; absent without one. */
  readonly id?: string;
  readonly body?: CallBody;
  readonly options: RequestOptions | undefined;
  /** `name` is the collection that has the returned object; absent after a deletion. */
  readonly returns: Expected<R> & { readonly name?: string };
  /** The value of an empty response; absent where it is an error. */
  readonly whenEmpty?: R;
  /** The status of an object whose card was declined; absent where no status says so. */
  readonly declinedAs?: string;
}

/** The methods of every collection: retrieve one object, and list all. */
export abstract class Collection<T, Kind extends IdKind = never> {
  readonly #api: Api;
  readonly #definition: CollectionDefinition<T>;
  readonly #methods = new Map<string, Method>();

  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    this.#api = api;
    this.#definition = definition;
  }

  /** Retrieves one object (*inferred* path). An id of another kind is rejected before sending. */
  retrieve(id: IdInput<Kind>, options?: RequestOptions): ApiPromise<T> {
    return this.send('retrieve', { id, options, returns: this.#definition });
  }

  /** Lists objects, newest first (the path of `products.list` is *shown*, the others are *inferred*). */
  list(params?: ListParams, options?: RequestOptions): PagePromise<T> {
    const { operation, route } = this.#method('list');
    return new PagePromise({
      api: this.#api,
      operation,
      route,
      holds: this.#definition,
      params: snapshot(params ?? {}),
      options: copyOptions(options),
    });
  }

  /**
   * Polls an object until `until` returns true, or its state no longer changes by itself. The pause between two requests
   * doubles each time, up to 10 seconds.
   *
   * @throws TimeoutError with the code `WAIT_TIMEOUT` when this takes longer than `timeout`.
   * @throws RequestAbortedError when the signal is aborted.
   */
  async waitFor(id: IdInput<Kind>, options: WaitUntilOptions<T>): Promise<T> {
    const given = { ...options };
    if (given.until === undefined) throw this.refuseUntil(undefined);
    return this.pollFor(id, given);
  }

  /** @internal */
  protected refuseUntil(until: unknown): InvalidRequestError {
    const issue = { path: 'options.until', expected: 'a function', received: describeValue(until, '') };
    return invalidRequest(`${this.#definition.name}.waitFor`, [issue]);
  }

  /** @internal */
  protected async pollFor(id: IdInput<Kind>, given: WaitForStateOptions<T>): Promise<T> {
    const { until, ...options }: WaitForStateOptions<T> = Object(given);
    if (until !== undefined && typeof until !== 'function') throw this.refuseUntil(until);
    const operation = `${this.#definition.name}.waitFor`;
    const isDone = async (resource: T) => {
      // In plain JavaScript, `until` may be async.
      const isMet: unknown = until?.(resource);
      return (await isMet) === true || isAtRest(resource);
    };
    return poll(
      operation,
      (fetching) => this.retrieve(id, fetching),
      isDone,
      options,
      this.#api.connection.underWay.ended,
    );
  }

  /** @internal */
  protected sendDelete(id: IdInput<Kind>, options: RequestOptions | undefined): ApiPromise<Deleted> {
    const returns = { object: this.#definition.object, schema: deletedSchema };
    return this.send('delete', { id, options, returns, whenEmpty: { id, deleted: true } });
  }

  #method(name: string): Method {
    const known = this.#methods.get(name);
    if (known !== undefined) return known;
    const operation = `${this.#definition.name}.${name}`;
    const route = this.#api.routes.get(operation);
    if (route === undefined) throw new TypeError(`There is no route named '${operation}'.`);
    const method = { operation, route };
    this.#methods.set(name, method);
    return method;
  }

  /** @internal */
  protected send<R>(method: string, call: CollectionCall<R>): ApiPromise<R> {
    const { connection, execute } = this.#api;
    const { id } = call;
    const { idKind } = this.#definition;
    const issues = id === undefined || idKind === undefined ? [] : idIssues('id', id, idKind);
    return new ApiPromise(execute(connection, this.#describe(this.#method(method), call, issues)));
  }

  #describe<R>(
    { operation, route }: Method,
    { id, body, options, returns, whenEmpty, declinedAs }: CollectionCall<R>,
    issuesOfId: readonly Issue[],
  ): CallDescription<R> {
    const { movesMoney } = route;
    return {
      operation,
      movesMoney,
      route,
      params: body === undefined ? noParams : copyParams(body.params, body.schema),
      encoding: jsonEncoding({
        template: route.path,
        id,
        idIssues: issuesOfId,
        schema: body?.schema,
        prepare: body?.prepare,
      }),
      options: copyOptions(options),
      optionsSchema: callOptionsSchema,
      secret: { keyOption: 'secretKey', value: this.#api.secretKey },
      returns: returnedObject(returns, whenEmpty, declinedAs),
      retrieval: (object) => this.#retrieval(object, returns),
    };
  }

  /** Describes how an object that a method returned is retrieved; `undefined` if it cannot be. */
  #retrieval<R>(object: R, returns: CollectionCall<R>['returns']): CallDescription<R> | undefined {
    const { name } = returns;
    const operation = `${name}.retrieve`;
    const route = this.#api.routes.get(operation);
    const id = idOf(object);
    if (name === undefined || route === undefined || typeof id !== 'string') return undefined;
    return this.#describe({ operation, route }, { id, options: undefined, returns }, []);
  }
}

const noParams = { value: undefined };

/** A collection whose resources have known states. */
export abstract class StatefulCollection<T, Kind extends IdKind = never> extends Collection<T, Kind> {
  /**
   * Polls an object until `until` returns true, or its state no longer changes by itself. The pause between two requests
   * doubles each time, up to 10 seconds.
   *
   * @throws TimeoutError with the code `WAIT_TIMEOUT` when this takes longer than `timeout`.
   * @throws RequestAbortedError when the signal is aborted.
   *
   * @example
   * const refund = await payments.refunds.waitFor('rf_1'); // succeeded or failed, no longer pending
   */
  override waitFor(id: IdInput<Kind>, options: WaitForStateOptions<T> = {}): Promise<T> {
    return this.pollFor(id, options);
  }
}
