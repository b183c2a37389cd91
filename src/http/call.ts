import { describeValue, rootPath } from '../base/describe.ts';
import { InvalidRequestError, type Issue, PaymentsError } from '../base/errors.ts';
import {
  inherited,
  inheritsFields,
  isRecord,
  parseJson,
  stringifyCanonical,
  UnfitValue,
} from '../base/json.ts';
import { isShownHeader, type Redactor } from '../base/redact.ts';
import {
  conforms,
  fieldNames,
  type IssueOptions,
  issuesOf,
  misspeltFields,
  type Schema,
} from '../base/validation.ts';
import { version } from '../base/version.ts';
import type { Delivered, ResponseInfo } from './api-promise.ts';
import { bounded, Interrupted } from './bounded.ts';
import { RequestAbortedError, TimeoutError, tieToCall } from './call-errors.ts';
import type { OperationContent } from './call-journal.ts';
import { boundsOf, type CallOptions, callOptionsSchema, checkCallOptions } from './call-options.ts';
import type { Connection } from './config.ts';
import { chooseIdempotencyKey } from './idempotency.ts';
import { abandoned } from './item-iterator.ts';
import type { CallIdentity, PreparedCall, Sent } from './prepared-call.ts';
import { isRepeatable } from './repeatable.ts';
import { isReplayed, requestIdOf } from './response-headers.ts';
import { sendWithRetries } from './retry.ts';
import type { HttpMethod } from './route.ts';
import { askForSecret, type Secret } from './secret.ts';
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
  /** The text of the body, from {@link Call.encode}; `undefined` where there is none. */
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
  /** The card data or tokens in the form, for redaction. */
  readonly cardData: readonly string[];
  /** The operation that a journal records; `undefined` without an id. */
  readonly journaled: OperationContent | undefined;
}

/** One call: `check` its options, get the `credential`, `send` the request, and `settle` its result. */
export class Call implements CallIdentity {
  readonly operation: string;
  readonly connection: Connection;
  readonly startedAt = performance.now();
  readonly #options: CallOptions | undefined;
  #idempotencyKey: string | undefined;
  #operationId: string | undefined;
  #callId: string | undefined;
  #sent: Sent | undefined;

  /** Emits the `start` event. */
  constructor(connection: Connection, operation: string, options: CallOptions | undefined) {
    this.connection = connection;
    this.operation = operation;
    this.#options = options;
    connection.observer.emit('start', () => ({ callId: this.callId, operation }));
  }

  /** Made on first use, since most calls succeed without an observer. */
  get callId(): string {
    this.#callId ??= crypto.randomUUID();
    return this.#callId;
  }

