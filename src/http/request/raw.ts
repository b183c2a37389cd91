import { invalidRequest } from '../../base/errors.ts';
import { issueAt } from '../../base/issue.ts';
import { snapshot, stringifyCanonical } from '../../base/json.ts';
import { functionOf, optionsOf, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { conforms, issuesOf } from '../../base/schema/validation.ts';
import { ApiPromise } from '../api-promise.ts';
import type { Encoded, Encoding } from '../call.ts';
import { type CallOptions, callOptionsSchema } from '../client/options.ts';
import { type Api, execute } from '../execute.ts';
import { returnedBody } from '../response.ts';
import { accept, copyOptions } from './arguments.ts';
import {
  checkRawPath,
  checkRawQuery,
  formatQuery,
  type HttpMethod,
  httpMethods,
  isHttpMethod,
  type QueryValue,
} from './route.ts';

interface RawTarget<T> {
  /** The path after the base URL, such as `/v1/payouts`, each segment already percent-encoded. */
  readonly path: string;
  /** Query parameters; one that is `undefined` is omitted. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /**
   * Converts the parsed JSON body (`undefined` for an empty one) to the result. An error that it throws becomes a
   * `ResponseValidationError`. Default: the body unchanged.
   */
  readonly parse?: ((body: unknown) => T) | undefined;
}

/** A request that reads or deletes. */
export interface RawReadRequest<T> extends RawTarget<T> {
  /** The HTTP verb. */
  readonly method: 'GET' | 'DELETE';
  /** Must be absent: a request with these verbs has no body. */
  readonly body?: undefined;
  /** Must be absent or false. */
  readonly movesMoney?: false | undefined;
}

/** A request that writes. */
export interface RawWriteRequest<T> extends RawTarget<T> {
  /** The HTTP verb. Only a POST with an idempotency key is retried after the request may have been sent. */
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** The body, sent as JSON. */
  readonly body?: unknown;
  /** Whether it may move money. If so, it needs an `operationId` or an `idempotencyKey`. Default: true. */
  readonly movesMoney?: boolean | undefined;
}

/** A request that you describe in full. */
export type RawRequest<T> = RawReadRequest<T> | RawWriteRequest<T>;

/** A name for messages and keys; one with line breaks could forge a log line. */
function nameOf(method: string | undefined, path: unknown): string {
  return isHttpMethod(method) && typeof path === 'string' && /^[!-~]*$/.test(path)
    ? `${method} ${path}`
    : 'request';
}

/** Sends a request that the user describes in full. */
export function sendRaw(
  api: Api,
  given: RawRequest<unknown>,
  options: CallOptions | undefined,
): ApiPromise<unknown> {
  const params = snapshot(given, { uncopied: ['parse'] });
  const { method, path, movesMoney, parse }: Partial<AnyRequest> = Object(
    'value' in params ? params.value : {},
  );
  const keyedAs = nameOf(method, path);
  return new ApiPromise(
    execute(api.connection, {
      operation: api.connection.redactor.text(keyedAs),
      keyedAs,
      movesMoney: isHttpMethod(method) && !isRead(method) && movesMoney !== false,
      // A wrong method is refused before it is used.
      route: { method: isHttpMethod(method) ? method : 'GET', path: undefined, source: 'configured' },
      params,
      encoding: rawEncoding,
      options: copyOptions(options),
      optionsSchema: callOptionsSchema,
      secret: { keyOption: 'secretKey', value: api.secretKey },
      returns: returnedBody(parse),
    }),
  );
}

/** A request that is described in full, by the user or by a journal. */
interface AnyRequest {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly parse?: ((body: unknown) => unknown) | undefined;
  readonly movesMoney?: boolean | undefined;
}

const requestSchema = /* @__PURE__ */ optionsOf<AnyRequest>(() => ({
  method: s.literal(httpMethods, 'GET, POST, PUT, PATCH or DELETE'),
  // These are checked where they are encoded.
  path: unchecked(),
  query: unchecked(),
  body: unchecked(),
  parse: s.optional(functionOf<(body: unknown) => unknown>()),
  movesMoney: s.optional(s.boolean()),
}));

/** Whether a request has no body, and moves nothing. */
function isRead(method: HttpMethod): boolean {
  return method === 'GET' || method === 'DELETE';
}

/** @throws InvalidRequestError that names each wrong field. */
function checkRequest(operation: string, request: unknown): AnyRequest {
  const { method, body }: Partial<AnyRequest> = Object(request);
  const issues = [...issuesOf(requestSchema, request)];
  if (isHttpMethod(method) && isRead(method) && body !== undefined) {
    issues.push(issueAt('body', `nothing, since ${method} carries none`, body));
  }
  if (issues.length === 0 && conforms(requestSchema, request)) return request;
  throw invalidRequest(operation, issues);
}

function encoded(path: string, query: string, body: unknown): Encoded {
  const text = body === undefined ? undefined : stringifyCanonical(body);
  // Any name in it may hold a secret.
  return { path, query, body: { kind: 'json', text, fieldNames: () => [] } };
}

/** A request that the user describes in full. */
const rawEncoding: Encoding<unknown> = {
  isKeyed: true,
  encode(copied, call) {
    const { operation } = call;
    const given = accept(call, copied, (issue) => issue);
    const { path, query, body } = checkRequest(operation, given);
    return encoded(checkRawPath(operation, path), formatQuery(operation, query), body);
  },
};

/** A request from a store, as it was sent before. A forged one must not lead elsewhere. */
export function storedEncoding(path: string, query: string, body: unknown): Encoding<unknown> {
  return {
    isKeyed: true,
    encode: (_, { operation }) =>
      encoded(checkRawPath(operation, path), checkRawQuery(operation, query), body),
  };
}
