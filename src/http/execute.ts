/**
 * Runs one call. Collections, lists, `payments.request`, the form endpoint and the journal only describe theirs; each takes the steps of
 * `execute`, in this order.
 */

import { PaymentsError } from '../base/errors.ts';
import { holdsCardNumber } from '../base/redact.ts';
import { bounded, Interrupted } from '../base/time.ts';
import type { Delivered, ResponseInfo } from './api-promise.ts';
import { Call, type CallDescription, type Encoded, requestOf } from './call.ts';
import { type Ending, endEvent, errorEvent } from './client/call-events.ts';
import type { Connection } from './client/connection.ts';
import type { CallOptions } from './client/options.ts';
import { abortedBySignal, tieToCall } from './failure/call-errors.ts';
import type { JournaledOperation, RecordedContent } from './past/call-journal.ts';
import { outcomeIn, speakOfOperation } from './past/operation-outcome.ts';
import { idOf, markRecorded, withCreated } from './past/recorded.ts';
import { acceptOptions } from './request/arguments.ts';
import {
  chooseIdempotencyKey,
  isRepeatable,
  keyGivenBy,
  keyNamedBy,
  keyOfOneCall,
  refuseMisplacedName,
} from './request/idempotency.ts';
import type { Route } from './request/route.ts';
import { currentSecret, type Secret } from './request/secret.ts';
import { isReplayed, requestIdOf } from './response.ts';
import { sendWithRetries } from './send.ts';
import type { ReceivedResponse, WireRequest } from './transport/transport.ts';
import { askBeforeCall } from './veto.ts';

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
  let ending: Ending<T> = {};
  observer.on('start')?.({ callId: call.callId, operation });
  try {
    const prepared = await authenticate(call, check(call, description));
    const recorded = connection.journal && operationOf(call, description, prepared);
    if (recorded === undefined) beginInProcess(call);
    if (connection.beforeCall) await askBeforeCall(connection.beforeCall, call, prepared.encoded);
    const response = await sendRecorded(call, description, prepared, recorded);
    const value = read(call, response, description, prepared.options);
    call.inProcess?.end('executed', true);
    ending = { returned: { value } };
    return deliver(call, response, value, description.retrieval, prepared.options);
  } catch (error) {
    // A defect: its operation stays in doubt, as a call under way.
    if (!(error instanceof PaymentsError)) throw error;
    // The frames of the attempts would push the caller's line off the stack.
    Error.captureStackTrace?.(error, execute);
    tieToCall(error, call.callId);
    await speakOfOperation(call, description, error);
    if (description.isWanted?.() === false) throw error;
    ending = { error };
    observer.on('error')?.(errorEvent(call, error));
    throw error;
  } finally {
    call.pass?.leave();
    observer.on('end')?.(endEvent(call, description, ending));
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
  let recorded: Promise<unknown> | undefined;
  try {
    const prepared = await authenticate(call, check(call, description));
    if (connection.beforeCall) await askBeforeCall(connection.beforeCall, call, prepared.encoded);
    const operation = operationOf(call, description, prepared);
    if (operation === undefined) return;
    // Not cut off by the client's end, which waits for it.
    recorded = record(operation);
    await unlessAborted(call, bounded(recorded, prepared.options.signal)).catch((error: unknown) => {
      call.recorded = outcomeIn(error);
      throw error;
    });
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    Error.captureStackTrace?.(error, plan);
    await speakOfOperation(call, description, error);
    throw error;
  } finally {
    const leave = () => call.pass?.leave();
    if (recorded === undefined) leave();
    else recorded.then(leave, leave);
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
 * Checks the options, chooses the idempotency key, checks and encodes the parameters, and lets the call begin. At once, since V8 does not find the caller of what is
 * thrown before the caller waits.
 */
function check<T, Options extends CallOptions>(
  call: Call,
  description: CallDescription<T, Options>,
): Checked<Options> {
  const { connection } = call;
  const { params, encoding } = description;
  const options = acceptNamedOptions(call, description);
  call.limits = {
    timeout: options.timeout ?? connection.timeout,
    totalTimeout: options.totalTimeout ?? connection.totalTimeout,
    maxRetries: options.maxRetries ?? connection.maxRetries,
  };
  const encoded = encoding.encode(params, call, options);
  call.path = encoded.path;
  // Its operation has its name by now, so that a refusal speaks of earlier calls too. Nobody else knows of it yet.
  call.pass = connection.underWay.enter(call, options.signal, description.mustPass);
  call.signal = call.pass.signal;
  return { options, encoded };
}

/** Returns the checked options of a call, and gives it its keys. If it is refused, it still has the name of its operation. */
function acceptNamedOptions<T, Options extends CallOptions>(
  call: Call,
  description: CallDescription<T, Options>,
): Options {
  const { operation, keyedAs = operation, movesMoney, route, params, encoding } = description;
  const { journal, operationScope: scope } = call.connection;
  const source = { keyedAs, scope };
  // A store has the name of an operation in clear. A path with a card number is not sent again from there.
  const isStored = journal !== undefined && keyedAs !== operation && holdsCardNumber(keyedAs);
  const named = isStored ? { keyedAs: operation, scope } : source;
  try {
    if ((encoding.isKeyed || movesMoney) && 'value' in params)
      refuseMisplacedName(operation, route.path, params.value);
    const options = acceptOptions(call, description.options, description.optionsSchema);
    call.operationId = description.recordedId ?? options.operationId ?? options.idempotencyKey;
    // The endpoint of a sale has no keys, but a journal has.
    const key = encoding.isKeyed
      ? chooseIdempotencyKey(operation, options, movesMoney, source)
      : movesMoney
        ? keyNamedBy(options, source)
        : undefined;
    call.operationKey = named === source ? key : (keyNamedBy(options, named) ?? key);
    if (encoding.isKeyed) call.idempotencyKey = key ?? (route.method === 'POST' ? keyOfOneCall() : undefined);
    return options;
  } catch (error) {
    const given = 'value' in description.options ? Object(description.options.value) : {};
    const keyGiven = encoding.isKeyed ? keyGivenBy(given) : undefined;
    call.operationKey = keyNamedBy(given, named) ?? keyGiven;
    if (encoding.isKeyed) call.idempotencyKey = keyNamedBy(given, source) ?? keyGiven;
    throw error;
  }
}

/** Adds the credential, and makes the request. */
async function authenticate<Options extends CallOptions>(
  call: Call,
  { options, encoded }: Checked<Options>,
): Promise<Prepared<Options>> {
  if (typeof call.secret.value !== 'string')
    call.credential = await unlessAborted(call, askForCredential(call));
  return { options, encoded, request: requestOf(call, encoded, options.headers) };
}

/** The call's time limit applies, since a provider function may hang. */
function askForCredential(call: Call): Promise<string> {
  const { connection, secret, signal, limits } = call;
  const wait = { redactor: connection.redactor, signal, totalTimeout: limits.totalTimeout };
  return currentSecret(secret.keyOption, secret.value, wait, call);
}

/** Tells the process of a call of an operation, before anybody is asked: another call of it is in doubt until this one ends. */
function beginInProcess(call: Call): void {
  const { operationKey } = call;
  if (operationKey === undefined || call.method === 'GET') return;
  call.inProcess = call.connection.history.begin(call.credential, call.operation, operationKey);
  call.hasPast = call.inProcess.hasPast;
}

/** Sends a call. A journal records it before and after, or returns its recorded response. */
async function sendRecorded<T, Options extends CallOptions>(
  call: Call,
  description: CallDescription<T, Options>,
  { request }: Prepared<Options>,
  operation: JournaledOperation | undefined,
): Promise<ReceivedResponse> {
  const { journal } = call.connection;
  if (journal === undefined || operation === undefined) return sendWithRetries(call, request);
  const recording = await unlessAborted(call, journal.begin(operation)).catch((error: unknown) => {
    call.recorded = outcomeIn(error);
    throw error;
  });
  if (!('end' in recording)) {
    // Only a call that took effect has a record of its response. It may be a decline.
    call.outcome = 'executed';
    call.recorded = 'not_executed';
    return recording;
  }
  const response = await sendWithRetries(call, request).catch(async (error: unknown) => {
    const outcome = error instanceof PaymentsError ? error.outcome : 'unknown';
    call.recorded = await recording.fail({ outcome, endsDoubt: call.endsDoubt });
    throw error;
  });
  call.hasPast = recording.hasPast;
  // What the response proves is more.
  call.recorded = call.hasPast ? 'unknown' : 'not_executed';
  const verdict = description.returns.judge(response, call.connection);
  if (!(await recording.end(response, verdict))) {
    const { callId, operation } = call;
    const problem =
      'the journal could not record the outcome yet; the next call of the operation records it first';
    call.connection.observer.warn(`${operation}: ${problem}`, { callId, operation });
  }
  return response;
}

/** Returns what a journal records of a call; `undefined` for one that moves no money, or has no id. */
function operationOf<T, Options extends CallOptions>(
  call: Call,
  { returns }: CallDescription<T, Options>,
  { encoded, options }: Prepared<Options>,
): JournaledOperation | undefined {
  const { operation, operationId, method, movesMoney, connection, operationKey: key } = call;
  if (!movesMoney || operationId === undefined || key === undefined) return undefined;
  const { path, query, body } = encoded;
  const content: RecordedContent = body.kind === 'form' ? body.record() : { content: body.text ?? '' };
  return {
    ...content,
    // As in messages: the path of `request` may hold anything.
    lookUp: content.lookUp ?? { path: connection.redactor.text(path) },
    operation,
    operationId,
    key,
    method,
    path,
    query,
    fieldNames: body.fieldNames(),
    ...call.sender,
    keyLifetime: connection.history.keyLifetime,
    // A sale has no key. A PUT or a PATCH may carry one, which the service is not shown to know.
    keyed: isRepeatable(call),
    judge: (response) => returns.judge(response, connection),
    timeLimit: call.limits.totalTimeout,
    // Not that of the client's end, which waits for what the journal writes.
    signal: options.signal,
    warn: (message) => connection.observer.warn(message, { callId: call.callId, operation }),
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
function deliver<T>(
  call: Call,
  { status, headers }: ReceivedResponse,
  data: T,
  describeRetrieval: CallDescription<T>['retrieval'],
  options: CallOptions,
): Delivered<T> {
  const describe = (): ResponseInfo => ({
    status,
    headers: headers.web,
    requestId: requestIdOf(call, headers),
    idempotencyKey: call.idempotencyKey,
    idempotentReplayed: isReplayed(headers),
    attempts: call.attempts,
    fromJournal: call.attempts === 0,
  });
  const isReplay = isReplayed(headers);
  // An earlier attempt of this call may have been the one that took effect. A read is always its own.
  const isOwn = call.outcome !== 'not_executed' && !call.hasPast;
  if (call.attempts > 0 && (!isReplay || isOwn)) return { data, describe };
  markRecorded(data);
  const retrieval = call.connection.repeats === 'present' ? describeRetrieval?.(data) : undefined;
  return { data, describe, present: retrieval && (() => presentOf(call, data, retrieval, options)) };
}

/** Returns the object of a recorded result as it is now, or else what was recorded: whether it took effect is known. */
async function presentOf<T>(
  call: Call,
  recorded: T,
  retrieval: CallDescription<T>,
  // The signal of the call itself ends with it.
  { signal, headers }: CallOptions,
): Promise<T> {
  const { connection, limits, startedAt } = call;
  const { timeout, maxRetries } = limits;
  const totalTimeout = Math.floor(limits.totalTimeout - (performance.now() - startedAt));
  if (totalTimeout < 1) return recorded;
  const options = { value: { signal, headers, timeout, totalTimeout, maxRetries } };
  try {
    const { data } = await execute(connection, {
      ...retrieval,
      options,
      isWanted: () => false,
      mustPass: true,
    });
    // A path that was corrected wrongly may lead to another object.
    return idOf(data) === idOf(recorded) ? withCreated(data, recorded) : recorded;
  } catch {
    return recorded;
  }
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
}
