import { describeValue, rootPath } from '../base/describe.ts';
import { InvalidRequestError, type Issue } from '../base/errors.ts';
import { isRecord, stringifyCanonical } from '../base/json.ts';
import { messageOf } from '../base/message-of.ts';
import type { Schema } from '../base/schema.ts';
import { issuesOf } from '../base/validation.ts';
import type { ApiPromise, Delivered } from './api-promise.ts';
import type { CallIdentity } from './call-identity.ts';
import { Caller, type CallSpec, type EncodedBody, type UnsignedRequest } from './caller.ts';
import type { Connection } from './config.ts';
import type { KeyOptions } from './idempotency.ts';
import { readJson } from './json-reader.ts';
import { listParamIssues, prefetchIssues } from './list-params.ts';
import type { ListOptions, RequestOptions } from './options.ts';
import { type ListParams, type PageBody, PagePromise } from './page.ts';
import { buildRawTarget, mayMoveMoney, type RawRequest } from './raw-request.ts';
import type { Reading } from './reading.ts';
import { type Expected, type ExpectedPage, ResourceReader } from './resource-reader.ts';
import { fillPath, formatQuery, isHttpMethod, type Route } from './route.ts';
import { resolveSecret, type Secret } from './secret.ts';

/** A call of the JSON API, as a method of a collection describes it. */
export interface ResourceCall<T> {
  readonly operation: string;
  /** The values of the path's placeholders. */
  readonly ids?: Readonly<Record<string, string>> | undefined;
  /** The parameters, and the schema that they are checked with before anything is sent. */
  readonly body?: { readonly params: unknown; readonly schema: Schema<unknown> } | undefined;
  /** What else is wrong with the call, as far as the collection knows. */
  readonly issues?: readonly Issue[] | undefined;
  readonly options: (RequestOptions & KeyOptions) | undefined;
  readonly returns: Expected<T>;
  /** The value where the service answers 2xx without a body; absent where that is an error. */
  readonly whenEmpty?: (() => T) | undefined;
}

/** What the JSON API needs besides a connection. */
export interface ResourceApiOptions {
  readonly secretKey: Secret;
  readonly routes: ReadonlyMap<string, Route>;
  readonly itemsField: string | undefined;
}

/** The JSON API under `/v1`: calls and lists of resources. */
export class ResourceApi {
  readonly #caller: Caller;
  readonly #reader: ResourceReader;
  readonly #secretKey: Secret;
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(connection: Connection, { secretKey, routes, itemsField }: ResourceApiOptions) {
    this.#caller = new Caller(connection);
    this.#reader = new ResourceReader(connection, itemsField);
    this.#secretKey = secretKey;
    this.#routes = routes;
  }

