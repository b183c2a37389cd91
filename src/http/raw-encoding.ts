import { invalidRequest } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';
import { stringifyCanonical } from '../base/json.ts';
import { functionOf, optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { conforms, issuesOf } from '../base/validation.ts';
import { accept } from './arguments.ts';
import type { Encoded, Encoding } from './call.ts';
import {
  checkRawPath,
  checkRawQuery,
  formatQuery,
  type HttpMethod,
  httpMethods,
  isHttpMethod,
  type QueryValue,
} from './route.ts';

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