  /** @throws InvalidRequestError when an option is wrong. */
  check(schema: Schema<unknown>): CallOptions {
    return checkCallOptions(this.operation, this.#options, schema);
  }

  /**
   * Checks the options and chooses the idempotency key.
   *
   * @throws InvalidRequestError when an option is wrong, or a call that moves money does not name its business operation.
   */
  checkWithKey({ movesMoney, keyedAs = this.operation }: CallSubject): void {
    const options = this.check(callOptionsSchema);
    this.#idempotencyKey = chooseIdempotencyKey(this.operation, options, movesMoney, keyedAs);
    this.#operationId = movesMoney ? (options.operationId ?? options.idempotencyKey) : undefined;
  }

  /** @throws InvalidRequestError when the parameters are not an object. */
  checkObject(params: unknown, sensitive?: boolean): asserts params is Record<string, unknown> {
    const isObject = isRecord(params);
    if (isObject && !inheritsFields(params)) return;
    const issue = {
      path: 'params',
      expected: isObject ? 'an object with fields of its own' : 'an object',
      received: isObject ? inherited : describeValue(params, 'params', sensitive),
    };
    throw new InvalidRequestError(this.operation, [issue]);
  }

  /**
   * Returns the text of a body. Call it right after the checks, before anything is awaited: the caller may change or reuse the object
   * meanwhile.
   *
   * @throws InvalidRequestError for a value that JSON would lose.
   */
  encode(json: unknown): string | undefined {
    if (json === undefined) return undefined;
    try {
      return stringifyCanonical(json);
    } catch (error) {
      const { field, received } =
        error instanceof UnfitValue ? error : { field: '', received: 'one with a cycle or a bigint' };
      const issue = { path: field || rootPath, expected: 'a value that JSON can hold', received };
      throw new InvalidRequestError(this.operation, this.connection.redactor.issues([issue], []));
    }
  }

  /** @throws InvalidRequestError when the parameters do not match their schema, unless the client's `validation` lets them pass. */
  checkParams(schema: Schema<unknown>, params: object, { sensitive, isEssential }: ParamsCheck = {}): void {
    const { operation } = this;
    const { validation, observer, redactor } = this.connection;
    if (validation === 'off' && isEssential === undefined) return;
    // The form endpoint may spell a field in another way: the interface does not show most of them.
    const misspelt = sensitive ? [] : misspeltFields(schema, params);
    if (misspelt.length === 0 && conforms(schema, params)) return;
    const issues = [...misspelt, ...issuesOf(schema, params, { sensitive })];
    const refused = validation === 'throw' ? issues : issues.filter(({ path }) => isEssential?.(path));
    // A key that was given in the wrong place is still a key.
    const redact = (shown: readonly Issue[]) => redactor.issues(shown, fieldNames(schema));
    if (refused.length > 0) throw new InvalidRequestError(operation, redact(refused));
    if (validation === 'off') return;
    const message = `${operation}: the parameters do not match the schema; going on with them as they are`;
    observer.warn(message, { callId: this.callId, operation, issues: redact(issues) });
  }

  /** Returns the current value of a secret. The call's time limit applies, since a provider function may hang. */
  async credential(name: string, secret: Secret, method: HttpMethod): Promise<string> {
    if (typeof secret === 'string') return secret;
    const { signal } = this.#options ?? {};
    const { totalTimeout } = boundsOf(this.#options ?? {}, this.connection);
    const facts = { operation: this.operation, method, idempotencyKey: this.#idempotencyKey, attempts: 0 };
    try {
      const value = await bounded(askForSecret(name, secret), signal, totalTimeout);
      this.connection.redactor.learn(value);
      return value;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      if (error.reason === 'aborted') throw new RequestAbortedError(facts, { cause: signal?.reason });
      throw new TimeoutError(facts, { code: 'TOTAL_TIMEOUT' }, totalTimeout, `a value from ${name}()`);
    }
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
        if (this.#options?.signal?.reason !== abandoned) {
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

  /** Sends the call, which a journal records before and after. */
  async #sendJournaled(request: JsonRequest | FormRequest, call: PreparedCall): Promise<Sent> {
    const { journal, observer } = this.connection;
    const content = journal && this.#contentOf(request, call);
    if (journal === undefined || content === undefined) return sendWithRetries(call);
    const { operation, callId } = this;
    const { method, path, query } = request;
    let sent: Sent | undefined;
    const journaled = {
      ...content,
      ...{ operation, method, path, query },
      // A sale has no key. A PUT or a PATCH may carry one, which the service is not shown to know.
      keyed: isRepeatable({ method, idempotencyKey: call.idempotencyKey }),
      timeLimit: call.bounds.totalTimeout,
      warn: (problem: string) => observer.warn(`${operation}: ${problem}`, { callId, operation }),
    };
    const response = await journal.run(journaled, async () => {
      sent = await sendWithRetries(call);
      return sent.response;
    });
    return sent ?? { call, response, attempts: 0, outcome: 'executed', isRecorded: true };
  }

  /** What a journal records; `undefined` for a call that moves no money, or has no id. */
  #contentOf(request: JsonRequest | FormRequest, call: PreparedCall): OperationContent | undefined {
    if (request.kind === 'form') return request.journaled;
    if (this.#operationId === undefined || call.idempotencyKey === undefined) return undefined;
    return {
      ...{ operationId: this.#operationId, key: call.idempotencyKey },
      content: String(call.request.body ?? ''),
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
    setHeaders(headers, this.#options?.headers);
    if (this.#idempotencyKey !== undefined) headers['idempotency-key'] = this.#idempotencyKey;
    if (isJson) headers['authorization'] = `Bearer ${credential}`;
    const { contentType, body } = isJson ? jsonOf(request) : formOf(request);
    if (contentType !== undefined) headers['content-type'] = contentType;
    const cardData = isJson ? [] : request.cardData;
    const { origin, prefix } = connection.baseUrl;
    let redactor: Redactor | undefined;
    const makeRedactor = () =>
      connection.redactor.with(() => [credential, ...cardData, ...secretsIn(headers)]);
    return {
      identity: this,
      connection,
      bounds: boundsOf(this.#options ?? {}, connection),
      signal: this.#options?.signal,
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

/** Whether the caller of a request gets a result from a 2xx response. */
function isResult(request: JsonRequest, { text, validUtf8, complete }: ReceivedResponse): boolean {
  if (text.trim() === '') return request.mayBeEmpty ?? false;
  const body = validUtf8 && complete ? parseJson(text) : undefined;
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
