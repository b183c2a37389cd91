import { parseJson, type Snapshot } from '../base/json.ts';
import type { Outcome } from '../base/outcome.ts';
import { type Redactor, sensitiveIn, shownHeaders } from '../base/redact.ts';
import type { Schema } from '../base/validation.ts';
import { version } from '../base/version.ts';
import type { WebAbortSignal } from '../base/web-types.ts';
import type { RecordedContent, Verdict } from './call-journal.ts';
import type { Bounds, CallOptions } from './call-options.ts';
import type { Connection } from './config.ts';
import type { Route } from './route.ts';
import type { Secret } from './secret.ts';
import type { ReceivedResponse } from './transport/received.ts';
import type { WireRequest } from './transport/transport.ts';

const userAgent = `payments-client/${version}`;

/** A call as its method describes it: what was passed, how it becomes a request, and how its response is read. Nothing is checked yet. */
export interface CallDescription<T, Options extends CallOptions = CallOptions> {
  /** The method, for example `refunds.create`, without secrets. */
  readonly operation: string;
  /** What the idempotency key is derived from. Default: the operation. */
  readonly keyedAs?: string | undefined;
  /** Whether it must name its business operation, which a journal records. */
  readonly movesMoney: boolean;
  readonly route: Target;
  /** What the caller passed, copied when the method was called: the original may give another answer later. */
  readonly params: Snapshot;
  readonly encoding: Encoding<Options>;
  /** Copied like the parameters. */
  readonly options: Snapshot;
  readonly optionsSchema: Schema<Options>;
  readonly secret: NamedSecret;
  readonly returns: Returns<T, Options>;
  /** Whether anybody still waits for the result. If not, its failure is not reported. Default: somebody does. */
  readonly isWanted?: (() => boolean) | undefined;
}

/** Where a call goes. */
interface Target extends Pick<Route, 'method' | 'source'> {
  /** The path with its placeholders; `undefined` where the user wrote the path in full. */
  readonly path: string | undefined;
}

/** A secret, and the option of the client that holds it. */
interface NamedSecret {
  readonly keyOption: 'secretKey' | 'securityKey';
  readonly value: Secret;
}

/** How the parameters of a call become a request. */
export interface Encoding<Options> {
  /** Whether the endpoint has idempotency keys. */
  readonly isKeyed: boolean;
  /**
   * Checks the parameters, and encodes them.
   *
   * @throws PaymentsError when a parameter is wrong.
   */
  encode(params: Snapshot, call: RunningCall, options: Options): Encoded;
}

/** A request without its credential. */
export interface Encoded {
  /** The path after the base URL, without its query. */
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly query: string;
  readonly body: JsonBody | FormBody;
}

/** The body of a request to the JSON API, which authenticates by the `Authorization` header (*shown*). */
export interface JsonBody {
  readonly kind: 'json';
  /** `undefined` where there is none. */
  readonly text: string | undefined;
  /** The fields that the method knows. Any other name may hold a secret, so no error repeats it. */
  readonly fieldNames: () => readonly string[];
}

/** The body of a request to the form endpoint, which has no idempotency keys, and whose form holds the credential. */
interface FormBody {
  readonly kind: 'form';
  readonly seal: (credential: string) => SealedForm;
  /** The fields of the form, for redaction. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The fields that the method knows. */
  readonly fieldNames: () => readonly string[];
  /** What a journal keeps of it. */
  readonly record: () => RecordedContent;
}

export interface SealedForm {
  readonly contentType: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** What a 2xx response means. */
export interface Returns<T, Options = CallOptions> {
  /** @throws PaymentsError when it is not what it should be, or declines. */
  read(sent: Sent, options: Options): T;
  /** Whether it is the result of its operation, so that a journal may record it. */
  judge(response: ReceivedResponse, connection: Connection): Verdict;
}

export class RunningCall {
  readonly connection: Connection;
  readonly operation: string;
  readonly startedAt = performance.now();
  #callId: string | undefined;

  constructor(connection: Connection, operation: string) {
    this.connection = connection;
    this.operation = operation;
  }

