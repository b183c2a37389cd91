/** Reads a 2xx response. An invalid body never hides that the call took effect. */

import { enumerateIssues, type Issue } from '../base/errors.ts';
import { messageOf } from '../base/functions.ts';
import { describeValue, formatPath, issueWithin, lengthOf, rootPath } from '../base/issue.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { Schema } from '../base/schema/schema.ts';
import { allConform, type Checked, check } from '../base/schema/validation.ts';
import type { Call, Returns } from './call.ts';
import type { ObjectPlace } from './client/connection.ts';
import { fieldsOf, messageFor, ResponseValidationError, receivedOf } from './failure/call-errors.ts';
import type { ReceivedResponse, ResponseHeaders } from './transport/transport.ts';

/** Returns the request id (*inferred* header names); `undefined` if there is none, or it does not look like one. */
export function requestIdOf(call: Call, headers: ResponseHeaders): string | undefined {
  const { requestIdHeader } = call.connection.forms;
  const known =
    requestIdHeader === undefined ? ['request-id', 'x-request-id'] : [requestIdHeader.toLowerCase()];
  const id = known.map((name) => headers.get(name)).find((value) => value !== null);
  return id === undefined || id === null ? undefined : call.redactor.id(id);
}

/** Whether the service says that this is the result of an earlier request with the same key. */
export function isReplayed(headers: Pick<ResponseHeaders, 'get'>): boolean {
  return headers.get('idempotent-replayed')?.toLowerCase() === 'true';
}

export interface Expected<T> {
  /** The value of the field `object`, for example `refund`; the body may nest the object under this name. */
  readonly object: string;
  readonly schema: Schema<T> | UserSchema<T>;
}

interface UserSchema<T> {
  readonly byUser: StandardSchema<T>;
}

function checkBy<T>(schema: Expected<T>['schema'], value: unknown): Checked<T> {
  return 'byUser' in schema ? checkByStandard(schema.byUser, value) : check(schema, value);
}

/**
 * Reports an invalid body.
 *
 * @param proof What the response proves, if less than a 2xx does: it may not come from the service.
 * @throws ResponseValidationError always.
 */
export function refuseBody(
  call: Call,
  { status, headers }: ReceivedResponse,
  issues: readonly Issue[],
  body: unknown,
  proof = call.accepted,
): never {
  const outcome = call.raise(proof);
  const shown = call.redactor.issues(issues);
  const requestId = requestIdOf(call, headers);
  const message = messageFor(call, {
    lead: `The response is invalid: ${enumerateIssues(shown)}`,
    outcome,
    received: receivedOf({ status, requestId }),
  });
  const fields = fieldsOf(call, outcome, outcome === 'unknown');
  const idempotentReplayed = isReplayed(headers);
  throw new ResponseValidationError(message, {
    ...fields,
    idempotentReplayed,
    requestId,
    issues: shown,
    body,
  });
}

