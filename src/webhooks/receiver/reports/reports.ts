import { PaymentsError } from '../../../base/errors.ts';
import { errorCode, isolate, messageOf } from '../../../base/functions.ts';
import { type Logger, writeLine } from '../../../base/logger.ts';
import { Redactor } from '../../../base/redact.ts';
import { minute } from '../../../base/time.ts';
import type { WebhookEvent } from '../../events/event.ts';
import type { ActiveOptions } from '../options.ts';
import type { DeliveryFailure, DeliveryOutcome, DeliveryReport } from './report.ts';

/**
 * The part that failed. `verification` is a refused delivery. `receiver` covers bodies that no handler can read, and a call with
 * the arguments of another framework. `schema` is an event that was handled although its form differs from the interface.
 */
export type FailedPart = 'handler' | 'queue' | 'store' | 'verification' | 'receiver' | 'schema';

/** The observers of a receiver. Their errors are ignored: a failing log must not make the service redeliver the event. */
export type Watchers = Pick<ActiveOptions<never>, 'onError' | 'onDelivery' | 'logger'>;

/** The log level of each outcome. Anyone can send a delivery that is refused. */
const levels: Readonly<Record<DeliveryOutcome, keyof Logger>> = {
  handled: 'debug',
  enqueued: 'debug',
  kept: 'info',
  duplicate: 'debug',
  in_progress: 'debug',
  draining: 'debug',
  refused: 'info',
  failed: 'error',
};

/** When the console last got a line about a cause. */
const noticed = /* @__PURE__ */ new Map<string, number>();
/** Causes that are remembered. Their names are those of errors, so a program has few. */
const maxCauses = 100;

/** Example: `the store failed on refund.failed evt_1`. */
function nameOfFailure(part: FailedPart, { event }: DeliveryFailure): string {
  return `the ${part} failed on ${nameOfEvent({ type: event?.type, eventId: event?.id })}`;
}

/** Returns the message of an error of ours, which holds no secret. Other messages may quote a body or a secret. */
function causeOf(error: unknown): string {
  return error instanceof PaymentsError ? error.message : `${textOfError(error)}.`;
}

/**
 * Writes a failure to the console, once a minute for each cause. The stack of an error is shown only for a test event, since messages
 * quote bodies.
 */
function noticeEachMinute(part: FailedPart, failure: DeliveryFailure): void {
  const { error, event } = failure;
  const cause = `${part} ${textOfError(error)}`;
  const now = performance.now();
  if (now - (noticed.get(cause) ?? Number.NEGATIVE_INFINITY) < minute) return;
  if (noticed.size >= maxCauses) noticed.clear();
  noticed.set(cause, now);
  const advice =
    'Pass onError to webhooks.receiver() to log each failure: without it, each cause is logged once a minute.';
  const failed = `payments-client: ${nameOfFailure(part, failure)}: ${causeOf(error)} ${advice}`;
  const isTest = part === 'handler' && event?.livemode === false;
  // oxlint-disable-next-line no-console -- without onError no one else reports the failure
  console.error(isTest ? failed + shownStack(error) : failed);
}

/**
 * Reports a failure to `onError`. Without `onError` and a logger, writes it to the console, once a minute for each cause.
 * The logger receives the failure with the report of its delivery.
 */
export function reportFailure(
  { onError, logger }: Watchers,
  part: FailedPart,
  failure: DeliveryFailure,
): void {
  if (onError !== undefined) isolate(() => onError(failure));
  else if (logger === undefined) isolate(() => noticeEachMinute(part, failure));
}

/** Reports an event that was handled although its form differs from the interface. */
export function reportDrift(watchers: Watchers, failure: DeliveryFailure): void {
  reportFailure(watchers, 'schema', failure);
  isolate(() => {
    const { event, error } = failure;
    const name = nameOfEvent({ type: event?.type, eventId: event?.id });
    const message = `webhooks: ${name} differs from the interface; it was handled as it is`;
    writeLine(watchers.logger, 'warn', message, { error: shownError(error) });
  });
}