  /** A call that gives one object. */
  call<T>(call: ResourceCall<T>): ApiPromise<T> {
    const { operation, ids = {}, issues = [], body, options, returns, whenEmpty } = call;
    const route = this.#route(operation);
    return this.#caller.call({
      ...this.#common(operation, route.movesMoney, options),
      build: (identity) => {
        const path = fillPath(operation, route.path, ids);
        if (issues.length > 0) throw new InvalidRequestError(operation, issues);
        const sign = bearer(body && this.#encodeParams(identity, body));
        return { ...target(operation, route), path, query: '', sign };
      },
      read: ({ response }, key, identity) => {
        if (whenEmpty !== undefined && response.text.trim() === '') return { value: whenEmpty() };
        return this.#reader.readObject(identity, returns, response, key);
      },
    });
  }

  /** A call that gives a page, and by it the whole list. */
  list<T>(
    operation: string,
    params: ListParams | undefined,
    options: ListOptions | undefined,
    holds: ExpectedPage<T>,
  ): PagePromise<T> {
    return new PagePromise({
      operation,
      params: params ?? {},
      prefetch: options?.prefetch ?? true,
      // The first request checks what the caller gave; those after it are made by the walk.
      fetchPage: (page, signal, accept) =>
        this.#fetchPage(operation, page, alsoHeeding(options, signal), holds, accept),
    });
  }

  /** A call that the user describes in full. */
  request<T>(
    request: RawRequest<T>,
    options: (RequestOptions & KeyOptions) | undefined,
  ): ApiPromise<T | unknown> {
    const keyedAs = nameRawCall(request);
    const operation = this.#caller.connection.redactor.text(keyedAs);
    return this.#caller.call({
      keyedAs,
      ...this.#common(operation, mayMoveMoney(request), options),
      build: () => ({
        ...buildRawTarget(operation, request),
        ...{ route: undefined, notFoundHint: undefined },
        sign: bearer(request.body === undefined ? undefined : encodeJson(operation, request.body)),
      }),
      read: ({ response }) => {
        const json: Reading<unknown> =
          response.text.trim() === '' ? { value: undefined } : readJson(response);
        return 'value' in json && request.parse !== undefined ? this.#parse(request.parse, json.value) : json;
      },
    });
  }

  /** What the user's own function makes of a body; its failure must not hide that the call took effect. */
  #parse<T>(parse: (body: unknown) => T, body: unknown): Reading<T> {
    try {
      return { value: parse(body) };
    } catch (error) {
      const received = `a refusal: ${messageOf(error)}`;
      const issue = { path: rootPath, expected: 'a body that parse accepts', received };
      return { issues: [issue], body };
    }
  }

  #route(operation: string): Route {
    const route = this.#routes.get(operation);
    if (route === undefined) throw new TypeError(`There is no route named '${operation}'.`);
    return route;
  }

  #common(operation: string, movesMoney: boolean, options: (RequestOptions & KeyOptions) | undefined) {
    return {
      operation,
      options,
      movesMoney,
      accept: 'application/json',
      credential: () => resolveSecret('secretKey', this.#secretKey),
      accepted: 'executed',
    } satisfies Partial<CallSpec<unknown>>;
  }

  #fetchPage<T, Accepted>(
    operation: string,
    params: ListParams,
    options: ListOptions | undefined,
    holds: ExpectedPage<T>,
    accept: (page: PageBody<T>) => Accepted,
  ): Promise<Delivered<Accepted>> {
    const route = this.#route(operation);
    return this.#caller.run({
      ...this.#common(operation, route.movesMoney, options),
      ownOptions: ['prefetch'],
      build: () => {
        const issues = [...listParamIssues(params), ...prefetchIssues(options)];
        if (issues.length > 0) throw new InvalidRequestError(operation, issues);
        const query = formatQuery(operation, { ...params });
        return { ...target(operation, route), path: route.path, query, sign: bearer(undefined) };
      },
      read: ({ response }, key, identity) => {
        const page = this.#reader.readPage(identity, holds, response, key);
        return 'value' in page ? { value: accept(page.value) } : page;
      },
    });
  }

  #encodeParams(
    call: CallIdentity,
    { params, schema }: { params: unknown; schema: Schema<unknown> },
  ): EncodedBody {
    const { operation } = call;
    if (!isRecord(params)) {
      const issue = { path: 'params', expected: 'an object', received: describeValue(params, 'params') };
      throw new InvalidRequestError(operation, [issue]);
    }
    const { validation, observer, redactor } = this.#caller.connection;
    // A key that was given in the wrong place is still a key.
    const issues = validation === 'off' ? [] : redactor.issues(issuesOf(schema, params));
    if (issues.length > 0 && validation === 'throw') throw new InvalidRequestError(operation, issues);
    if (issues.length > 0) {
      const message = `${operation}: the parameters do not match the schema; going on with them as they are`;
      observer.warn(message, { callId: call.callId, operation, issues });
    }
    return encodeJson(operation, params);
  }
}

function target(operation: string, { method, path, source }: Route) {
  const notFoundHint =
    source === 'inferred'
      ? `The path '${method} ${path}' is inferred, not documented; if it is wrong, correct it with the option routes: { '${operation}': 'VERB /path' }.`
      : undefined;
  return { method, route: path, notFoundHint };
}

/** The options, with one more signal that ends the call. */
function alsoHeeding(options: ListOptions | undefined, signal: AbortSignal | undefined) {
  if (signal === undefined) return options;
  const own = options?.signal;
  return { ...options, signal: own === undefined ? signal : AbortSignal.any([own, signal]) };
}

/** A name for messages and keys; one with line breaks could forge a log line. */
function nameRawCall({ method, path }: RawRequest<unknown>): string {
  return isHttpMethod(method) && typeof path === 'string' && /^[!-~]*$/.test(path)
    ? `${method} ${path}`
    : 'request';
}

/** Authenticates by the `Authorization` header (*shown*). */
function bearer(body: EncodedBody | undefined): UnsignedRequest['sign'] {
  return (key) => ({ authorization: `Bearer ${key}`, body });
}

function encodeJson(operation: string, value: unknown): EncodedBody {
  try {
    return { contentType: 'application/json', content: stringifyCanonical(value) };
  } catch {
    const issue = {
      path: rootPath,
      expected: 'a value that JSON can hold',
      received: 'one with a cycle or a bigint',
    };
    throw new InvalidRequestError(operation, [issue]);
  }
}
