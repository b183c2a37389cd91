import { invalidRequest } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';
import { type Snapshot, snapshot, stringifyCanonical } from '../base/json.ts';
import { functionOf, optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { conforms, issuesOf } from '../base/validation.ts';
import type { Api } from './api.ts';
import { ApiPromise, type Delivered } from './api-promise.ts';
import { Call, deliver } from './call.ts';
import { type CallOptions, copyOptions } from './call-options.ts';
import { holdsAnyObject, readAnyObject, readRaw } from './response.ts';
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

function isRead(method: HttpMethod): boolean {
  return method === 'GET' || method === 'DELETE';
}

interface AnyRequest extends RawTarget<unknown> {
  readonly method: HttpMethod;
  readonly body?: unknown;
  readonly movesMoney?: boolean | undefined;
}

/** Whether a request must name its business operation. */
function mayMoveMoney({ method, movesMoney }: Partial<AnyRequest>): boolean {
  return isHttpMethod(method) && !isRead(method) && movesMoney !== false;
}

const requestSchema = optionsOf<AnyRequest>({
  method: s.literal(httpMethods, 'GET, POST, PUT, PATCH or DELETE'),
  // These are checked where they are encoded.
  path: unchecked(),
  query: unchecked(),
  body: unchecked(),
  parse: s.optional(functionOf<(body: unknown) => unknown>()),
  movesMoney: s.optional(s.boolean()),
});

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

/** A name for messages and keys; one with line breaks could forge a log line. */
function nameOf({ method, path }: Partial<AnyRequest>): string {
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
  const request = snapshot(given, { uncopied: ['parse'] });
  const name = nameOf('value' in request ? Object(request.value) : {});
  const call = new Call(api.connection, api.connection.redactor.text(name), copyOptions(options));
  return new ApiPromise(call.settle(send(call, name, api, request)));
}

/** A request that was sent before, byte for byte. */
export interface RepeatedRequest {
  readonly operation: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly query: string;
  readonly body: unknown;
  readonly idempotencyKey: string;
}

/** Sends a request again with its key. Returns the body of the response. */
export function repeatRaw(api: Api, request: RepeatedRequest): ApiPromise<unknown> {
  const { operation, method, idempotencyKey } = request;
  const call = new Call(api.connection, operation, { value: { idempotencyKey } });
  const send = async () => {
    call.checkWithKey({ movesMoney: true });
    // These come from a store, and must not lead elsewhere.
    const path = checkRawPath(operation, request.path);
    const query = checkRawQuery(operation, request.query);
    // A method returns an object. `payments.request` may return anything.
    const isMethod = api.routes.has(operation);
    const body = request.body === undefined ? undefined : stringifyCanonical(request.body);
    const credential = await call.credential('secretKey', api.secretKey, method);
    const sent = await call.send({
      ...{ kind: 'json', method, path, query, body, route: undefined, isInferred: false },
      isResult: isMethod ? holdsAnyObject : undefined,
      mayBeEmpty: !isMethod,
      credential,
    });
    return deliver(sent, isMethod ? readAnyObject(sent) : readRaw(sent, undefined));
  };
  return new ApiPromise(call.settle(send()));
}

async function send(call: Call, keyedAs: string, api: Api, given: Snapshot): Promise<Delivered<unknown>> {
  const { operation } = call;
  const copy = call.accept(given, (issue) => issue);
  call.checkWithKey({ movesMoney: mayMoveMoney(Object(copy)), keyedAs });
  const { method, path, query, body, parse } = checkRequest(operation, copy);
  const sent = await call.send({
    ...{ kind: 'json', method, route: undefined, isInferred: false, mayBeEmpty: true },
    body: body === undefined ? undefined : stringifyCanonical(body),
    path: checkRawPath(operation, path),
    query: formatQuery(operation, query),
    credential: await call.credential('secretKey', api.secretKey, method),
  });
  return deliver(sent, readRaw(sent, parse));
}
