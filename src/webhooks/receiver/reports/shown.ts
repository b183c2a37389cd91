/** The parts of a delivery that log lines may show: never a secret, and a body at most in the message of a test event's error. */

import { PaymentsError } from '../../../base/errors.ts';
import { errorCode, messageOf } from '../../../base/functions.ts';
import { Redactor } from '../../../base/redact.ts';

const redactor = /* @__PURE__ */ new Redactor();

/** The known part of a delivery's event. */
export interface EventName {
  readonly type: string | undefined;
  readonly eventId: string | undefined;
}

/** Returns the id and type of an event, each `undefined` if it may contain a secret. */
export function shownEvent({ type, eventId }: EventName): EventName {
  return {
    type: type === undefined ? undefined : redactor.code(type),
    eventId: eventId === undefined ? undefined : redactor.id(eventId),
  };
}

/** Returns `refund.failed evt_1`, or the part of it that is known and safe. */
export function nameOfEvent(event: EventName): string {
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
export function shownError(error: unknown): object {
  return error instanceof PaymentsError ? error.toJSON() : nameOfError(error);
}

/** How many lines of a stack are shown: the message, and the calls nearest to it. */
const maxStackLines = 12;

/** Returns the message and the stack of an error as lines of their own, without known secrets and card numbers. */
export function shownStack(error: unknown): string {
  const stack: unknown = error instanceof Error ? error.stack : undefined;
  return (typeof stack === 'string' ? stack : messageOf(error))
    .split('\n', maxStackLines)
    .map((line) => `\n  ${redactor.text(line)}`)
    .join('');
}
