import { parseJson, type Snapshot } from '../base/json.ts';
import type { Outcome } from '../base/outcome.ts';
import { type Redactor, sensitiveIn } from '../base/redact.ts';
import type { Schema } from '../base/validation.ts';
import { version } from '../base/version.ts';
import type { RecordedContent, Verdict } from './call-journal.ts';
import type { Bounds, CallOptions } from './call-options.ts';
import type { Connection } from './config.ts';
import { secretsIn } from './headers.ts';
import type { Route } from './route.ts';
import type { Secret } from './secret.ts';
import type { ReceivedResponse } from './transport/received.ts';
import type { WireRequest } from './transport/transport.ts';

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

/** A call from its beginning: whose it is, and what its method said of it. */
export class RunningCall {
  readonly connection: Connection;
  readonly operation: string;
  readonly route: Target;
  readonly movesMoney: boolean;
  readonly secret: NamedSecret;
  readonly startedAt = performance.now();
  #callId: string | undefined;

  constructor(connection: Connection, { operation, route, movesMoney, secret }: Described) {
    this.connection = connection;
    this.operation = operation;
    this.route = route;
    this.movesMoney = movesMoney;
    this.secret = secret;
  }

  /** Made on first use, since most calls succeed without an observer. */
  get callId(): string {
    this.#callId ??= crypto.randomUUID();
    return this.#callId;
  }
}

type Described = Pick<CallDescription<unknown>, 'operation' | 'route' | 'movesMoney' | 'secret'>;

/** A checked and encoded call. Its credential may still be unknown. */
export interface EncodedCall<Options extends CallOptions = CallOptions> {
  readonly identity: RunningCall;
  readonly options: Options;
  readonly idempotencyKey: string | undefined;
  readonly encoded: Encoded;
}

/** A call that may be sent. Every attempt sends the same bytes. */
export class PreparedCall<Options extends CallOptions = CallOptions> implements EncodedCall<Options> {
  readonly identity: RunningCall;
  readonly options: Options;
  readonly idempotencyKey: string | undefined;
  readonly encoded: Encoded;
  readonly connection: Connection;
  readonly bounds: Bounds;
  readonly request: WireRequest;
  /** The secret that the request carries. */
  readonly credential: string;
  #redactor: Redactor | undefined;

  constructor({ identity, options, idempotencyKey, encoded }: EncodedCall<Options>, credential: string) {
    const { connection } = identity;
    this.identity = identity;
    this.options = options;
    this.idempotencyKey = idempotencyKey;
    this.encoded = encoded;
    this.connection = connection;
    this.credential = credential;
    this.bounds = {
      timeout: options.timeout ?? connection.timeout,
      totalTimeout: options.totalTimeout ?? connection.totalTimeout,
      maxRetries: options.maxRetries ?? connection.maxRetries,
    };
    this.request = requestOf(this);
  }

  /** What a 2xx proves before its body is read. A form's 2xx may be a decline, so only the body says whether it was executed. */
  get accepted(): Outcome {
    return this.encoded.body.kind === 'json' ? 'executed' : 'unknown';
  }

  /** Hides what the request holds of keys, cards and persons in foreign text. Made on first use, since most calls succeed without an observer. */
  get redactor(): Redactor {
    this.#redactor ??= this.connection.redactor.with(() => {
      const { secrets, values } = sensitiveIn(fieldsOf(this.encoded));
      return { secrets: [this.credential, ...secretsIn(this.request.headers), ...secrets], values };
    });
    return this.#redactor;
  }
}

type Credited = Pick<PreparedCall, keyof EncodedCall | 'connection' | 'credential'>;

function requestOf({
  identity,
  options,
  idempotencyKey,
  encoded,
  connection,
  credential,
}: Credited): WireRequest {
  const { path, query, body } = encoded;
  const { origin, prefix } = connection.baseUrl;
  const isJson = body.kind === 'json';
  const headers: Record<string, string> = {
    accept: isJson ? 'application/json' : '*/*',
    'user-agent': `payments-client/${version}`,
  };
  setHeaders(headers, connection.headers);
  setHeaders(headers, options.headers);
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (isJson) headers['authorization'] = `Bearer ${credential}`;
  const { contentType, content } = isJson ? encodedJson(body) : body.seal(credential);
  if (contentType !== undefined) headers['content-type'] = contentType;
  return {
    method: identity.route.method,
    origin,
    path: prefix + path + query,
    headers,
    body: content,
    leavesOnce: !isJson,
  };
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
