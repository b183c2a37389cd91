import { sha256Hex } from '../../base/bytes.ts';
import { type Issue, invalidRequest, refuseArguments } from '../../base/errors.ts';
import { describeId, describeValue, lengthOf } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import type { HttpMethod } from './route.ts';

const maxKeyLength = 255;

/**
 * Escapes every UTF-16 unit but the plain ones, with a fixed width, so that two texts never meet. Units and not
 * characters, because an id from outside may hold half a surrogate pair, which UTF-8 cannot tell apart.
 */
function escapeUnits(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/g, (unit) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Returns the idempotency key of a business operation.
 *
 * Pure and deterministic: the same inputs give the same key on every runtime and in every release of a major version, so a
 * program that crashed and restarted repeats the same business operation. Different methods or different ids give different
 * keys. The key has at most 255 printable ASCII characters.
 *
 * @param operation The method, for example `refunds.create`. It is part of the key, so that you can use one order id to
 *   create an intent and later a refund.
 * @param operationId Your own id of the business operation, for example an order number.
 * @param scope The client's `operationScope`, which separates shops that number their orders alike. Default: none.
 * @throws ConfigurationError when one is not a string, or is blank.
 *
 * @example
 * deriveIdempotencyKey('refunds.create', 'order-1042'); // 'pc1:refunds.create:order-1042'
 */
export function deriveIdempotencyKey(operation: string, operationId: string, scope?: string): string {
  refuseArguments('deriveIdempotencyKey', [
    ...blankIssues('operation', operation),
    ...blankIssues('operationId', operationId),
    ...(scope === undefined ? [] : blankIssues('scope', scope)),
  ]);
  const name = `${escapeUnits(operation)}:${escapeUnits(operationId)}`;
  const exact = scope === undefined ? name : `${escapeUnits(scope)}:${name}`;
  // Each prefix differs, so no id or scope can be chosen to meet the key of another form.
  const form = scope === undefined ? 'pc1' : 'pc1s';
  const key = `${form}:${exact}`;
  return key.length <= maxKeyLength ? key : `${form}h:${sha256Hex(exact)}`;
}

/** How keys are derived. */
export interface KeySource {
  /** The operation as keys are derived from it, whatever of it may be shown. */
  readonly keyedAs: string;
  readonly scope: string | undefined;
}

/** The part of a call's options that names the business operation. */
export interface KeyOptions {
  readonly operationId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Refuses the name of a business operation among the parameters of a call, where it would be one more field and give no key.
 *
 * @param path The path of the call's route; `undefined` for `payments.request`.
 * @throws InvalidRequestError that says how to write the call.
 */
export function refuseMisplacedName(operation: string, path: string | undefined, params: unknown): void {
  if (!isRecord(params)) return;
  const name = ['operationId', 'idempotencyKey'].find((one) => Object.hasOwn(params, one));
  if (name === undefined) return;
  const id = path?.includes('{') ? 'id, ' : '';
  const others = Object.keys(params).length > 1 ? 'params' : '{}';
  throw invalidRequest(
    operation,
    [{ path: name, expected: 'an option', received: 'a parameter' }],
    `Write ${path === undefined ? 'request' : operation}(${id}${others}, { ${name} }). Nothing was sent.`,
  );
}

/**
 * Returns the key that the options of a call name; `undefined` if it needs none and has none.
 *
 * @throws InvalidRequestError when a call that moves money has none, or the options contradict each other.
 */
export function chooseIdempotencyKey(
  operation: string,
  { operationId, idempotencyKey }: KeyOptions,
  movesMoney: boolean,
  { keyedAs, scope }: KeySource,
): string | undefined {
  if (operationId !== undefined && idempotencyKey !== undefined) {
    const expected = 'either operationId or idempotencyKey';
    throw invalidRequest(operation, [{ path: 'options', expected, received: 'both' }]);
  }
  if (idempotencyKey !== undefined) {
    refuse(operation, keyIssues(idempotencyKey));
    return idempotencyKey;
  }
  if (operationId !== undefined) {
    refuse(operation, blankIssues('options.operationId', operationId));
    return deriveIdempotencyKey(keyedAs, operationId, scope);
  }
  if (movesMoney) {
    const expected = 'your own id of this business operation';
    throw invalidRequest(
      operation,
      [{ path: 'options.operationId', expected, received: 'nothing' }],
      'This call may move money: pass { operationId } as its last argument, your own id of this one payment, refund or other operation. Repeat a call with the same id. Nothing was sent.',
    );
  }
  return undefined;
}

/** Returns the key of the operation that options name by an id, whatever else is wrong with them. */
export function keyNamedBy(
  { operationId }: { readonly operationId?: unknown },
  { keyedAs, scope }: KeySource,
): string | undefined {
  const isName = typeof operationId === 'string' && operationId.trim() !== '';
  return isName ? deriveIdempotencyKey(keyedAs, operationId, scope) : undefined;
}

/** Returns the key that options give, whatever else is wrong with them. */
export function keyGivenBy({ idempotencyKey }: { readonly idempotencyKey?: unknown }): string | undefined {
  return typeof idempotencyKey === 'string' ? idempotencyKey : undefined;
}

/** Returns a key for one call that has no name, so that its own retries are safe. A second call gets another one. */
export function keyOfOneCall(): string {
  return `pc1r:${crypto.randomUUID()}`;
}

function blankIssues(path: string, value: unknown): Issue[] {
  if (typeof value === 'string' && value.trim() !== '') return [];
  return [{ path, expected: 'a non-blank string', received: describeId(value, path) }];
}

function keyIssues(key: unknown): Issue[] {
  // A header loses blanks at its ends, so a key with them would reach the service as another key.
  if (typeof key === 'string' && key.length <= maxKeyLength && /^[!-~](?:[ -~]*[!-~])?$/.test(key)) return [];
  const received = typeof key === 'string' ? `a string of ${lengthOf(key)}` : describeValue(key, '');
  const expected = `1 to ${maxKeyLength} printable ASCII characters without blanks at the ends`;
  return [{ path: 'options.idempotencyKey', expected, received }];
}

function refuse(operation: string, issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalidRequest(operation, issues);
}

/** What decides whether a call may be repeated. */
export interface Repetition {
  readonly method: HttpMethod;
  /** The idempotency key that every attempt carries, or `undefined`. */
  readonly idempotencyKey: string | undefined;
}

/** Whether sending the same request again, within the call, cannot act twice. */
export function isRepeatable({ method, idempotencyKey }: Repetition): boolean {
  return method === 'GET' || method === 'DELETE' || (method === 'POST' && idempotencyKey !== undefined);
}
