/**
 * Runs one call. Collections, lists, `payments.request`, the form endpoint and the journal only describe theirs; each takes the steps of
 * `execute`, in this order.
 */

import { bounded, Interrupted } from '../base/bounded.ts';
import { PaymentsError } from '../base/errors.ts';
import type { Delivered, ResponseInfo } from './api-promise.ts';
import { acceptOptions } from './arguments.ts';
import { type CallDescription, type EncodedCall, PreparedCall, RunningCall, type Sent } from './call.ts';
import { abortedBySignal, tieToCall } from './call-errors.ts';
import type { JournaledOperation, RecordedContent } from './call-journal.ts';
import type { CallOptions } from './call-options.ts';
import type { Connection } from './config.ts';
import { factsOf } from './failure.ts';
import { chooseIdempotencyKey, deriveIdempotencyKey, refuseMisplacedName } from './idempotency.ts';
import { isRepeatable } from './repeatable.ts';
import { isReplayed, requestIdOf } from './response-headers.ts';
import { sendWithRetries } from './retry.ts';
import { currentSecret } from './secret.ts';

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
  const { operation } = description;
  const identity = new RunningCall(connection, description);
  let failure: PaymentsError | undefined;
  observer.emit('start', () => ({ callId: identity.callId, operation }));
  try {
    const encoded = encode(identity, description);
    const call = new PreparedCall(encoded, await credentialOf(encoded));
    const sent = await sendRecorded(call, description);
    return deliver(sent, read(sent, description, call.options));
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // The frames of the attempts would push the caller's line off the stack.
    Error.captureStackTrace?.(error, execute);
    tieToCall(error, identity.callId);
    if (description.isWanted?.() === false) throw error;
    failure = error;
    observer.emit('error', () => ({ callId: identity.callId, operation, error, requestId: error.requestId }));
    throw error;
  } finally {
    observer.emit('end', () => {
      const duration = performance.now() - identity.startedAt;
      return { callId: identity.callId, operation, duration, error: failure };
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
  const identity = new RunningCall(connection, description);
  try {
    const encoded = encode(identity, description);
    const call = new PreparedCall(encoded, await credentialOf(encoded));
    const operation = operationOf(call, description);
    if (operation !== undefined) await unlessAborted(call, bounded(record(operation), call.options.signal));
  } catch (error) {
    if (error instanceof PaymentsError) Error.captureStackTrace?.(error, plan);
    throw error;
  }
}

/** Checks the options, chooses the idempotency key, and checks and encodes the parameters. */
function encode<T, Options extends CallOptions>(
  identity: RunningCall,
  description: CallDescription<T, Options>,
): EncodedCall<Options> {
  const { operation, keyedAs = operation, movesMoney, route, params, encoding } = description;
  if ((encoding.isKeyed || movesMoney) && 'value' in params)
    refuseMisplacedName(operation, route.path, params.value);
  const options = acceptOptions(identity, description.options, description.optionsSchema);
  const idempotencyKey = encoding.isKeyed
    ? chooseIdempotencyKey(operation, options, movesMoney, keyedAs)
    : undefined;
  const encoded = encoding.encode(params, identity, options);
  return { identity, options, idempotencyKey, encoded };
}

/** Returns the current value of the secret. The call's time limit applies, since a provider function may hang. */
function credentialOf(call: EncodedCall): string | Promise<string> {
  const { identity, options } = call;
  const { keyOption, value } = identity.secret;
  if (typeof value === 'string') return value;
  const { redactor, totalTimeout } = identity.connection;
  const wait = { redactor, signal: options.signal, totalTimeout: options.totalTimeout ?? totalTimeout };
  return unlessAborted(
    call,
    currentSecret(keyOption, value, wait, () => factsOf(call, nothingSent)),
  );
}

const nothingSent = { attempts: 0 };

/** Sends a call. A journal records it before and after, or returns its recorded response. */
function sendRecorded<T, Options extends CallOptions>(
  call: PreparedCall<Options>,
  description: CallDescription<T, Options>,
): Promise<Sent> {
  const { journal } = call.connection;
  const operation = journal && operationOf(call, description);
  if (journal === undefined || operation === undefined) return sendWithRetries(call);
  const answer = journal.run(operation, () => sendWithRetries(call));
  return unlessAborted(call, answer).then((sent) =>
    'response' in sent ? sent : { call, response: sent, attempts: 0, outcome: 'executed', isRecorded: true },
  );
}

/** Returns what a journal records of a call; `undefined` for one that moves no money, or has no id. */
function operationOf<T, Options extends CallOptions>(
  { identity, options, idempotencyKey, encoded, connection, bounds, credential }: PreparedCall<Options>,
  { returns }: CallDescription<T, Options>,
): JournaledOperation | undefined {
  const { operation, route, movesMoney, secret } = identity;
  const operationId = movesMoney ? (options.operationId ?? options.idempotencyKey) : undefined;
  if (operationId === undefined) return undefined;
  const { method } = route;
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
    keyed: isRepeatable({ method, idempotencyKey }),
    judge: (response) => returns.judge(response, connection),
    timeLimit: bounds.totalTimeout,
    signal: options.signal,
    warn: (problem) => {
      const { callId } = identity;
      connection.observer.warn(`${operation}: ${problem}`, { callId, operation });
    },
  };
}

/** Waits for what comes before the request. If the signal ends the wait, nothing was sent. */
async function unlessAborted<T>(call: EncodedCall, wait: Promise<T>): Promise<T> {
  try {
    return await wait;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw abortedBySignal(factsOf(call, nothingSent), { cause: call.options.signal?.reason });
  }
}

/** Reads a response. An error of it gets its request id. */
function read<T, Options extends CallOptions>(
  sent: Sent,
  { returns }: CallDescription<T, Options>,
  options: Options,
): T {
  try {
    return returns.read(sent, options);
  } catch (error) {
    if (error instanceof PaymentsError) {
      Object.assign(error, { requestId: requestIdOf(sent.call, sent.response.headers) });
    }
    throw error;
  }
}

/** Returns a call's value. Keeps little of the response in memory, since a caller may keep the promise of a call. */
function deliver<T>({ call, response, attempts, isRecorded = false }: Sent, data: T): Delivered<T> {
  const { idempotencyKey } = call;
  const { status, headers } = response;
  const describe = (): ResponseInfo => ({
    status,
    headers: headers.web,
    requestId: requestIdOf(call, headers),
    idempotencyKey,
    idempotentReplayed: isReplayed(headers),
    attempts,
    fromJournal: isRecorded,
  });
  return { data, describe };
}
