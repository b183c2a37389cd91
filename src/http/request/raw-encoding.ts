import { invalidRequest } from '../../base/errors.ts';
import { describeValue, issueAt } from '../../base/issue.ts';
import { stringifyCanonical } from '../../base/json.ts';
import { functionOf, optionsOf, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { conforms, issuesOf } from '../../base/schema/validation.ts';
import type { Encoded, Encoding } from '../call.ts';
import { accept } from './arguments.ts';
import { type HttpMethod, httpMethods, isHttpMethod, isPath } from './route.ts';

/** A request that is described in full, by the user or by a journal. */
export interface AnyRequest {
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
export function isRead(method: HttpMethod): boolean {
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
export const rawEncoding: Encoding<unknown> = {
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

/**
 * Checks a path that the user wrote in full, for `payments.request`.
 *
 * @throws InvalidRequestError when it could reach another host or climb out of the base URL.
 */
function checkRawPath(operation: string, path: unknown): string {
  if (isPath(path)) return path;
  const expected =
    "an ASCII path that starts with one '/' and holds no query, blank, backslash or '..' segment";
  throw invalidRequest(operation, [{ path: 'path', expected, received: describeValue(path, 'path') }]);
}

/**
 * Checks a query with its question mark, as `formatQuery` returns it.
 *
 * @throws InvalidRequestError when it could change the path.
 */
function checkRawQuery(operation: string, query: string): string {
  if (/^(?:\?[!"$-~]*)?$/.test(query)) return query;
  const expected = "nothing, or an ASCII query that starts with '?' and holds no blank or '#'";
  const received = describeValue(query, 'query', true);
  throw invalidRequest(operation, [{ path: 'query', expected, received }]);
}

/** A value that a query parameter may have. `undefined` omits the parameter. */
export type QueryValue = string | number | boolean | undefined;

/** `?name=value&…`, or an empty string where no parameter is set. */
function formatQuery(operation: string, query: Readonly<Record<string, QueryValue>> | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      const received = describeValue(value, name);
      const expected = 'a string, a number or a boolean';
      throw invalidRequest(operation, [{ path: `query.${name}`, expected, received }]);
    }
    parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
