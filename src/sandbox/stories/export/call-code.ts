import { isRecord, parseJson } from '../../../base/json.ts';
import { isRouteName, type RouteName, routes } from '../../../resources/routes.ts';
import type { Forms } from '../../domain/forms.ts';
import type { Entry, RecordedRequest } from '../entry.ts';
import { type Code, call, quote, toCode } from './code-text.ts';
import { decodedPart } from './decoded-part.ts';
import { notReplayable } from './not-replayable.ts';

/** Returns the code for a text. */
type CodeOf = (text: string) => string;

/** Methods of the client that take no parameters. */
const bare = new Set(['expire', 'cancel', 'retry', 'void', 'restore', 'delete']);

const userAgent = /^payments-client\//;

/** Returns the body of a request, or of another attempt if a fault hit this one before its body was read. */
function bodyText(request: RecordedRequest, own: readonly Entry[]): string | null {
  if (request.request.body !== null || request.idempotencyKey === null) return request.request.body;
  const isAlike = (entry: Entry): entry is RecordedRequest =>
    entry.kind === 'request' &&
    entry.idempotencyKey === request.idempotencyKey &&
    entry.path === request.path &&
    entry.request.body !== null;
  return own.find(isAlike)?.request.body ?? null;
}

function bodyOf({ number, request: { body } }: RecordedRequest): Readonly<Record<string, unknown>> {
  if (body === null || body === '') return {};
  const fields = parseJson(body);
  if (isRecord(fields)) return fields;
  throw notReplayable(`the body of request ${number} was not recorded completely, or is not a JSON object.`);
}

/** Returns the options with the app's operation id or key. */
function keyOptions({ operation, operationId, idempotencyKey }: RecordedRequest): object | undefined {
  if (idempotencyKey === null) return undefined;
  const isDerived = operationId !== null && idempotencyKey.startsWith(`pc1:${operation}:`);
  return isDerived ? { operationId } : { idempotencyKey };
}

/** Whether the client could send the request: it validates what other callers may send. */
function isOfClient(request: RecordedRequest, name: RouteName): boolean {
  const { reply, idempotencyKey } = request;
  const [, method = ''] = name.split('.');
  if (routes[name].movesMoney && idempotencyKey === null) return false;
  if (bare.has(method) && Object.keys(bodyOf(request)).length > 0) return false;
  // The body of a dropped request is unknown.
  if (request.request.body === null && !bare.has(method) && method !== 'capture') return false;
  const isBySdk = userAgent.test(request.request.headers['user-agent'] ?? '');
  return isBySdk || (reply?.status !== 400 && reply?.status !== 422);
}

/** Returns the value of `{id}` in a path. */
function idIn(path: string, pattern: string): string | undefined {
  const index = pattern.split('/').indexOf('{id}');
  const part = index === -1 ? undefined : path.split('/')[index];
  return part === undefined ? undefined : decodedPart(part);
}

function callOfMethod(request: RecordedRequest, name: RouteName, forms: Forms, codeOf: CodeOf): Code {
  const [, method = ''] = name.split('.');
  const { path } = forms.routes.get(name) ?? routes[name];
  const id = idIn(request.path, path);
  const params = bare.has(method) ? undefined : bodyOf(request);
  const options = keyOptions(request);
  return call(`payments.${name}`, [
    ...(id === undefined ? [] : [codeOf(id)]),
    ...(params === undefined ? [] : [toCode(params, codeOf)]),
    ...(options === undefined ? [] : [toCode(options)]),
  ]);
}

function pathCode(path: string, codeOf: CodeOf): string {
  const codes = path.split('/').map((part) => ({ part, code: codeOf(part) }));
  if (codes.every(({ part, code }) => code === quote(part))) return quote(path);
  const parts = codes.map(({ part, code }) =>
    code === quote(part) ? part.replaceAll(/[`\\$]/g, '\\$&') : `\${${code}}`,
  );
  return `\`${parts.join('/')}\``;
}

/** Returns a raw request, for one that no client method sends. */
function rawCall(request: RecordedRequest, codeOf: CodeOf): Code {
  const { method, path, query } = request;
  const body = bodyOf(request);
  const hasBody = request.request.body !== null && request.request.body !== '';
  const search = Object.fromEntries(new URLSearchParams(query));
  const isKeyless = request.idempotencyKey === null && method !== 'DELETE';
  const options = keyOptions({ ...request, operationId: null });
  const fields: [string, Code][] = [
    ['method', quote(method)],
    ['path', pathCode(path, codeOf)],
    ...(query === '' ? [] : [['query', toCode(search, codeOf)] satisfies [string, Code]]),
    ...(hasBody ? [['body', toCode(body, codeOf)] satisfies [string, Code]] : []),
    ...(isKeyless ? [['movesMoney', 'false'] satisfies [string, Code]] : []),
  ];
  const described: Code = { kind: 'object', fields };
  return call('payments.request', options === undefined ? [described] : [described, toCode(options)]);
}

/** The context of a replayed request. */
interface CallContext {
  readonly own: readonly Entry[];
  readonly forms: Forms;
  readonly codeOf: CodeOf;
}

/**
 * Returns the client call that repeats a recorded request.
 *
 * @throws Problem when its body was not recorded.
 */
export function callCode(recorded: RecordedRequest, { own, forms, codeOf }: CallContext): Code {
  const body = bodyText(recorded, own);
  const request = { ...recorded, request: { ...recorded.request, body } };
  const { operation } = request;
  return operation !== null && isRouteName(operation) && isOfClient(request, operation)
    ? callOfMethod(request, operation, forms, codeOf)
    : rawCall(request, codeOf);
}
