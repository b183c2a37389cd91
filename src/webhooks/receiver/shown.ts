/** The parts of a delivery that log lines may show: never a body or a secret. */

import { PaymentsError } from '../../base/errors.ts';
import { Redactor } from '../../base/redact.ts';
import { errorCode } from '../../base/thrown.ts';

const redactor = new Redactor();

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
