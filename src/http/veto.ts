/** The option `beforeCall`: what it is shown of a call, and what it may answer. */

import { configurationError } from '../base/errors.ts';
import { describeValue } from '../base/issue.ts';
import { howMuch } from '../base/json.ts';
import { isLikeCardNumber, isSensitiveName, placeholder } from '../base/redact.ts';
import { bounded, Interrupted } from '../base/time.ts';
import { type Call, type Encoded, sentFields } from './call.ts';
import type { BeforeCall, CallToCheck } from './client/before-call.ts';
import { abortedBySignal, refusedByVeto, timeoutOf } from './failure/call-errors.ts';
import { safeCause } from './failure/network-failure.ts';

/** Characters of a text that are shown. */
const maxShown = 8 * 1024;

/**
 * Asks whether a call may be sent. The time limit of the call applies, since the answer may never come.
 *
 * @throws CallRefusedError when it may not.
 * @throws ConfigurationError when the answer is a value, which may be meant as a refusal.
 * @throws TimeoutError when no answer comes in time.
 * @throws RequestAbortedError when the signal is aborted.
 */
export async function askBeforeCall(beforeCall: BeforeCall, call: Call, encoded: Encoded): Promise<void> {
  const { signal, limits, startedAt } = call;
  const remaining = Math.max(1, limits.totalTimeout - (performance.now() - startedAt));
  try {
    if (signal?.aborted) throw new Interrupted('aborted');
    await bounded(answerOf(beforeCall, call, callToCheck(call, encoded)), signal, remaining);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (error.reason === 'aborted') throw abortedBySignal(call, { cause: signal?.reason });
    throw timeoutOf(call, 'TOTAL_TIMEOUT', limits.totalTimeout, {}, 'answer of beforeCall');
  }
}

/** Waits for the answer, and takes what it throws for a refusal. */
async function answerOf(beforeCall: BeforeCall, call: Call, shown: CallToCheck): Promise<void> {
  let answer: unknown;
  try {
    answer = await beforeCall(shown);
  } catch (error) {
    throw refusedByVeto(call, safeCause(error, call.redactor));
  }
  if (answer === undefined) return;
  const expected = 'nothing, or an error that it throws to refuse the call';
  const issue = { path: 'beforeCall()', expected, received: describeValue(answer, 'beforeCall()', true) };
  throw configurationError([issue], `Nothing was sent or recorded by ${call.operation}: correct beforeCall.`);
}

function callToCheck(call: Call, encoded: Encoded): CallToCheck {
  const { callId, operation, method, movesMoney, operationId, operationKey, redactor } = call;
  const [query, body] = sentFields(encoded);
  return Object.freeze({
    callId,
    operation,
    method,
    path: redactor.text(call.path),
    movesMoney,
    operationId,
    operationKey,
    // The characters of a text would be fields, each too short to look like a card.
    params: shownFields({ ...query, ...(typeof body === 'object' ? body : {}) }, call),
  });
}

function shownFields(fields: object, call: Call): Readonly<Record<string, unknown>> {
  const shown = Object.entries(fields).map(([name, value]) => [
    // Not what the call itself must hide: a buyer's token that reads `amount` would hide that name.
    call.connection.redactor.text(name),
    shownValue(value, name, call),
  ]);
  return Object.freeze(Object.fromEntries(shown));
}

/** Whether a value is an amount, as every method takes it. One with the digits of a card is none. */
function isAmount(value: string | number): boolean {
  return (
    (typeof value === 'number' || /^\d{1,15}(?:\.\d{1,4})?$/.test(value)) && !isLikeCardNumber(Number(value))
  );
}

function shownValue(value: unknown, name: string, call: Call): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map((item) => shownValue(item, name, call)));
  if (typeof value === 'object' && value !== null) return shownFields(value, call);
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  if (isSensitiveName(name)) return placeholder;
  // Not by value: a limit would never see an amount with the digits of the buyer's CVV.
  if (howMuch.test(name) && isAmount(value)) return value;
  if (typeof value === 'string') return call.redactor.text(value, maxShown);
  return isLikeCardNumber(value) ? placeholder : value;
}
