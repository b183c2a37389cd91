/**
 * Runs one call. Collections, lists, `payments.request`, the form endpoint and the journal only describe theirs; each takes the steps of
 * `execute`, in this order.
 */

import { bounded, Interrupted } from '../base/bounded.ts';
import { PaymentsError } from '../base/errors.ts';
import type { Delivered, ResponseInfo } from './api-promise.ts';
import { acceptOptions } from './arguments.ts';
import { type CallDescription, PreparedCall, RunningCall, type Sent, type UnsentCall } from './call.ts';
import { abortedBySignal, type CallFacts, tieToCall } from './call-errors.ts';
import type { JournaledOperation } from './call-journal.ts';
import type { CallOptions } from './call-options.ts';
import type { Connection } from './config.ts';
import { chooseIdempotencyKey, deriveIdempotencyKey } from './idempotency.ts';
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
  const { operation, returns } = description;
  const { observer } = connection;
  const identity = new RunningCall(connection, operation);
  let failure: PaymentsError | undefined;
  observer.emit('start', () => ({ callId: identity.callId, operation }));
  try {
    const unsent = encode(identity, description);
    const call = new PreparedCall(unsent, await credentialOf(unsent));
    const sent = await sendRecorded(call, unsent, description);
    return deliver(
      sent,
      read(sent, () => returns.read(sent, unsent.options)),
    );
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
  const identity = new RunningCall(connection, description.operation);
  try {
    const unsent = encode(identity, description);
    const call = new PreparedCall(unsent, await credentialOf(unsent));
    const operation = operationOf(call, unsent, description);
    if (operation !== undefined) await unlessAborted(unsent, bounded(record(operation), call.signal));
  } catch (error) {
    if (error instanceof PaymentsError) Error.captureStackTrace?.(error, plan);
    throw error;
  }
}

/** Checks the options, chooses the idempotency key, and checks and encodes the parameters. */
function encode<T, Options extends CallOptions>(
  identity: RunningCall,
  description: CallDescription<T, Options>,
): UnsentCall<Options> {
  const { operation, keyedAs = operation, movesMoney, route, secret, params, encoding } = description;
  const options = acceptOptions(identity, description.options, description.optionsSchema);
  const idempotencyKey = encoding.isKeyed
    ? chooseIdempotencyKey(operation, options, movesMoney, keyedAs)
    : undefined;
  const encoded = encoding.encode(params, identity, options);
  return { identity, route, movesMoney, secret, options, idempotencyKey, encoded };
}

/** Returns the current value of the secret. The call's time limit applies, since a provider function may hang. */
function credentialOf(unsent: UnsentCall): string | Promise<string> {
  const { identity, secret, options } = unsent;
  const { keyOption, value } = secret;
  if (typeof value === 'string') return value;
  const { redactor, totalTimeout } = identity.connection;
  const wait = { redactor, signal: options.signal, totalTimeout: options.totalTimeout ?? totalTimeout };
  return unlessAborted(
    unsent,
    currentSecret(keyOption, value, wait, () => factsOf(unsent)),
  );
}

/** Sends a call. A journal records it before and after, or returns its recorded response. */
function sendRecorded<T, Options extends CallOptions>(
  call: PreparedCall,
  unsent: UnsentCall,
  description: CallDescription<T, Options>,
): Promise<Sent> {
  const { journal } = call.connection;
  const operation = journal && operationOf(call, unsent, description);
  if (journal === undefined || operation === undefined) return sendWithRetries(call);
  const answer = journal.run(operation, () => sendWithRetries(call));
  return unlessAborted(unsent, answer).then((sent) =>
    'response' in sent ? sent : { call, response: sent, attempts: 0, outcome: 'executed', isRecorded: true },
  );
}

/** Returns what a journal records of a call; `undefined` for one that moves no money, or has no id. */
function operationOf<T, Options extends CallOptions>(
  call: PreparedCall,
  { identity, route, secret, options, encoded }: UnsentCall,
  { movesMoney, returns }: CallDescription<T, Options>,
): JournaledOperation | undefined {
  const operationId = movesMoney ? (options.operationId ?? options.idempotencyKey) : undefined;
  if (operationId === undefined) return undefined;
  const { connection, idempotencyKey, signal, credential } = call;
  const { operation } = identity;
  const { method } = route;
  const { path, query, body } = encoded;
  const content = body.kind === 'form' ? body.record() : { content: body.text ?? '' };
  return {
    ...content,
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
    timeLimit: call.bounds.totalTimeout,
    signal,
    warn: (problem) => {
      const { callId } = identity;
      connection.observer.warn(`${operation}: ${problem}`, { callId, operation });
    },
  };
}

/** Waits for what comes before the request. If the signal ends the wait, nothing was sent. */
async function unlessAborted<T>(unsent: UnsentCall, wait: Promise<T>): Promise<T> {
  try {
    return await wait;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw abortedBySignal(factsOf(unsent), { cause: unsent.options.signal?.reason });
  }
}

function factsOf({ identity, route, movesMoney, idempotencyKey }: UnsentCall): CallFacts {
  const { operation } = identity;
  return { operation, method: route.method, movesMoney, idempotencyKey, attempts: 0 };
}

/** Reads a response. An error of it gets its request id. */
function read<T>({ call, response }: Sent, readIt: () => T): T {
  try {
    return readIt();
  } catch (error) {
    if (error instanceof PaymentsError) {
      Object.assign(error, { requestId: requestIdOf(call, response.headers) });
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
