import { describeValue, rootPath } from '../base/describe.ts';
import { InvalidRequestError, PaymentsError } from '../base/errors.ts';
import { type Issue, issueWithin } from '../base/issue.ts';
import { isRecord, parseJson, type Snapshot, snapshot } from '../base/json.ts';
import { isShownHeader, type Redactor, sensitiveIn } from '../base/redact.ts';
import { isPlainName, type Misnamed } from '../base/unknown-names.ts';
import {
  conforms,
  fieldNames,
  type IssueOptions,
  issuesOf,
  misnamedFields,
  namesWithin,
  type Schema,
} from '../base/validation.ts';
import { version } from '../base/version.ts';
import type { Delivered, ResponseInfo } from './api-promise.ts';
import { Interrupted } from './bounded.ts';
import { type CallFacts, RequestAbortedError, tieToCall } from './call-errors.ts';
import type { OperationContent } from './call-journal.ts';
import { boundsOf, type CallOptions, callOptionsSchema, checkCallOptions } from './call-options.ts';
import type { Connection } from './config.ts';
import { chooseIdempotencyKey } from './idempotency.ts';
import { abandoned } from './item-iterator.ts';
import type { RequestOptions } from './options.ts';
import type { CallIdentity, PreparedCall, Sent } from './prepared-call.ts';
import { isRepeatable } from './repeatable.ts';
import { isReplayed, requestIdOf } from './response-headers.ts';
import { sendWithRetries } from './retry.ts';
import type { HttpMethod } from './route.ts';
import { currentSecret, type Secret } from './secret.ts';
import type { ReceivedResponse } from './transport/received.ts';
import type { WireRequest } from './transport/transport.ts';

const userAgent = `payments-client/${version}`;

/** What the idempotency key of a call depends on. */
export interface CallSubject {
  readonly movesMoney: boolean;
  /** The name that the idempotency key is derived from. Default: the operation's. */
  readonly keyedAs?: string | undefined;
}

/** How the parameters of a call are checked. */
export interface ParamsCheck extends IssueOptions {
  /** Whether a field is refused that only resembles a known one. Default: a misspelt one alone is. */
  readonly movesMoney?: boolean | undefined;
  /** The fields that the user says exist. They pass unchecked. Default: none. */
  readonly extra?: readonly string[] | undefined;
  /** Whether a wrong field is refused whatever `validation` says. Default: none is. */
  readonly isEssential?: ((field: string) => boolean) | undefined;
}

/** What a call sends, whatever its body is. */
interface RequestTarget extends Pick<PreparedCall, 'path' | 'route' | 'isInferred' | 'credential'> {
  readonly method: HttpMethod;
  /** With its question mark; empty where there is none. */
  readonly query: string;
}

/** A request of the JSON API, which authenticates by the `Authorization` header (*shown*). */
export interface JsonRequest extends RequestTarget {
  readonly kind: 'json';
  /** The text of the body; `undefined` where there is none. */
  readonly body: string | undefined;
  /** Whether the JSON of a response is the result, so that a journal may record it. Default: any JSON is. */
  readonly isResult?: ((body: unknown) => boolean) | undefined;
  /** Whether an empty body is a result too. Default: false. */
  readonly mayBeEmpty?: boolean | undefined;
}

/** A request of the form endpoint, whose form holds the credential. */
export interface FormRequest extends RequestTarget {
  readonly kind: 'form';
  readonly contentType: string;
  readonly form: string | Uint8Array<ArrayBuffer>;
  /** The fields of the form, for redaction. */
  readonly fields: Iterable<readonly [name: string, value: string]>;
  /** The operation that a journal records; `undefined` without an id. */
  readonly journaled: OperationContent | undefined;
}

/** One call: `check` its options, get the `credential`, `send` the request, and `settle` its result. */
export class Call implements CallIdentity {
  readonly operation: string;
  readonly connection: Connection;
  readonly startedAt = performance.now();
  readonly #given: Snapshot;
  #options: RequestOptions = {};
  #idempotencyKey: string | undefined;
  #operationId: string | undefined;
  #callId: string | undefined;
  #sent: Sent | undefined;
  #schema: Schema<unknown> | undefined;

