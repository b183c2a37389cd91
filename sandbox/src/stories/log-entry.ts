import type { SandboxEvent } from '../domain/records/records.ts';

import type { Entry, RecordedAction, RecordedChange, RecordedDelivery, RecordedRequest } from './entry.ts';
import { isBulk } from './group.ts';
import type { NamedOrder } from './order-names.ts';
import { redactObject } from './redact-body.ts';
import { actionWords, requestWords } from './request-words.ts';
import { effectOf, moneyOf, type Result, resultOf } from './result.ts';
import type { Money } from './story.ts';

/** What the log adds to each entry. */
interface Placed {
  /** The id of its order; `null` if it belongs to none. */
  readonly order: string | null;
}

/** What the log adds to a request or an action. */
interface Cause extends Placed {
  /** What it does, in a word or two: `confirm`, `refund`, `trigger refund.failed`. Outside of orders: method and path. */
  readonly what: string;
  /** Its amount; `null` if it has none. */
  readonly money: Money | null;
  /** What came of it; `null` for an action whose events show it. */
  readonly result: Result | null;
}

/** What the log adds to an event or a delivery. */
interface Effect extends Placed {
  /**
   * The number of the request or the action that caused it. If time did: `null` for an event, and for a delivery the number
   * of its event.
   */
  readonly cause: number | null;
}

/** The fields of a request that the log has: neither headers nor bodies. */
type ShownField =
  | 'kind'
  | 'number'
  | 'at'
  | 'source'
  | 'requestId'
  | 'operation'
  | 'method'
  | 'path'
  | 'idempotencyKey'
  | 'operationId'
  | 'replayed'
  | 'arrived'
  | 'duration';

/** A request in the log. */
interface LoggedRequest extends Pick<RecordedRequest, ShownField>, Cause {
  /** The status of the reply; `null` if the request was lost. */
  readonly status: number | null;
}

/** An action in the log. */
interface LoggedAction extends RecordedAction, Cause {}

/** An event in the log. */
interface LoggedEvent extends Effect {
  readonly kind: 'event';
  /** The number of the change that emitted it. */
  readonly number: number;
  /** The time of the sandbox's clock, in ms since 1970. */
  readonly at: number;
  /** The event, whole in a log that is followed. */
  readonly event: SandboxEvent | RecordedChange['events'][number];
}

/** An attempt of a delivery in the log. */
interface LoggedDelivery extends Omit<RecordedDelivery, 'request'>, Effect {}

/** An entry of the log. */
export type LogEntry = LoggedRequest | LoggedAction | LoggedEvent | LoggedDelivery;

/** The causes and effects among some entries. */
class Links {
  readonly #effects: ReadonlyMap<number | null, readonly RecordedChange[]>;
  readonly #causes: ReadonlySet<number>;
  readonly #byEvent: ReadonlyMap<string, RecordedChange>;

  constructor(entries: readonly Entry[]) {
    const changes = entries.filter((entry) => entry.kind === 'change');
    const causes = entries.filter((entry) => entry.kind === 'request' || entry.kind === 'action');
    this.#effects = Map.groupBy(changes, ({ cause }) => cause);
    this.#causes = new Set(causes.filter((entry) => !isBulk(entry)).map(({ number }) => number));
    this.#byEvent = new Map(
      changes.flatMap((change) => change.events.map(({ id }) => [id, change] as const)),
    );
  }

  /** Returns the changes that a request or an action on one order made. */
  effectsOf({ number }: Entry): readonly RecordedChange[] {
    return this.#causes.has(number) ? (this.#effects.get(number) ?? []) : [];
  }

  causeOfChange({ cause }: RecordedChange): number | null {
    return cause !== null && this.#causes.has(cause) ? cause : null;
  }

  causeOfDelivery({ event }: RecordedDelivery): number | null {
    const change = this.#byEvent.get(event.id);
    return change === undefined ? null : (this.causeOfChange(change) ?? change.number);
  }
}

/** A request or an action with its changes and its order. */
interface Told {
  readonly changes: readonly RecordedChange[];
  readonly order: NamedOrder | null;
}

function loggedRequest(request: RecordedRequest, { changes, order }: Told): LoggedRequest {
  const { kind, number, at, source, requestId, operation, method, path, reply } = request;
  const { idempotencyKey, operationId, replayed, arrived, duration } = request;
  return {
    kind,
    number,
    at,
    source,
    requestId,
    operation,
    method,
    path,
    status: reply?.status ?? null,
    idempotencyKey,
    operationId,
    replayed,
    arrived,
    duration,
    order: order?.id ?? null,
    what: order === null ? `${method} ${path}` : requestWords(request),
    money: moneyOf(request, changes, order?.money ?? null),
    result: resultOf(request, changes),
  };
}

function loggedAction(recorded: RecordedAction, { changes, order }: Told): LoggedAction {
  const action = { ...recorded, details: redactObject(recorded.details) };
  const cause = { ...action, order: order?.id ?? null, what: actionWords(action) };
  if (action.name !== 'pay') return { ...cause, money: null, result: null };
  return { ...cause, money: moneyOf(undefined, changes, null), result: effectOf(changes) ?? null };
}

function loggedEvents(
  { number, at, events }: RecordedChange,
  cause: number | null,
  order: NamedOrder | null,
) {
  return events.map(
    (event): LoggedEvent => ({ kind: 'event', number, at, cause, order: order?.id ?? null, event }),
  );
}

function loggedDelivery(
  recorded: RecordedDelivery,
  cause: number | null,
  order: NamedOrder | null,
): LoggedDelivery {
  const { request: _, ...delivery } = recorded;
  return { ...delivery, cause, order: order?.id ?? null };
}

/** Finds the order of an entry with the changes that it made. */
type Namer<One> = (entry: One | RecordedChange, changes: readonly RecordedChange[]) => NamedOrder | null;

function toLog<One extends Entry>(entry: One, links: Links, orderOf: Namer<One>): readonly LogEntry[] {
  if (entry.kind === 'change') {
    const cause = links.causeOfChange(entry);
    return loggedEvents(entry, cause, orderOf({ ...entry, cause }, []));
  }
  if (entry.kind === 'delivery')
    return [loggedDelivery(entry, links.causeOfDelivery(entry), orderOf(entry, []))];
  const changes = links.effectsOf(entry);
  const order = orderOf(entry, changes);
  const told = { changes, order };
  const logged = entry.kind === 'request' ? loggedRequest(entry, told) : loggedAction(entry, told);
  if (order !== null) order.money ??= logged.money;
  return [logged];
}

/** The number of the entry that one is shown below; its own if it is below none. */
function placeOf(entry: LogEntry): number {
  return 'cause' in entry ? (entry.cause ?? entry.number) : entry.number;
}

/**
 * Returns the log of some entries: oldest first, and effects below their cause.
 *
 * @param all The entries that may be their causes and effects.
 */
export function logOf<One extends Entry>(
  entries: readonly One[],
  all: readonly Entry[],
  orderOf: Namer<One>,
): readonly LogEntry[] {
  const links = new Links(all);
  const log = entries.flatMap((entry) => toLog(entry, links, orderOf));
  const numbers = new Set(log.map(({ number }) => number));
  const rank = (entry: LogEntry) => (numbers.has(placeOf(entry)) ? placeOf(entry) : entry.number);
  return log.toSorted((one, other) => rank(one) - rank(other) || one.number - other.number);
}
