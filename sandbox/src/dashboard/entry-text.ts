import { errorIn } from '../api/reply.ts';
import { parseJson } from '../base/json.ts';
import type { Entry, RecordedAction, RecordedChange, RecordedRequest } from '../stories/entry.ts';
import { heading, moneyText, words } from './kit/values.tsx';

type Snapshot = RecordedChange['after'];

/** Returns a text field of an object; `undefined` if it has no such field. */
function textOf(object: Snapshot, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the state of an object, which most kinds call `status`. */
export function stateOf(object: Snapshot): string | undefined {
  return textOf(object, 'status') ?? textOf(object, 'state');
}

/** Returns the amount of an object as text; `undefined` if it has none. */
export function amountOf(object: Snapshot): string | undefined {
  const amount = object?.['amount'] ?? object?.['amount_total'];
  const currency = textOf(object, 'currency');
  return typeof amount === 'number' && currency !== undefined ? moneyText(amount, currency) : undefined;
}

/** Names the fields that a change set, besides its time. */
function changedFields(before: Snapshot, after: Snapshot): string {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => name !== 'updated_at' && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  );
  return names.map(words).join(', ');
}

function changeText({ object, before, after }: RecordedChange): string {
  const kind = heading(object.kind);
  const amount = amountOf(after ?? before);
  const named = amount === undefined ? kind : `${kind} ${amount}`;
  if (after === null) return `${named} removed`;
  const [from, to] = [stateOf(before), stateOf(after)];
  if (before === null) return `${named} ${to === undefined ? 'created' : words(to)}`;
  if (to !== undefined && from !== to) return `${named} ${words(to)}`;
  return `${kind}: ${changedFields(before, after) || 'no change'}`;
}

function actionText({ name, details }: RecordedAction): string {
  const detail = Object.values(details).find(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return detail === undefined ? name : `${name}: ${detail}`;
}

/** Returns a short description of an entry. */
export function entryText(entry: Entry): string {
  switch (entry.kind) {
    case 'request':
      return entry.operation ?? `${entry.method} ${entry.path}`;
    case 'change':
      return changeText(entry);
    case 'delivery':
      return entry.event.type;
    case 'action':
      return actionText(entry);
  }
}

/** The error in a response of the service. */
interface ReplyError {
  readonly code: string;
  readonly message: string;
  /** The wrong field; `undefined` if the error names none. */
  readonly param: string | undefined;
}

/** Returns the error of a response; `undefined` if there is none, or it has an unknown shape. */
export function errorOf({ reply }: RecordedRequest): ReplyError | undefined {
  if (reply === null || reply.status < 400 || reply.body === null) return undefined;
  const { code, message, param } = errorIn(parseJson(reply.body));
  return code === undefined || message === undefined ? undefined : { code, message, param };
}

/** Explanations of the idempotency errors. */
const meanings: Readonly<Record<string, string>> = {
  IDEMPOTENCY_KEY_TOO_LONG:
    'The idempotency key is longer than 255 characters. The request was not executed.',
  IDEMPOTENCY_KEY_IN_PROGRESS:
    'An earlier request with this key is still being processed. Send it again with the same key.',
  IDEMPOTENCY_BODY_MISMATCH:
    'An earlier request used this key with another body. This request was not executed: compare the two bodies.',
  IDEMPOTENCY_ROUTE_CONFLICT:
    'An earlier request used this key for another route. This request was not executed: derive the key from the operation too.',
  IDEMPOTENCY_STORE_UNAVAILABLE:
    'The service could not check the key, so it did not execute the request. Send it again with the same key.',
};

/** Returns the explanation of an error; `undefined` if its message is enough. */
export function meaningOf({ code }: ReplyError): string | undefined {
  return Object.hasOwn(meanings, code) ? meanings[code] : undefined;
}