  /** Emits the `start` event. The options are a copy from `copyOptions`. */
  constructor(connection: Connection, operation: string, options: Snapshot) {
    this.connection = connection;
    this.operation = operation;
    this.#given = options;
    connection.observer.emit('start', () => ({ callId: this.callId, operation }));
  }

  /** Made on first use, since most calls succeed without an observer. */
  get callId(): string {
    this.#callId ??= crypto.randomUUID();
    return this.#callId;
  }

  /** @throws InvalidRequestError when an option is wrong. */
  check<Options extends RequestOptions>(schema: Schema<Options>): Options {
    const given = this.accept(this.#given, (issue) => issueWithin('options', issue));
    const options = checkCallOptions(this.operation, given, schema);
    this.#options = options;
    return options;
  }

  /**
   * Checks the options and chooses the idempotency key.
   *
   * @throws InvalidRequestError when an option is wrong, or a call that moves money does not name its business operation.
   */
  checkWithKey({ movesMoney, keyedAs = this.operation }: CallSubject): CallOptions {
    const options = this.check(callOptionsSchema);
    this.#idempotencyKey = chooseIdempotencyKey(this.operation, options, movesMoney, keyedAs);
    this.#operationId = movesMoney ? (options.operationId ?? options.idempotencyKey) : undefined;
    return options;
  }

  /**
   * Returns a copy that was made when the call began.
   *
   * @param locate Completes the path of an issue. Default: the copy is of the parameters.
   * @throws InvalidRequestError when there is none.
   */
  accept(copied: Snapshot, locate = withinParams): unknown {
    if ('value' in copied) return copied.value;
    throw new InvalidRequestError(this.operation, this.connection.redactor.issues([locate(copied.issue)]));
  }

  /**
   * Returns a copy of the parameters. Make it before anything is checked or awaited, and read the original no more: it may give
   * another answer.
   *
   * @throws InvalidRequestError when they are not an object, or hold a value that would not be sent as it is.
   */
  copyParams(params: unknown, schema: Schema<unknown>, sensitive?: boolean): Record<string, unknown> {
    // The form endpoint takes any name, so any of its fields may be hidden.
    const how = sensitive ? {} : { names: namesWithin(schema), sorted: true };
    const copy = this.accept(snapshot(params, how));
    if (isRecord(copy)) return copy;
    const received = describeValue(copy, 'params', sensitive);
    throw new InvalidRequestError(this.operation, [{ path: 'params', expected: 'an object', received }]);
  }

  /** @throws InvalidRequestError when the parameters do not match their schema, unless the client's `validation` lets them pass. */
  checkParams(schema: Schema<unknown>, params: Record<string, unknown>, how: ParamsCheck = {}): void {
    const { operation } = this;
    const { validation, observer, redactor } = this.connection;
    const { sensitive, isEssential, movesMoney = false, extra = [] } = how;
    this.#schema = schema;
    if (validation === 'off' && isEssential === undefined) return;
    // The form endpoint may spell a field in another way: the interface does not show most of them.
    const misnamed = sensitive ? [] : misnamedFields(schema, params, { loosely: movesMoney, extra });
    if (misnamed.length === 0 && conforms(schema, params)) return;
    const replaced = extra.some((name) => params[name] !== undefined);
    const issues = [...misnamed, ...issuesOf(schema, params, { sensitive, replaced })];
    const refused = validation === 'throw' ? issues : issues.filter(({ path }) => isEssential?.(path));
    // A key that was given in the wrong place is still a key.
    if (refused.length > 0)
      throw new InvalidRequestError(operation, redactor.issues(refused), adviceOn(operation, misnamed));
    if (issues.length === 0 || validation === 'off') return;
    const message = `${operation}: the parameters do not match the schema; going on with them as they are`;
    observer.warn(message, { callId: this.callId, operation, issues: redactor.issues(issues) });
  }

  /** Returns the current value of a secret. The call's time limit applies, since a provider function may hang. */
  async credential(name: string, secret: Secret, method: HttpMethod): Promise<string> {
    if (typeof secret === 'string') return secret;
    const { redactor } = this.connection;
    const { totalTimeout } = boundsOf(this.#options, this.connection);
    const wait = { redactor, signal: this.#options.signal, totalTimeout };
    return this.#unlessAborted(
      method,
      currentSecret(name, secret, wait, () => this.#unsent(method)),
    );
  }

  /** Sends the request, with retries, until a 2xx or a final failure. */
  async send(request: JsonRequest | FormRequest): Promise<Sent> {
    const call = this.#prepare(request);
    this.#sent = await this.#sendJournaled(request, call);
    return this.#sent;
  }

  /** Settles as the result does. Adds the ids of call and request to an error, and emits `error` and `end`. */
  async settle<T>(result: Promise<Delivered<T>>): Promise<Delivered<T>> {
    const { observer } = this.connection;
    const { operation } = this;
    let reported: PaymentsError | undefined;
    try {
      return await result;
    } catch (error) {
      if (error instanceof PaymentsError) {
        // The frames of the attempts would push the caller's line off the stack.
        Error.captureStackTrace?.(error);
        tieToCall(error, this.callId);
        if (this.#sent !== undefined) tieToResponse(error, this.#sent);
        if (this.#options.signal?.reason !== abandoned) {
          reported = error;
          const { requestId } = error;
          observer.emit('error', () => ({ callId: this.callId, operation, error, requestId }));
        }
      }
      throw error;
    } finally {
      observer.emit('end', () => {
        const duration = performance.now() - this.startedAt;
        return { callId: this.callId, operation, duration, error: reported };
      });
    }
  }

  /** The facts of a call that has sent nothing. */
  #unsent(method: HttpMethod): CallFacts {
    return { operation: this.operation, method, idempotencyKey: this.#idempotencyKey, attempts: 0 };
  }

  /** Waits for what comes before the request. If the signal ends the wait, nothing was sent. */
  async #unlessAborted<T>(method: HttpMethod, wait: Promise<T>): Promise<T> {
    try {
      return await wait;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      throw new RequestAbortedError(this.#unsent(method), { cause: this.#options.signal?.reason });
    }
  }

  /** Sends the call, which a journal records before and after. */
  async #sendJournaled(request: JsonRequest | FormRequest, call: PreparedCall): Promise<Sent> {
    const { journal, observer, baseUrl } = this.connection;
    const content = journal && this.#contentOf(request, call);
    if (journal === undefined || content === undefined) return sendWithRetries(call);
    const { operation, callId } = this;
    const { method, path, query } = request;
    let sent: Sent | undefined;
    const journaled = {
      ...content,
      ...{ operation, method, path, query, signal: call.signal, credential: call.credential },
      origin: baseUrl.origin + baseUrl.prefix,
      keyOption: request.kind === 'json' ? ('secretKey' as const) : ('securityKey' as const),
      // A sale has no key. A PUT or a PATCH may carry one, which the service is not shown to know.
      keyed: isRepeatable({ method, idempotencyKey: call.idempotencyKey }),
      timeLimit: call.bounds.totalTimeout,
      warn: (problem: string) => observer.warn(`${operation}: ${problem}`, { callId, operation }),
    };
    const run = journal.run(journaled, async () => {
      sent = await sendWithRetries(call);
      return sent.response;
    });
    const response = await this.#unlessAborted(method, run);
    return sent ?? { call, response, attempts: 0, outcome: 'executed', isRecorded: true };
  }

  /** What a journal records; `undefined` for a call that moves no money, or has no id. */
  #contentOf(request: JsonRequest | FormRequest, call: PreparedCall): OperationContent | undefined {
    if (request.kind === 'form') return request.journaled;
    if (this.#operationId === undefined || call.idempotencyKey === undefined) return undefined;
    return {
      ...{ operationId: this.#operationId, key: call.idempotencyKey },
      content: String(call.request.body ?? ''),
      fieldNames: this.#schema === undefined ? [] : fieldNames(this.#schema),
      judge: (response) => (isResult(request, response) ? 'end' : 'unknown'),
    };
  }

  #prepare(request: JsonRequest | FormRequest): PreparedCall {
    const { connection } = this;
    const { method, path, query, route, isInferred, credential } = request;
    const isJson = request.kind === 'json';
    const headers: Record<string, string> = {
      accept: isJson ? 'application/json' : '*/*',
      'user-agent': userAgent,
    };
    setHeaders(headers, connection.headers);
    setHeaders(headers, this.#options.headers);
    if (this.#idempotencyKey !== undefined) headers['idempotency-key'] = this.#idempotencyKey;
    if (isJson) headers['authorization'] = `Bearer ${credential}`;
    const { contentType, body } = isJson ? jsonOf(request) : formOf(request);
    if (contentType !== undefined) headers['content-type'] = contentType;
    const { origin, prefix } = connection.baseUrl;
    let redactor: Redactor | undefined;
    const makeRedactor = () =>
      connection.redactor.with(() => {
        const sent = isJson ? parseJson(request.body ?? '') : Object.fromEntries(request.fields);
        const { secrets, values } = sensitiveIn(sent);
        return { secrets: [credential, ...secretsIn(headers), ...secrets], values };
      });
    return {
      identity: this,
      connection,
      bounds: boundsOf(this.#options, connection),
      signal: this.#options.signal,
      request: { method, origin, path: `${prefix}${path}${query}`, headers, body, leavesOnce: !isJson },
      path,
      route,
      isInferred,
      idempotencyKey: this.#idempotencyKey,
      credential,
      // Made on first use, since most calls succeed without an observer.
      redactor: () => (redactor ??= makeRedactor()),
      // The form endpoint always answers 200, so only the body says whether it was executed.
      accepted: isJson ? 'executed' : 'unknown',
    };
  }
}

/** The parameters as a whole have the name of the argument. */
function withinParams(issue: Issue): Issue {
  return issue.path === rootPath ? { ...issue, path: 'params' } : issue;
}

/** Returns how to send a parameter that resembles another one; `undefined` without one. */
function adviceOn(operation: string, misnamed: readonly Misnamed[]): string | undefined {
  if (misnamed.length === 0) return undefined;
  const names = misnamed.map(({ name }) => `'${isPlainName(name) ? name : '…'}'`).join(', ');
  return `If the service takes it, add extraParameters: { '${operation}': [${names}] } to the options of the client. Nothing was sent.`;
}

/** Whether the caller of a request gets a result from a 2xx response. */
function isResult(request: JsonRequest, { text, validUtf8, complete }: ReceivedResponse): boolean {
  if (!complete) return false;
  if (text.trim() === '') return request.mayBeEmpty ?? false;
  const body = validUtf8 ? parseJson(text) : undefined;
  return body !== undefined && (request.isResult?.(body) ?? true);
}

interface Encoded {
  readonly contentType: string | undefined;
  readonly body: WireRequest['body'];
}

function formOf({ contentType, form }: FormRequest): Encoded {
  return { contentType, body: form };
}

function jsonOf({ body }: JsonRequest): Encoded {
  return { contentType: body === undefined ? undefined : 'application/json', body };
}

function setHeaders(target: Record<string, string>, headers: CallOptions['headers']): void {
  if (headers === undefined) return;
  for (const [name, value] of Object.entries(headers)) target[name.toLowerCase()] = value;
}

/** Returns header values that may be keys. The credential is redacted on its own, without its scheme. */
function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isShownHeader(name) || name === 'authorization' ? [] : [value],
  );
}

/** Returns a call's value. Keeps little of the response in memory, since a caller may keep the promise of a call. */
export function deliver<T>(sent: Sent, data: T): Delivered<T> {
  const { call, attempts } = sent;
  const { idempotencyKey } = call;
  const { status, headers } = sent.response;
  const describe = (): ResponseInfo => ({
    status,
    headers: headers.web,
    requestId: requestIdOf(call, headers),
    idempotencyKey,
    idempotentReplayed: isReplayed(headers),
    attempts,
    fromJournal: sent.isRecorded === true,
  });
  return { data, describe };
}

/** Adds to an error the request id of its response. */
function tieToResponse(error: PaymentsError, { call, response }: Sent): void {
  Object.assign(error, { requestId: requestIdOf(call, response.headers) });
}
