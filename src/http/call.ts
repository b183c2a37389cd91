import type { Outcome } from '../base/errors.ts';
import { parseJson, type Snapshot } from '../base/json.ts';
import { type Redactor, sensitiveIn } from '../base/redact.ts';
import type { WebAbortSignal } from '../base/runtime/runtime.ts';
import { version } from '../base/runtime/version.ts';
import type { Schema } from '../base/schema/validation.ts';
import type { Pass } from './client/calls-under-way.ts';
import { type Connection, secretsIn } from './client/connection.ts';
import type { CallOutcome } from './client/hooks.ts';
import type { Bounds, CallOptions } from './client/options.ts';
import type { CallFacts } from './failure/call-errors.ts';
import type { RecordedContent, Sender, Verdict } from './past/call-journal.ts';
import type { OperationCall } from './past/history.ts';
import type { HttpMethod, Route } from './request/route.ts';
import type { Secret } from './request/secret.ts';
import type { ReceivedResponse, WireRequest } from './transport/transport.ts';

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
  /** The caller's own id of a recorded operation, whose options have only its key. */
  readonly recordedId?: string | undefined;
  readonly optionsSchema: Schema<Options>;
  readonly secret: NamedSecret;
  readonly returns: Returns<T, Options>;
  /** Describes how the object of a result is retrieved. Absent where that cannot be done. */
  readonly retrieval?: ((value: T) => CallDescription<T> | undefined) | undefined;
  /** Whether anybody still waits for the result. If not, its failure is not reported. Default: somebody does. */
  readonly isWanted?: (() => boolean) | undefined;
  /** Whether it passes even where the client is at its bound: it completes a call, or others bound how many there are. Default: it does not. */
  readonly mustPass?: boolean | undefined;
}

/** What hooks and metrics report about a result. */
export interface ResultSummary {
  readonly outcome: CallOutcome;
  readonly objectId: unknown;
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
  encode(params: Snapshot, call: Call, options: Options): Encoded;
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
  read(call: Call, response: ReceivedResponse, options: Options): T;
  /** Summarizes a result for hooks and metrics. Never throws, whatever the value. Absent where there is nothing to report. */
  summarize?(value: T): ResultSummary;
  /** Whether it is the result of its operation, so that a journal may record it. */
  judge(response: ReceivedResponse, connection: Connection): Verdict;
}

const certainty: Record<Outcome, number> = { not_an_operation: 0, not_executed: 0, unknown: 1, executed: 2 };

/** Whether one outcome says more than another: history only raises what a call says of its operation. */
export function isRaisedBy(outcome: Outcome, other: Outcome): boolean {
  return certainty[other] > certainty[outcome];
}

/** What a call is from its beginning. */
type Described = Pick<CallDescription<unknown>, 'operation' | 'route' | 'movesMoney' | 'secret'>;

/** A call from its beginning to its result: whose it is, what its method said of it, and what each step of `execute` has found out. */
export class Call implements CallFacts {
  readonly connection: Connection;
  readonly operation: string;
  readonly route: Target;
  readonly movesMoney: boolean;
  readonly secret: NamedSecret;
  readonly startedAt = performance.now();
  #callId: string | undefined;

  /** Those of the client, until the options of the call are checked. */
  limits: Bounds;
  signal: WebAbortSignal | undefined;
  /** Absent until its parameters are checked. */
  pass: Pass | undefined;
  idempotencyKey: string | undefined;
  /** The caller's own id of its operation, or its key; `undefined` if its caller gave it no name. */
  operationId: string | undefined;
  /** What names its operation among all of an account; `undefined` if its caller gave it no name. */
  operationKey: string | undefined;
  /** The path after the base URL, without its query; empty until the parameters are encoded. */
  path = '';
  /** The secret that the request carries; empty until it is known, if a function gives it. */
  credential: string;
  /** Hides the client's keys in foreign text; once there is a request, also what that holds of keys, cards and persons. */
  redactor: Redactor;

  attempts = 0;
  /** The most that any attempt may have done. */
  outcome: Outcome;
  /** Its operation in this process, once it is sent; `undefined` without a key, or with a journal. */
  inProcess: OperationCall | undefined;
  /** What its journal knows of its operation; `undefined` until it has been asked. */
  recorded: Outcome | undefined;
  /** Whether what its last response refused it for may pass by itself. */
  mayPass = false;
  /** Whether earlier calls of its operation took effect, or may have. */
  hasPast = false;
  /** Whether a response told what became of all earlier requests of the operation. */
  endsDoubt = false;

  constructor(connection: Connection, { operation, route, movesMoney, secret }: Described) {
    this.connection = connection;
    this.operation = operation;
    this.route = route;
    this.movesMoney = movesMoney;
    this.secret = secret;
    this.limits = connection;
    this.redactor = connection.redactor;
    this.credential = typeof secret.value === 'string' ? secret.value : '';
    this.outcome = route.method === 'GET' ? 'not_an_operation' : 'not_executed';
  }

  /** Made on first use, since most calls succeed without an observer. */
  get callId(): string {
    this.#callId ??= crypto.randomUUID();
    return this.#callId;
  }

  /** Whose call it is. */
  get sender(): Sender {
    const { connection, secret, credential } = this;
    const { origin, prefix } = connection.baseUrl;
    return { origin: origin + prefix, keyOption: secret.keyOption, credential };
  }

  get method(): HttpMethod {
    return this.route.method;
  }

  /**
   * Adds what an attempt may have done, and returns the most that any may have. An attempt that may have taken effect stays possible whatever a
   * later one answers, so a later refusal never turns `unknown` into `not_executed`. A read does nothing.
   */
  raise(outcome: Outcome): Outcome {
    if (this.method !== 'GET' && isRaisedBy(this.outcome, outcome)) this.outcome = outcome;
    return this.outcome;
  }

  /** Takes a refusal that is the service's own answer to this key, so it tells what became of earlier requests too. */
  settle(outcome: Outcome): Outcome {
    this.endsDoubt = true;
    this.outcome = outcome;
    return outcome;
  }

  /** What a 2xx proves before its body is read. A form's 2xx may be a decline, so only the body says whether it was executed. */
  get accepted(): Outcome {
    return this.secret.keyOption === 'secretKey' ? 'executed' : 'unknown';
  }
}

/** Returns the request of a call. Every attempt sends the same bytes. From now on the call hides what the request holds. */
export function requestOf(call: Call, encoded: Encoded, more: CallOptions['headers']): WireRequest {
  const { connection, credential, idempotencyKey, method } = call;
  const { path, query, body } = encoded;
  const { origin, prefix } = connection.baseUrl;
  const isJson = body.kind === 'json';
  const headers: Record<string, string> = {
    accept: isJson ? 'application/json' : '*/*',
    'user-agent': `payments-client/${version}`,
  };
  setHeaders(headers, connection.headers);
  setHeaders(headers, more);
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (isJson) headers['authorization'] = `Bearer ${credential}`;
  const { contentType, content } = isJson ? encodedJson(body) : body.seal(credential);
  if (contentType !== undefined) headers['content-type'] = contentType;
  call.redactor = connection.redactor.with(() => {
    const { secrets, values } = sensitiveIn(sentFields(encoded));
    return { secrets: [credential, ...secretsIn(headers), ...secrets], values };
  });
  return { method, origin, path: prefix + path + query, headers, body: content, leavesOnce: !isJson };
}

/** Returns the fields that a call sends, in its query and in its body. */
export function sentFields({ query, body }: Encoded): readonly [query: object, body: unknown] {
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
