/**
 * Runs one call. Collections, lists, `payments.request`, the form endpoint and the journal only describe theirs; each takes the steps of
 * `execute`, in this order.
 */

import { PaymentsError } from '../base/errors.ts';
import { bounded, Interrupted } from '../base/time.ts';
import type { Delivered, ResponseInfo } from './api-promise.ts';
import { Call, type CallDescription, type Encoded, requestOf } from './call.ts';
import type { JournaledOperation, RecordedContent } from './call-journal.ts';
import type { Connection } from './client/connection.ts';
import type { CallOptions } from './client/options.ts';
import { abortedBySignal, tieToCall } from './failure/call-errors.ts';
import { acceptOptions } from './request/arguments.ts';
import {
  chooseIdempotencyKey,
  deriveIdempotencyKey,
  isRepeatable,
  refuseMisplacedName,
} from './request/idempotency.ts';
import type { Route } from './request/route.ts';
import { currentSecret, type Secret } from './request/secret.ts';
import { isReplayed, requestIdOf } from './response.ts';
import { sendWithRetries } from './send.ts';
import type { ReceivedResponse, WireRequest } from './transport/transport.ts';

/**
 * Checks a call, sends it, and reads its response.
 *
 * @throws PaymentsError when it is refused or fails.
 */
export async function execute<T, Options extends CallOptions>(
  connection: Connection,
  description: CallDescription<T, Options>,
): Promise<Delivered<T>> {
  const { observer } = connection;
  const call = new Call(connection, description);
  const { operation } = call;
  let failure: PaymentsError | undefined;
  observer.on('start')?.({ callId: call.callId, operation });
  try {
    const prepared = await authenticate(call, check(call, description));
    const response = await sendRecorded(call, description, prepared);
    return deliver(call, response, read(call, response, description, prepared.options));
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // The frames of the attempts would push the caller's line off the stack.
    Error.captureStackTrace?.(error, execute);
    tieToCall(error, call.callId);
    if (description.isWanted?.() === false) throw error;
    failure = error;
    observer.on('error')?.({ callId: call.callId, operation, error, requestId: error.requestId });
    throw error;
  } finally {
    observer.on('end')?.({
      callId: call.callId,
      operation,
      duration: performance.now() - call.startedAt,
      error: failure,
    });
  }
}

/**
 * Checks a call and records it with its request, which is not sent.
 *
 * @throws PaymentsError when it is refused, or cannot be recorded.
 */
export async function plan<T>(
  connection: Connection,
  description: CallDescription<T>,
  record: (operation: JournaledOperation) => Promise<void>,
): Promise<void> {
  const call = new Call(connection, description);
  try {
    const prepared = await authenticate(call, check(call, description));
    const operation = operationOf(call, description, prepared);
    if (operation !== undefined) await unlessAborted(call, bounded(record(operation), call.signal));
  } catch (error) {
    if (error instanceof PaymentsError) Error.captureStackTrace?.(error, plan);
    throw error;
  }
}

/** What a call sends, but for its credential, and its options. */
interface Checked<Options> {
  readonly options: Options;
  readonly encoded: Encoded;
}

interface Prepared<Options> extends Checked<Options> {
  readonly request: WireRequest;
}

/**
 * Checks the options, chooses the idempotency key, and checks and encodes the parameters. At once, since V8 does not find the caller of what is
 * thrown before the caller waits.
 */
function check<T, Options extends CallOptions>(
  call: Call,
  description: CallDescription<T, Options>,
): Checked<Options> {
  const { connection } = call;
  const { operation, keyedAs = operation, movesMoney, route, params, encoding } = description;
  if ((encoding.isKeyed || movesMoney) && 'value' in params)
    refuseMisplacedName(operation, route.path, params.value);
  const options = acceptOptions(call, description.options, description.optionsSchema);
  call.limits = {
    timeout: options.timeout ?? connection.timeout,
    totalTimeout: options.totalTimeout ?? connection.totalTimeout,
    maxRetries: options.maxRetries ?? connection.maxRetries,
  };
  call.signal = options.signal;
  if (encoding.isKeyed) call.idempotencyKey = chooseIdempotencyKey(operation, options, movesMoney, keyedAs);
  const encoded = encoding.encode(params, call, options);
  call.path = encoded.path;
  return { options, encoded };
}

/** Adds the credential, and makes the request. */
async function authenticate<Options extends CallOptions>(
  call: Call,
  { options, encoded }: Checked<Options>,
): Promise<Prepared<Options>> {
  const { value } = call.secret;
  call.credential = typeof value === 'string' ? value : await unlessAborted(call, askForCredential(call));
  return { options, encoded, request: requestOf(call, encoded, options.headers) };
}