  /** Made on first use, since most calls succeed without an observer. */
  get callId(): string {
    this.#callId ??= crypto.randomUUID();
    return this.#callId;
  }
}

/** A checked and encoded call, before its credential is known. */
export interface UnsentCall<Options extends CallOptions = CallOptions> {
  readonly identity: RunningCall;
  readonly route: Target;
  readonly movesMoney: boolean;
  readonly secret: NamedSecret;
  readonly options: Options;
  readonly idempotencyKey: string | undefined;
  readonly encoded: Encoded;
}

/** A call that may be sent. Every attempt sends the same bytes. */
export class PreparedCall {
  readonly identity: RunningCall;
  readonly connection: Connection;
  readonly bounds: Bounds;
  readonly signal: WebAbortSignal | undefined;
  readonly request: WireRequest;
  /** The path after the base URL, without its query. */
  readonly path: string;
  /** The path with its placeholders; `undefined` where the user wrote the path in full. */
  readonly route: string | undefined;
  /** Whether the route is not documented. */
  readonly isInferred: boolean;
  readonly movesMoney: boolean;
  readonly idempotencyKey: string | undefined;
  /** The secret that the request carries. */
  readonly credential: string;
  /** What a 2xx proves before its body is read. */
  readonly accepted: Outcome;
  readonly #encoded: Encoded;
  #redactor: Redactor | undefined;

  constructor(unsent: UnsentCall, credential: string) {
    const { identity, route, movesMoney, options, idempotencyKey, encoded } = unsent;
    const { connection } = identity;
    const { method, source } = route;
    const { path, query, body } = encoded;
    const { origin, prefix } = connection.baseUrl;
    const isJson = body.kind === 'json';
    const headers: Record<string, string> = {
      accept: isJson ? 'application/json' : '*/*',
      'user-agent': userAgent,
    };
    setHeaders(headers, connection.headers);
    setHeaders(headers, options.headers);
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    if (isJson) headers['authorization'] = `Bearer ${credential}`;
    const { contentType, content } = isJson ? encodedJson(body) : body.seal(credential);
    if (contentType !== undefined) headers['content-type'] = contentType;
    this.identity = identity;
    this.connection = connection;
    this.bounds = {
      timeout: options.timeout ?? connection.timeout,
      totalTimeout: options.totalTimeout ?? connection.totalTimeout,
      maxRetries: options.maxRetries ?? connection.maxRetries,
    };
    this.signal = options.signal;
    this.request = {
      method,
      origin,
      path: prefix + path + query,
      headers,
      body: content,
      leavesOnce: !isJson,
    };
    this.path = path;
    this.route = route.path;
    this.isInferred = source === 'inferred';
    this.movesMoney = movesMoney;
    this.idempotencyKey = idempotencyKey;
    this.credential = credential;
    // The form endpoint always answers 200, so only the body says whether it was executed.
    this.accepted = isJson ? 'executed' : 'unknown';
    this.#encoded = encoded;
  }

  /** Hides what the request holds of keys, cards and persons in foreign text. Made on first use, since most calls succeed without an observer. */
  get redactor(): Redactor {
    this.#redactor ??= this.connection.redactor.with(() => {
      const { secrets, values } = sensitiveIn(fieldsOf(this.#encoded));
      return { secrets: [this.credential, ...secretsIn(this.request.headers), ...secrets], values };
    });
    return this.#redactor;
  }
}

/** Returns the fields that a call sends, in its query and in its body. */
function fieldsOf({ query, body }: Encoded): unknown[] {
  const inBody = body.kind === 'json' ? parseJson(body.text ?? '') : Object.fromEntries(body.fields);
  return [Object.fromEntries(new URLSearchParams(query)), inBody];
}

function encodedJson({ text }: JsonBody): Partial<SealedForm> {
  return text === undefined ? {} : { contentType: 'application/json', content: text };
}

function setHeaders(target: Record<string, string>, headers: CallOptions['headers']): void {
  if (headers === undefined) return;
  for (const [name, value] of Object.entries(headers)) target[name.toLowerCase()] = value;
}

/** Returns header values that may be keys. The credential is redacted on its own, without its scheme. */
function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    shownHeaders.has(name) || name === 'authorization' ? [] : [value],
  );
}

/** The attempts of a call so far. */
export interface Progress {
  attempts: number;
  /** The most that any of them may have done. */
  outcome: Outcome;
}

/** A call with its 2xx response. */
export interface Sent {
  readonly call: PreparedCall;
  readonly response: ReceivedResponse;
  readonly attempts: number;
  /** The most that the attempts before the last may have done. */
  readonly outcome: Outcome;
  /** Whether a journal gave the response, so that nothing was sent. Default: false. */
  readonly isRecorded?: boolean | undefined;
}
