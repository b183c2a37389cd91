import { describeValue } from '../base/describe.ts';
import { InvalidRequestError, PaymentsError } from '../base/errors.ts';
import { combineOutcomes, type Outcome } from '../base/outcome.ts';
import { isShownHeader } from '../base/redact.ts';
import { unknownNameIssues } from '../base/unknown-names.ts';
import { version } from '../base/version.ts';
import { ApiPromise, type Delivered, type ResponseInfo } from './api-promise.ts';
import type { WireResponse } from './attempt.ts';
import { bounded, Interrupted } from './bounded.ts';
import {
  type CallFacts,
  RequestAbortedError,
  ResponseValidationError,
  TimeoutError,
  tieToCall,
} from './call-errors.ts';
import { CallIdentity } from './call-identity.ts';
import { boundsIssues, boundsOf, type Connection } from './config.ts';
import { headerIssues } from './headers.ts';
import { chooseIdempotencyKey, type KeyOptions } from './idempotency.ts';
import { abandoned } from './item-iterator.ts';
import type { RequestOptions } from './options.ts';
import type { Reading } from './reading.ts';
import { isReplayed, type PreparedCall, requestIdOf, type SendOptions, type Sent, send } from './send.ts';

const userAgent = `payments-client/${version}`;

/** The encoded body of a request. */
export interface EncodedBody {
  readonly contentType: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** A request that was checked and lacks only its credential. */
export interface UnsignedRequest
  extends Pick<PreparedCall, 'method' | 'path' | 'route' | 'query' | 'notFoundHint'> {
  /** What the request holds of a card, or in place of one. Default: nothing. */
  readonly cardData?: readonly string[] | undefined;
  /** Adds the credential where this kind of request carries it, and encodes the body. */
  readonly sign: (credential: string) => {
    readonly authorization?: string | undefined;
    readonly body?: EncodedBody | undefined;
  };
}

/** One call, as a method describes it. */
export interface CallSpec<T> {
  /** The name of the method, as it may be shown. */
  readonly operation: string;
  /** The name that the idempotency key is derived from. Default: `operation`. */
  readonly keyedAs?: string | undefined;
  readonly options: (RequestOptions & KeyOptions) | undefined;
  /** The names of the options that only this kind of call takes. Default: none. */
  readonly ownOptions?: readonly string[] | undefined;
  readonly movesMoney: boolean;
  /** The value of the `Accept` header. */
  readonly accept: string;
  /** Checks the parameters and fills the path. Run once, before anything is sent. */
  readonly build: (call: CallIdentity) => UnsignedRequest;
  /** The secret that the request carries. */
  readonly credential: () => string | Promise<string>;
  /** What a 2xx proves before its body is read. */
  readonly accepted: Outcome;
  /**
   * The value in a 2xx response, or what is wrong with it; the credential tells what may be in it. It may throw a PaymentsError of
   * its own.
   */
  readonly read: (sent: Sent, credential: string, call: CallIdentity) => Reading<T>;
}

/** Carries calls from their description to their value: build, send, decide, read, parse, deliver. */
export class Caller {
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Starts a call at once. Every failure, bad parameters too, comes as a rejection. */
  call<T>(spec: CallSpec<T>): ApiPromise<T> {
    return new ApiPromise(this.run(spec));
  }

  /** Runs a call to its end. */
  async run<T>(spec: CallSpec<T>): Promise<Delivered<T>> {
    const { observer } = this.connection;
    const { operation } = spec;
    const call = new CallIdentity(operation);
    observer.tell('start', () => ({ callId: call.callId, operation }));
    let told: PaymentsError | undefined;
    try {
      return await this.#run(spec, call);
    } catch (error) {
      if (error instanceof PaymentsError) {
        const { requestId } = tieToCall(error, call);
        if (spec.options?.signal?.reason !== abandoned) {
          told = error;
          observer.tell('error', () => ({ callId: call.callId, operation, error, requestId }));
        }
      }
      throw error;
    } finally {
      observer.tell('end', () => {
        const duration = performance.now() - call.startedAt;
        return { callId: call.callId, operation, duration, error: told };
      });
    }
  }

  async #run<T>(spec: CallSpec<T>, identity: CallIdentity): Promise<Delivered<T>> {
    const options = checkOptions(spec);
    const sendOptions = { ...boundsOf(options, this.connection), signal: options.signal };
    const { call, credential } = await this.#prepare(spec, identity, options, sendOptions);
    const sent = await send(this.connection, call, sendOptions);
    try {
      return { data: this.#read(spec, call, sent, credential), describe: describer(call, sent) };
    } catch (error) {
      const requestId = requestIdOf(sent.response.headers, call.redactor);
      throw error instanceof PaymentsError ? Object.assign(error, { requestId }) : error;
    }
  }

