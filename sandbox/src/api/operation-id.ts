import { placeholder, Redactor, redact } from '../sdk.ts';

/** Keys of this package: a version, the operation, and the caller's operation id. */
const ownKey = /^(pc1:[^:]+:)(.+)$/s;

/** Decodes `~` and four hexadecimal digits, the escape of UTF-16 units outside the plain ones. */
function unescapeUnits(text: string): string {
  return text.replace(/~([\da-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

/** Returns the operation id in an idempotency key; `null` if there is none. It may hold the number of a card. */
export function operationIdOf(key: string | null | undefined): string | null {
  const [, , id] = ownKey.exec(key ?? '') ?? [];
  return id === undefined ? null : unescapeUnits(id);
}

/** What the operation id of a payment or a refund says that `payments-client/orders` made. */
interface OrderOperation {
  /** The app's own id of the order. */
  readonly id: string;
  /** The name of the order's record: its account, its id and the time of its row. An id that is issued again has another one. */
  readonly record: string;
  /** The operation id, redacted. Its parts hold no card number together: a number in front of a time is none. */
  readonly shown: string;
}

/** The account, the id and the time of the row; and the record's random id, the number of the operation, and that of a card. */
const ofOrder =
  /^orders:([\w.-]{1,64})\/order\/(.{1,200})@([^@]{1,64})(\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/\d{1,6}(?:\/\d{1,6})?)$/s;

/** Reads an operation id; `undefined` if `payments-client/orders` did not make it. */
export function readOrderOperation(operationId: string | null): OrderOperation | undefined {
  const found = ofOrder.exec(operationId ?? '');
  if (found === null) return undefined;
  const [, account = '', id = '', createdAt = '', number = ''] = found;
  const recordOf = (read: (part: string) => string) =>
    `orders:${read(account)}/order/${read(id)}@${read(createdAt)}`;
  return { id, record: recordOf(String), shown: recordOf(redact) + number };
}

/** The maximum length of a logged text, in characters. */
const longest = 1_000;

const redactor = new Redactor();

/** Returns a path for the log, redacted and truncated. */
export function loggedPath(path: string): string {
  return redactor.text(path, longest);
}

const redacted = (operationId: string) => readOrderOperation(operationId)?.shown ?? redact(operationId);

/** Returns an operation id for the log, redacted and truncated. */
export function loggedOperationId(operationId: string): string {
  return redacted(operationId).slice(0, longest);
}

/**
 * Returns an idempotency key for the log, redacted and truncated. A key writes signs as digits, as in `~0040` for `@`: they may hide the number of a
 * card, and those between an order's id and its time may look like one. So the operation id decides.
 */
export function loggedKey(key: string): string {
  const [, start = ''] = ownKey.exec(key) ?? [];
  const operationId = operationIdOf(key) ?? '';
  if (redacted(operationId) !== operationId) return redactor.text(start) + placeholder;
  const isOfOrder = readOrderOperation(operationId) !== undefined && /^pc1:[a-z.]+:$/i.test(start);
  return isOfOrder ? key : redactor.text(key, longest);
}
