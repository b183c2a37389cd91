import { rootPath } from '../base/describe.ts';
import { InvalidRequestError, PaymentsError } from '../base/errors.ts';
import { stringifyCanonical } from '../base/json.ts';
import { isShownHeader, type Redactor } from '../base/redact.ts';
import { version } from '../base/version.ts';
import type { Delivered, ResponseInfo } from './api-promise.ts';
import { bounded, Interrupted } from './bounded.ts';
import { RequestAbortedError, TimeoutError, tieToCall } from './call-errors.ts';
import { boundsOf, type CallOptions, callOptionsSchema, checkCallOptions } from './call-options.ts';
import type { Connection } from './config.ts';
import { chooseIdempotencyKey } from './idempotency.ts';
import { abandoned } from './item-iterator.ts';
import type { CallIdentity, PreparedCall, Sent } from './prepared-call.ts';
import { isReplayed, requestIdOf } from './response-headers.ts';
import { sendWithRetries } from './retry.ts';
import type { HttpMethod } from './route.ts';
import { askForSecret, type Secret } from './secret.ts';
import type { WireRequest } from './transport/transport.ts';

const userAgent = `payments-client/${version}`;

/** What a call is about, before its parameters are looked at. */
export interface CallSubject {
  readonly movesMoney: boolean;
  /** The name that the idempotency key is derived from. Default: the operation's. */
  readonly keyedAs?: string | undefined;
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
  /** The body; `undefined` where there is none. */
  readonly json: unknown;
}

/** A request of the form endpoint, whose form holds the credential. */
export interface FormRequest extends RequestTarget {
  readonly kind: 'form';
  readonly contentType: string;
  readonly form: string | Uint8Array<ArrayBuffer>;
  /** What the form holds of a card, or in place of one. */
  readonly cardData: readonly string[];
}

/** One call, from its arguments to its value: `check`, `credential`, `send`, and what is read of the response; `settle` ends it. */
export class Call implements CallIdentity {
  readonly operation: string;
  readonly connection: Connection;
  readonly startedAt = performance.now();
  readonly #options: CallOptions | undefined;
  #idempotencyKey: string | undefined;
  #callId: string | undefined;
  #sent: Sent | undefined;

  /** Tells those who watch that the call starts. */
  constructor(connection: Connection, operation: string, options: CallOptions | undefined) {
    this.connection = connection;
    this.operation = operation;
    this.#options = options;
    connection.observer.tell('start', () => ({ callId: this.callId, operation }));
  }

  /** Drawn when it is first asked for, since most calls go well and are watched by nobody. */
  get callId(): string {
    this.#callId ??= crypto.randomUUID();
    return this.#callId;
  }

  /**
   * Checks the options by their schema and chooses the idempotency key.
   *
   * @throws InvalidRequestError when an option is wrong, or a call that moves money does not name its business operation.
   */
  check({ movesMoney, keyedAs = this.operation }: CallSubject, schema = callOptionsSchema): void {
    const options = checkCallOptions(this.operation, this.#options, schema);
    this.#idempotencyKey = chooseIdempotencyKey(this.operation, options, movesMoney, keyedAs);
  }

  /** The current value of a secret, within the time of the call: a function that gives one may hang. */
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
      throw new TimeoutError(facts, { code: 'TOTAL_TIMEOUT' }, totalTimeout);
    }
  }

  /** Sends the request until there is a 2xx or a failure that stands. */
  async send(request: JsonRequest | FormRequest): Promise<Sent> {
    this.#sent = await sendWithRetries(this.#prepare(request));
    return this.#sent;
  }

  /** Settles as the result does. An error says which call it ended, and those who watch are told. */
  async settle<T>(result: Promise<Delivered<T>>): Promise<Delivered<T>> {
    const { observer } = this.connection;
    const { operation } = this;
    let told: PaymentsError | undefined;
    try {
      return await result;
    } catch (error) {
      if (error instanceof PaymentsError) {
        // Without the frames of the attempts, which would leave no room for the line of the caller.
        Error.captureStackTrace?.(error);
        tieToCall(error, this.callId);
        if (this.#sent !== undefined) tieToResponse(error, this.#sent);
        if (this.#options?.signal?.reason !== abandoned) {
          told = error;
          const { requestId } = error;
          observer.tell('error', () => ({ callId: this.callId, operation, error, requestId }));
        }
      }
      throw error;
    } finally {
      observer.tell('end', () => {
        const duration = performance.now() - this.startedAt;
        return { callId: this.callId, operation, duration, error: told };
      });
    }
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
    const { contentType, body } = isJson ? encodeJson(this.operation, request.json) : formOf(request);
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
      request: { method, origin, path: `${prefix}${path}${query}`, headers, body },
      path,
      route,
      isInferred,
      idempotencyKey: this.#idempotencyKey,
      credential,
      // Made when it is first needed, since most calls go well and are watched by nobody.
      redactor: () => (redactor ??= makeRedactor()),
      // The form endpoint answers 200 whatever came of it, so only the body tells.
      accepted: isJson ? 'executed' : 'unknown',
    };
  }
}

interface Encoded {
  readonly contentType: string | undefined;
  readonly body: WireRequest['body'];
}

function formOf({ contentType, form }: FormRequest): Encoded {
  return { contentType, body: form };
}

function encodeJson(operation: string, json: unknown): Encoded {
  if (json === undefined) return { contentType: undefined, body: undefined };
  try {
    return { contentType: 'application/json', body: stringifyCanonical(json) };
  } catch {
    const received = 'one with a cycle or a bigint';
    throw new InvalidRequestError(operation, [
      { path: rootPath, expected: 'a value that JSON can hold', received },
    ]);
  }
}

function setHeaders(target: Record<string, string>, headers: CallOptions['headers']): void {
  if (headers === undefined) return;
  for (const [name, value] of Object.entries(headers)) target[name.toLowerCase()] = value;
}

/** The values of headers that may be keys. The credential is known without its scheme. */
function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isShownHeader(name) || name === 'authorization' ? [] : [value],
  );
}

/** A call's value. It holds on to little of the response, since a caller may keep the promise of a call. */
export function deliver<T>(sent: Sent, data: T): Delivered<T> {
  const { idempotencyKey, redactor } = sent.call;
  const { status, headers } = sent.response;
  const { attempts } = sent;
  const describe = (): ResponseInfo => ({
    status,
    headers: headers.web,
    requestId: requestIdOf(headers, redactor()),
    idempotencyKey,
    idempotentReplayed: isReplayed(headers),
    attempts,
  });
  return { data, describe };
}

/** Says in an error which response it came from. */
function tieToResponse(error: PaymentsError, { call, response }: Sent): void {
  Object.assign(error, { requestId: requestIdOf(response.headers, call.redactor()) });
}