/** Whether a text begins like JSON: then it is JSON that was cut or spoiled. */
function beginsAsJson(text: string): boolean {
  return /^[\s\ufeff]*[{[]/.test(text);
}

function describeText(text: string, validUtf8: boolean): string {
  if (text.trim() === '') return 'an empty body';
  if (!validUtf8) return 'bytes that are not UTF-8';
  return /^\s*</.test(text) ? 'an HTML or XML page' : `a text of ${lengthOf(text)} that is not JSON`;
}

/**
 * Checks that the whole body was read.
 *
 * @throws ResponseValidationError when it is longer than the bound.
 */
export function refuseLongBody(call: Call, response: ReceivedResponse): void {
  if (response.complete) return;
  const issue = { path: rootPath, expected: 'a body within the size bound', received: 'a longer one' };
  refuseBody(call, response, [issue], response.text);
}

/** Parses the JSON of a response, whatever its content type says. */
export function readJson(call: Call, response: ReceivedResponse): unknown {
  refuseLongBody(call, response);
  const { text, validUtf8 } = response;
  const value = validUtf8 ? parseJson(text) : undefined;
  if (value !== undefined) return value;
  const issue = { path: rootPath, expected: 'a JSON body', received: describeText(text, validUtf8) };
  // A login page or a proxy answers 200 too, and executed nothing.
  return refuseBody(call, response, [issue], text, beginsAsJson(text) ? undefined : 'unknown');
}

/** Whether a response has no body. One that is too long is no empty one, even if its beginning is blank. */
function isEmpty({ complete, text }: ReceivedResponse): boolean {
  return complete && text.trim() === '';
}

/** Returns the JSON of a whole body; `undefined` if it is not JSON. */
function jsonIn({ complete, validUtf8, text }: ReceivedResponse): unknown {
  return complete && validUtf8 ? parseJson(text) : undefined;
}

/**
 * The object that a method promises.
 *
 * @param whenEmpty The value of an empty body. Default: an empty body is an error.
 * @param declinedAs The status of an object whose card was declined. Default: no status says so.
 */
export function returnedObject<T>(expected: Expected<T>, whenEmpty?: T, declinedAs?: string): Returns<T> {
  const { object, schema } = expected;
  return {
    read(call, response) {
      if (whenEmpty !== undefined && isEmpty(response)) return whenEmpty;
      const body = readJson(call, response);
      const value = unwrap(body, object, call.connection.forms.objectPlace);
      return conform(call, response, expected, value, body);
    },
    summarize(value) {
      const { id, status }: Readonly<Record<string, unknown>> = Object(value);
      const isDeclined = declinedAs !== undefined && status === declinedAs;
      return { outcome: isDeclined ? 'declined' : 'ok', objectId: id };
    },
    judge(response, { validation, forms }) {
      const body = jsonIn(response);
      if (body === undefined) return 'unknown';
      if (validation !== 'throw') return 'end';
      return 'value' in checkBy(schema, unwrap(body, object, forms.objectPlace)) ? 'end' : 'unknown';
    },
  };
}

/** A body with any object: for a method that is repeated, whose schema is not known here. */
export const returnedAnyObject: Returns<unknown> = {
  read(call, response) {
    const body = readJson(call, response);
    if (holdsAnyObject(body)) return body;
    const issue = { path: rootPath, expected: 'an object with an id', received: describeValue(body, '') };
    return refuseBody(call, response, [issue], body);
  },
  judge: (response) => (holdsAnyObject(jsonIn(response)) ? 'end' : 'unknown'),
};

/** The body of a request that the user describes, through the user's `parse` if there is one; `undefined` without a body. */
export function returnedBody(parse = (body: unknown): unknown => body): Returns<unknown> {
  return {
    read(call, response) {
      const body = isEmpty(response) ? undefined : readJson(call, response);
      try {
        return parse(body);
      } catch (error) {
        const received = `a refusal: ${messageOf(error)}`;
        const issue = { path: rootPath, expected: 'a body that parse accepts', received };
        return refuseBody(call, response, [issue], body);
      }
    },
    judge: (response) => (isEmpty(response) || jsonIn(response) !== undefined ? 'end' : 'unknown'),
  };
}

/** Returns the object in a field of a body; `undefined` if there is none. */
function objectIn(body: Record<string, unknown>, field: string): unknown {
  const inner = Object.hasOwn(body, field) ? body[field] : undefined;
  return isRecord(inner) && Object.hasOwn(inner, 'id') ? inner : undefined;
}

function holdsAnyObject(body: unknown): boolean {
  if (!isRecord(body)) return false;
  return Object.hasOwn(body, 'id') || Object.keys(body).some((field) => objectIn(body, field) !== undefined);
}

/**
 * Finds the object in a body. The interface shows no response bodies: the object may be the whole body, or
 * stand under `data` or under the name of its type.
 *
 * @param place Where it is expected. An object elsewhere is found too, so that a wrong place never hides that a call took effect.
 */
function unwrap(body: unknown, name: string, place: ObjectPlace = 'whole'): unknown {
  if (!isRecord(body)) return body;
  const expected = place === 'whole' ? undefined : objectIn(body, place === 'data' ? 'data' : name);
  if (expected !== undefined || Object.hasOwn(body, 'id')) return expected ?? body;
  return objectIn(body, 'data') ?? objectIn(body, name) ?? body;
}

/** Whether a secret key is one of the test mode (*shown*). The form of a live key is not shown. */
export function isTestKey(secretKey: string): boolean {
  return secretKey.startsWith('sk_v1_test_');
}

/** Where an item stands in a page. */
interface Place {
  readonly field: string;
  readonly index: number;
}

/**
 * Checks a value against its schema, as the client's `validation` says, and returns it.
 *
 * @param place The value's place in the body. Default: it is the body's one object.
 */
function conform<T>(
  call: Call,
  response: ReceivedResponse,
  { schema }: Expected<T>,
  value: unknown,
  body: unknown,
  place?: Place,
): T {
  const { connection, credential } = call;
  if (connection.validation === 'off') return trust(value);
  const isTest = isTestKey(credential);
  // Not an error, since the form of live keys is not shown.
  if (!isTest && isRecord(value) && value['livemode'] === false)
    warn(call, 'a test object (livemode false) came for a key that is no test key');
  const checked = checkBy(schema, value);
  const liveIssues = isTest ? liveObjectIssues(value) : noIssues;
  if ('value' in checked && liveIssues.length === 0) return checked.value;
  const issues = [...liveIssues, ...('value' in checked ? [] : checked.issues)];
  if (connection.validation === 'throw') {
    const within = place && `${place.field}[${place.index}]`;
    const placed = within === undefined ? issues : issues.map((issue) => issueWithin(within, issue));
    refuseBody(call, response, placed, body);
  }
  warn(call, 'the response does not match the schema; going on with it as it is', issues);
  return trust(value);
}

/** Checks the items of a page, as `conform` does: all at once, and only if one is not as it should be, each for itself. */
export function conformAll<T>(
  call: Call,
  response: ReceivedResponse,
  expected: Expected<T>,
  { field, items }: { readonly field: string; readonly items: readonly unknown[] },
  body: unknown,
): readonly T[] {
  if (call.connection.validation === 'off') return trust(items);
  const { schema } = expected;
  const isTest = isTestKey(call.credential);
  const isOfMode = (item: unknown) => !isRecord(item) || item['livemode'] !== isTest;
  if (!('byUser' in schema) && items.every(isOfMode) && allConform(schema, items)) return items;
  return items.map((item, index) => conform(call, response, expected, item, body, { field, index }));
}

const noIssues: readonly Issue[] = [];

/** Returns the value unchecked: a user who turns validation off vouches for its type. */
function trust<T>(value: unknown): T {
  return value as T;
}

function warn(call: Call, problem: string, issues?: readonly Issue[]): void {
  const { operation, callId } = call;
  const fields = {
    callId,
    operation,
    ...(issues && { issues: call.redactor.issues(issues) }),
  };
  call.connection.observer.warn(`${operation}: ${problem}`, fields);
}

/** Returns an issue for a live object under a test key: the program is connected to another service than it expects. */
function liveObjectIssues(value: unknown): readonly Issue[] {
  if (!isRecord(value) || value['livemode'] !== true) return noIssues;
  return [{ path: 'livemode', expected: 'false, since the key is a test key', received: 'true' }];
}

/** One problem that a user's schema reports; its path consists of keys, or of objects that contain a key. */
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A schema of any library that follows Standard Schema, such as zod, valibot or arktype. It must be synchronous. */
export interface StandardSchema<T> {
  /** The part that the libraries share. */
  readonly '~standard': {
    /** The version of the standard. */
    readonly version: 1;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>;
    /** The input and output types, for the compiler only. */
    readonly types?:
      | {
          /** The input type. */
          readonly input: unknown;
          /** The output type. */
          readonly output: T;
        }
      | undefined;
  };
}

function toIssue({ message, path = [] }: StandardIssue): Issue {
  const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
  return {
    path: formatPath(keys),
    expected: 'a value that your schema accepts',
    received: `a refusal: ${message}`,
  };
}

/** Runs the schema. One that throws must not hide that a call took effect. */
function validate<T>(schema: StandardSchema<T>, value: unknown) {
  try {
    return schema['~standard'].validate(value);
  } catch {
    return { issues: [{ message: 'it threw' }] };
  }
}

function checkByStandard<T>(schema: StandardSchema<T>, value: unknown): Checked<T> {
  const result = validate(schema, value);
  if (result instanceof Promise) {
    const received = 'one that returns a promise';
    return { issues: [{ path: rootPath, expected: 'a synchronous schema', received }] };
  }
  return result.issues === undefined ? { value: result.value } : { issues: result.issues.map(toIssue) };
}