  async #prepare<T>(
    spec: CallSpec<T>,
    identity: CallIdentity,
    options: RequestOptions & KeyOptions,
    { signal, totalTimeout }: SendOptions,
  ): Promise<{ call: PreparedCall; credential: string }> {
    const { operation, keyedAs = operation } = spec;
    const idempotencyKey = chooseIdempotencyKey(operation, options, spec.movesMoney, keyedAs);
    const { sign, cardData = [], ...target } = spec.build(identity);
    const facts: CallFacts = { operation, method: target.method, idempotencyKey, attempts: 0 };
    const credential = await resolveCredential(spec.credential, facts, totalTimeout, signal);
    this.connection.redactor.learn(credential);
    const { authorization, body } = sign(credential);
    const headers: Record<string, string> = { accept: spec.accept, 'user-agent': userAgent };
    setHeaders(headers, this.connection.headers);
    setHeaders(headers, options.headers);
    if (body !== undefined) headers['content-type'] = body.contentType;
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    if (authorization !== undefined) headers['authorization'] = authorization;
    const { accepted } = spec;
    const redactor = this.connection.redactor.with(() => [credential, ...cardData, ...secretsIn(headers)]);
    const call = { ...target, identity, headers, body: body?.content, idempotencyKey, accepted, redactor };
    return { call, credential };
  }

  #read<T>(spec: CallSpec<T>, call: PreparedCall, sent: Sent, credential: string): T {
    const { response, attempts } = sent;
    const reading = response.complete ? spec.read(sent, credential, call.identity) : tooLarge(response);
    if ('value' in reading) return reading.value;
    const { method, idempotencyKey } = call;
    const proven = combineOutcomes(sent.outcome, reading.outcome ?? spec.accepted);
    const outcome = method === 'GET' ? 'not_executed' : proven;
    const facts: CallFacts = { operation: spec.operation, method, idempotencyKey, attempts };
    const issues = call.redactor.foreignIssues(reading.issues);
    throw new ResponseValidationError(facts, { outcome, body: reading.body }, issues);
  }
}

function setHeaders(target: Record<string, string>, headers: RequestOptions['headers']): void {
  if (headers === undefined) return;
  for (const [name, value] of Object.entries(headers)) target[name.toLowerCase()] = value;
}

/** The values of headers that may be keys. The credential is known without its scheme. */
function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isShownHeader(name) || name === 'authorization' ? [] : [value],
  );
}

function tooLarge({ text }: WireResponse): Reading<never> {
  const issue = { path: '(root)', expected: 'a body within the size bound', received: 'a longer one' };
  return { issues: [issue], body: text };
}

/** The options that every call takes. */
const optionNames = [
  'operationId',
  'idempotencyKey',
  'signal',
  'timeout',
  'totalTimeout',
  'maxRetries',
  'headers',
  'checkIds',
] as const satisfies (keyof (RequestOptions & KeyOptions))[];

/** The options of a call, once they are what they should be. */
function checkOptions<T>({ operation, options, ownOptions = [] }: CallSpec<T>): RequestOptions & KeyOptions {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) {
    const issue = {
      path: 'options',
      expected: 'an object',
      received: describeValue(options, 'options', true),
    };
    throw new InvalidRequestError(operation, [issue]);
  }
  const issues = [
    ...unknownNameIssues('options.', options, [...optionNames, ...ownOptions]),
    ...boundsIssues('options.', options),
    ...headerIssues('options.headers', options.headers),
  ];
  if (options.checkIds !== undefined && typeof options.checkIds !== 'boolean') {
    issues.push({
      path: 'options.checkIds',
      expected: 'true or false',
      received: describeValue(options.checkIds, ''),
    });
  }
  if (options.signal !== undefined && !isAbortSignal(options.signal)) {
    issues.push({
      path: 'options.signal',
      expected: 'an AbortSignal',
      received: describeValue(options.signal, ''),
    });
  }
  if (issues.length > 0) throw new InvalidRequestError(operation, issues);
  return options;
}

/** By its shape and not its class, since test runners and polyfills bring classes of their own. */
function isAbortSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('aborted' in value)) return false;
  return 'addEventListener' in value && typeof value.addEventListener === 'function';
}

/** The credential, within the time of the call: a function that gives one may hang. */
async function resolveCredential(
  credential: () => string | Promise<string>,
  facts: CallFacts,
  totalTimeout: number,
  signal: RequestOptions['signal'],
): Promise<string> {
  const value = credential();
  if (typeof value === 'string') return value;
  try {
    return await bounded(totalTimeout, signal, () => value);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (error.reason === 'aborted') throw new RequestAbortedError(facts, { cause: signal?.reason });
    throw new TimeoutError(facts, { code: 'TOTAL_TIMEOUT' }, totalTimeout);
  }
}

/** What tells of a response. It holds on to little, since a caller may keep the promise of a call. */
function describer(
  { idempotencyKey, redactor }: PreparedCall,
  { response: { status, headers }, attempts }: Sent,
): () => ResponseInfo {
  return () => ({
    status,
    headers: headers.web,
    requestId: requestIdOf(headers, redactor),
    idempotencyKey,
    idempotentReplayed: isReplayed(headers),
    attempts,
  });
}
