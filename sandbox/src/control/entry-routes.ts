import { anyForm, isFormOperation } from '../api/operation.ts';
import { respond } from '../api/reply.ts';
import { objectNotFound } from '../domain/problem.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { Entry } from '../stories/entry.ts';
import { redactObject, shownEntry } from '../stories/redact-body.ts';
import { failingDeliveries } from '../webhooks/publish.ts';
import { deliveriesOf } from './activity-routes.ts';
import { type ControlContext, readChoice } from './control-context.ts';
import { entryKinds, eventsOf, kindOf } from './entry-kind.ts';
import { pageOf, textMatcher } from './matching.ts';
import type { ReadRoute } from './read-route.ts';

/** A page of entries, newest first. */
export interface ListedEntries {
  readonly data: readonly Entry[];
  /** All deliveries of the events in these entries as they are now, oldest first. */
  readonly deliveries: readonly SandboxDelivery[];
  readonly has_more: boolean;
}

/** One entry, and what it caused. */
export interface ShownEntry {
  readonly entry: Entry;
  /** The changes and deliveries that it caused, oldest first. */
  readonly effects: readonly Entry[];
  /** All deliveries of the events in these entries as they are now, oldest first. */
  readonly deliveries: readonly SandboxDelivery[];
  /** The id of its story; `null` if it belongs to none. */
  readonly story: string | null;
}

/** Returns the operation of a request, and that of all forms, the event types of a change or a delivery, or the command of an action. */
function typesOf(entry: Entry): readonly (string | null)[] {
  switch (entry.kind) {
    case 'request':
      return isFormOperation(entry.operation) ? [entry.operation, anyForm] : [entry.operation];
    case 'change':
      return entry.events.map(({ type }) => type);
    case 'delivery':
      return [entry.event.type];
    case 'action':
      return [entry.name];
  }
}

/** Returns the texts that a search finds, besides the types. */
function textsOf(entry: Entry): readonly unknown[] {
  switch (entry.kind) {
    case 'request': {
      const { method, path, operationId, idempotencyKey, requestId, reply, fault } = entry;
      const marks = [entry.replayed && 'replayed', !entry.arrived && 'lost', fault?.kind];
      return [method, path, operationId, idempotencyKey, requestId, String(reply?.status ?? ''), ...marks];
    }
    case 'change':
      return [entry.object.kind, entry.object.id, ...eventsOf(entry)];
    case 'delivery':
      return [entry.deliveryId, entry.event.id, entry.object, entry.endpointId, entry.url];
    case 'action':
      return Object.values(redactObject(entry.details));
  }
}

/** Returns the status of the response to a request or a delivery, as in `2xx`; `undefined` for other entries. */
function statusOf(entry: Entry): string | undefined {
  if (entry.kind !== 'request' && entry.kind !== 'delivery') return undefined;
  const status = entry.kind === 'request' ? entry.reply?.status : entry.responseStatus;
  return typeof status === 'number' ? `${Math.floor(status / 100)}xx` : 'none';
}

/** The values of the status filter: that of the response, the last attempts of failing deliveries, or a fault. */
const statuses = ['2xx', '3xx', '4xx', '5xx', 'none', 'failing', 'fault'] as const;

/** Returns a predicate for the status filter. */
function statusMatcher({ state }: ControlContext, query: URLSearchParams): (entry: Entry) => boolean {
  const wanted = readChoice(query, 'status', statuses);
  if (wanted === null) return () => true;
  if (wanted === 'fault') return (entry) => entry.kind === 'request' && entry.fault !== null;
  if (wanted !== 'failing') return (entry) => statusOf(entry) === wanted;
  const attempts = new Map(failingDeliveries(state).map(({ id, attempts: { length } }) => [id, length]));
  return (entry) => entry.kind === 'delivery' && attempts.get(entry.deliveryId) === entry.attempt;
}

/** Returns a predicate for entries by kind, status, type and text. */
function entryMatcher(sandbox: ControlContext, query: URLSearchParams): (entry: Entry) => boolean {
  const kind = readChoice(query, 'kind', entryKinds);
  const hasStatus = statusMatcher(sandbox, query);
  const type = query.get('type');
  const isFound = textMatcher(query.get('q'));
  return (entry) => {
    if (kind !== null && kindOf(entry) !== kind) return false;
    const types = typesOf(entry);
    return (!type || types.includes(type)) && hasStatus(entry) && isFound(...types, ...textsOf(entry));
  };
}

function listEntries(sandbox: ControlContext, query: URLSearchParams): ListedEntries {
  const { storyLog, state } = sandbox;
  const found = storyLog.entries.filter(entryMatcher(sandbox, query)).reverse();
  const { data, has_more } = pageOf(found, query, ({ number }) => String(number) === query.get('before'));
  return { data: data.map(shownEntry), deliveries: deliveriesOf(state, data.flatMap(eventsOf)), has_more };
}

/** Whether an entry is an effect of another one: a change that it made, or a delivery of an event of such a change. */
function isEffect(entry: Entry, cause: number, events: readonly string[]): boolean {
  if (entry.kind === 'change') return entry.cause === cause;
  return entry.kind === 'delivery' && events.includes(entry.event.id);
}

function showEntry({ storyLog, state }: ControlContext, number: number): ShownEntry {
  const { entries, stories } = storyLog;
  const entry = entries.find((one) => one.number === number);
  if (entry === undefined) throw objectNotFound('entry', String(number));
  const emitted = entries.flatMap((one) =>
    one.kind === 'change' && one.cause === number ? eventsOf(one) : [],
  );
  const effects = entries.filter((one) => isEffect(one, number, emitted));
  return {
    entry: shownEntry(entry),
    effects: effects.map(shownEntry),
    deliveries: deliveriesOf(state, [...eventsOf(entry), ...emitted]),
    story: stories.storyOf(number) ?? null,
  };
}

/** What was recorded. */
export const entryRoutes: readonly ReadRoute[] = [
  {
    path: '/entries',
    query: ['limit', 'before', 'q', 'kind', 'status', 'type'],
    body: '{ data, deliveries, has_more }',
    answers: `What was recorded, newest first: requests with redacted headers and bodies, changes, deliveries and actions, with the deliveries of their events. A \`kind\` is one of ${entryKinds.map((kind) => `\`${kind}\``).join(', ')}; a \`status\` one of ${statuses.map((status) => `\`${status}\``).join(', ')}; a \`type\` is an operation, an event type or a command.`,
    read: (sandbox, { query }) => respond(listEntries(sandbox, query)),
  },
  {
    path: '/entries/:number',
    body: '{ entry, effects, deliveries, story }',
    answers: 'One entry, what it caused, the deliveries of its events, and the id of its story.',
    read: (sandbox, { param }) => respond(showEntry(sandbox, Number(param('number')))),
  },
];