/** The call's time limit applies, since a provider function may hang. */
function askForCredential(call: Call): Promise<string> {
  const { connection, secret, signal, limits } = call;
  const wait = { redactor: connection.redactor, signal, totalTimeout: limits.totalTimeout };
  return currentSecret(secret.keyOption, secret.value, wait, call);
}

/** Sends a call. A journal records it before and after, or returns its recorded response. */
async function sendRecorded<T, Options extends CallOptions>(
  call: Call,
  description: CallDescription<T, Options>,
  prepared: Prepared<Options>,
): Promise<ReceivedResponse> {
  const { journal } = call.connection;
  const { request } = prepared;
  if (journal === undefined) return sendWithRetries(call, request);
  const operation = operationOf(call, description, prepared);
  if (operation === undefined) return sendWithRetries(call, request);
  const recording = await unlessAborted(call, journal.begin(operation));
  if (!('end' in recording)) {
    // Only a call that took effect has a record of its response.
    call.outcome = 'executed';
    return recording;
  }
  const response = await sendWithRetries(call, request).catch(async (error: unknown) => {
    await recording.fail(error);
    throw error;
  });
  const verdict = description.returns.judge(response, call.connection);
  if (!(await recording.end(response, verdict))) {
    const { callId, operation } = call;
    const problem = 'the journal could not record the outcome; a repeated call asks the service again';
    call.connection.observer.warn(`${operation}: ${problem}`, { callId, operation });
  }
  return response;
}

/** Returns what a journal records of a call; `undefined` for one that moves no money, or has no id. */
function operationOf<T, Options extends CallOptions>(
  call: Call,
  { returns }: CallDescription<T, Options>,
  { options, encoded }: Prepared<Options>,
): JournaledOperation | undefined {
  const { operation, method, movesMoney, secret, connection, idempotencyKey, credential } = call;
  const operationId = movesMoney ? (options.operationId ?? options.idempotencyKey) : undefined;
  if (operationId === undefined) return undefined;
  const { path, query, body } = encoded;
  const content: RecordedContent = body.kind === 'form' ? body.record() : { content: body.text ?? '' };
  return {
    ...content,
    // As in messages: the path of `request` may hold anything.
    lookUp: content.lookUp ?? { path: connection.redactor.text(path) },
    operation,
    operationId,
    key: idempotencyKey ?? deriveIdempotencyKey(operation, operationId),
    method,
    path,
    query,
    fieldNames: body.fieldNames(),
    origin: connection.baseUrl.origin + connection.baseUrl.prefix,
    keyOption: secret.keyOption,
    credential,
    // A sale has no key. A PUT or a PATCH may carry one, which the service is not shown to know.
    keyed: isRepeatable(call),
    judge: (response) => returns.judge(response, connection),
    timeLimit: call.limits.totalTimeout,
    signal: call.signal,
  };
}

/** Waits for what comes before the request. If the signal ends the wait, nothing was sent. */
async function unlessAborted<T>(call: Call, wait: Promise<T>): Promise<T> {
  try {
    return await wait;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw abortedBySignal(call, { cause: call.signal?.reason });
  }
}

/** Reads a response. An error of it gets its request id. */
function read<T, Options extends CallOptions>(
  call: Call,
  response: ReceivedResponse,
  { returns }: CallDescription<T, Options>,
  options: Options,
): T {
  try {
    return returns.read(call, response, options);
  } catch (error) {
    if (error instanceof PaymentsError) {
      Object.assign(error, { requestId: requestIdOf(call, response.headers) });
    }
    throw error;
  }
}

/** Returns a call's value. Keeps little of the response in memory, since a caller may keep the promise of a call. */
function deliver<T>(call: Call, { status, headers }: ReceivedResponse, data: T): Delivered<T> {
  const describe = (): ResponseInfo => ({
    status,
    headers: headers.web,
    requestId: requestIdOf(call, headers),
    idempotencyKey: call.idempotencyKey,
    idempotentReplayed: isReplayed(headers),
    attempts: call.attempts,
    fromJournal: call.attempts === 0,
  });
  return { data, describe };
}

/** The JSON API under `/v1`, as one client reaches it. */
export interface Api {
  readonly connection: Connection;
  /** Runs a call: sends it, or only records it. */
  readonly execute: typeof execute;
  readonly secretKey: Secret;
  /** The address of a buyer's page, with `{id}` where a session's id goes; `undefined` if it is unknown. */
  readonly checkoutPage: string | undefined;
  /** Every route, with the user's corrections. */
  readonly routes: ReadonlyMap<string, Route>;
  /** The parameters that the user says exist, by method. */
  readonly extraParameters: ReadonlyMap<string, readonly string[]>;
}