/** The receivers that have reported an event without a time. */
const undated = /* @__PURE__ */ new WeakSet<object>();

/** Reports once for each receiver that an event has no usable time, so that a replay cannot be told by its age. */
export function reportUndated(watchers: Watchers, event: WebhookEvent | undefined, error: unknown): void {
  if (undated.has(watchers)) return;
  undated.add(watchers);
  reportDrift(watchers, { error, outcome: 'handled', event });
}

/** Reports a failure outside the report of a delivery: a wrongly mounted receiver, or a claim that could not be released. */
export function reportLoneFailure(watchers: Watchers, part: FailedPart, failure: DeliveryFailure): void {
  reportFailure(watchers, part, failure);
  isolate(() => {
    const error = shownError(failure.error);
    writeLine(watchers.logger, 'error', `webhooks: ${nameOfFailure(part, failure)}`, { part, error });
  });
}

function fieldsOf(report: DeliveryReport): object {
  const error = report.error === undefined ? undefined : shownError(report.error);
  const objectId = report.objectId === undefined ? undefined : redactor.id(report.objectId);
  const fields = { ...report, ...shownEvent(report), objectId, error };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reports the outcome of a delivery. Every delivery passes through here, whatever its framework and outcome. */
export function reportDelivery({ onDelivery, logger }: Watchers, report: DeliveryReport): void {
  if (onDelivery !== undefined) isolate(() => onDelivery(report));
  if (logger === undefined) return;
  isolate(() => {
    const message = `webhooks: ${nameOfEvent(report)} ${report.outcome}`;
    writeLine(logger, levels[report.outcome], message, fieldsOf(report));
  });
}

// What log lines may show of a delivery: never a secret, and a body at most in the message of a test event's error.

const redactor = /* @__PURE__ */ new Redactor();

/** The known part of a delivery's event. */
interface EventName {
  readonly type: string | undefined;
  readonly eventId: string | undefined;
}

/** Returns the id and type of an event, each `undefined` if it may contain a secret. */
function shownEvent({ type, eventId }: EventName): EventName {
  return {
    type: type === undefined ? undefined : redactor.code(type),
    eventId: eventId === undefined ? undefined : redactor.id(eventId),
  };
}

/** Returns `refund.failed evt_1`, or the part of it that is known and safe. */
function nameOfEvent(event: EventName): string {
  if (event.eventId === undefined) return 'a delivery';
  const { type = 'an event', eventId = '(its id looks like a secret)' } = shownEvent(event);
  return `${type} ${eventId}`;
}

/** Returns the name and code of an error, without its message, which may quote a body or a secret. */
function nameOfError(error: unknown): { readonly name: string; readonly code?: string | undefined } {
  if (!(error instanceof Error)) return { name: 'a value that is not an Error' };
  const code = errorCode(error);
  return {
    name: redactor.code(error.name) ?? 'an Error',
    code: typeof code === 'string' ? redactor.code(code) : undefined,
  };
}

/** Returns the error as text. */
export function textOfError(error: unknown): string {
  const { name, code } = nameOfError(error);
  return code === undefined ? name : `${name} (${code})`;
}

/** Returns an error as a field of a log line. Messages of our own errors contain no secret. */
function shownError(error: unknown): object {
  return error instanceof PaymentsError ? error.toJSON() : nameOfError(error);
}

/** How many lines of a stack are shown: the message, and the calls nearest to it. */
const maxStackLines = 12;

/** Returns the message and the stack of an error as lines of their own, without known secrets and card numbers. */
function shownStack(error: unknown): string {
  const stack: unknown = error instanceof Error ? error.stack : undefined;
  return (typeof stack === 'string' ? stack : messageOf(error))
    .split('\n', maxStackLines)
    .map((line) => `\n  ${redactor.text(line)}`)
    .join('');
}
