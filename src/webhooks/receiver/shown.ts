/** What log lines show of a delivery: nothing that may hold a body or a secret. */

import { errorCode } from '../../base/error-code.ts';
import { PaymentsError } from '../../base/errors.ts';
import { Redactor } from '../../base/redact.ts';

const redactor = new Redactor();

/** A delivery's event, as far as it is known. */
export interface EventName {
  readonly type: string | undefined;
  readonly eventId: string | undefined;
}

/** The id and the type of an event, each `undefined` where it may hold a secret. */
export function shownEvent({ type, eventId }: EventName): EventName {
  return {
    type: type === undefined ? undefined : redactor.code(type),
    eventId: eventId === undefined ? undefined : redactor.id(eventId),
  };
}

/** `refund.failed evt_1`, or as much of it as is known and may be shown. */
export function nameOfEvent(event: EventName): string {
  if (event.eventId === undefined) return 'a delivery';
  const { type = 'an event', eventId = '(its id looks like a secret)' } = shownEvent(event);
  return `${type} ${eventId}`;
}

/** The name and the code of an error, without its message, which may quote a body or a secret. */
function nameOfError(error: unknown): { readonly name: string; readonly code?: string | undefined } {
  if (!(error instanceof Error)) return { name: 'a value that is not an Error' };
  const code = errorCode(error);
  return {
    name: redactor.code(error.name) ?? 'an Error',
    code: typeof code === 'string' ? redactor.code(code) : undefined,
  };
}

/** The same as text. */
export function textOfError(error: unknown): string {
  const { name, code } = nameOfError(error);
  return code === undefined ? name : `${name} (${code})`;
}

/** An error as the field of a log line. The messages of our own errors hold no secret. */
export function shownError(error: unknown): object {
  return error instanceof PaymentsError ? error.toJSON() : nameOfError(error);
}
