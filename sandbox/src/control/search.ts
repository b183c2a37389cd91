import { loggedOperationId, operationIdOf } from '../api/operation-id.ts';
import { objectIn, respond } from '../api/reply.ts';
import { readCount } from '../api/request/pagination.ts';
import { parseJson } from '../base/json.ts';
import { minorUnitsOf, moneyText } from '../domain/amounts.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import { resourceSchemas } from '../sdk.ts';
import type { Collection, Identified } from '../store/collection.ts';
import { type StorySummary, verdictWords } from '../stories/story.ts';
import type { ControlContext } from './control-context.ts';
import { nameIn, objectMatcher, textMatcher } from './matching.ts';
import { stateOf } from './object-routes.ts';
import type { ReadRoute } from './read-route.ts';
import { matchesStory } from './story-routes.ts';

export interface Found {
  readonly kind: string;
  readonly id: string;
  /** A description, such as `$55.00 payment intent`. */
  readonly title: string;
  /** Details that distinguish it, such as its state and its id. */
  readonly detail: string;
  /** Its address in the dashboard. */
  readonly href: string;
}

/** How many objects of each kind are scanned, newest first. An exact id is found among all. */
const depth = 10_000;

/** The searched kinds, most relevant first. */
const kinds: readonly string[] = [...Object.keys(resourceSchemas), 'transaction'];

function moneyIn(object: Readonly<Record<string, unknown>>): string | undefined {
  const amount = object['amount'] ?? object['amount_total'] ?? object['total'];
  const { currency } = object;
  if (typeof currency !== 'string') return undefined;
  if (typeof amount === 'string') return moneyText(minorUnitsOf(amount), currency);
  return typeof amount === 'number' ? moneyText(amount, currency) : undefined;
}

function describeObject(kind: string, label: string, object: Identified): Found {
  const record: Readonly<Record<string, unknown>> = { ...object };
  const money = moneyIn(record);
  const title = money === undefined ? nameIn(record) || label : `${money} ${label}`;
  const email = record['email'] ?? record['customer_email'];
  const state = kind === 'customer' ? null : stateOf(kind, object);
  const detail = [object.id, state, email]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' · ');
  return { kind, id: object.id, title, detail, href: `#/objects/${kind}/${encodeURIComponent(object.id)}` };
}

function describeEvent({ id, type, created }: SandboxEvent): Found {
  return { kind: 'event', id, title: type, detail: `${id} · ${created}`, href: `#/activity/${id}` };
}

function describeDelivery({ id, eventId, type, url, status }: SandboxDelivery): Found {
  const detail = `${id} · ${status} · ${url}`;
  return { kind: 'delivery', id, title: `Delivery of ${type}`, detail, href: `#/activity/${eventId}` };
}

class Search {
  readonly #objects: State['objects'];
  readonly #collections: ReadonlyMap<string, Collection<Identified>>;
  readonly #text: string;

  constructor({ objects }: State, text: string) {
    this.#objects = objects;
    this.#collections = new Map(Object.entries<Collection<Identified>>(objects));
    this.#text = text;
  }

  /** Yields the results, best first. */
  *found(): Generator<Found> {
    yield* this.#byExactId();
    yield* this.#byOperation();
    yield* this.#byText();
    yield* this.#events();
  }

  #describe(kind: string, id: string): Found | undefined {
    const collection = this.#collections.get(kind);
    const object = kinds.includes(kind) ? collection?.get(id) : undefined;
    return object === undefined ? undefined : describeObject(kind, collection?.label ?? kind, object);
  }

  *#byExactId(): Generator<Found> {
    for (const kind of kinds) {
      const found = this.#describe(kind, this.#text);
      if (found !== undefined) yield found;
    }
    const event = this.#objects.event.get(this.#text);
    if (event !== undefined) yield describeEvent(event);
    const delivery = this.#objects.delivery.get(this.#text);
    if (delivery !== undefined) yield describeDelivery(delivery);
  }

  *#byOperation(): Generator<Found> {
    const holds = textMatcher(this.#text);
    for (const { id: key, reply } of this.#objects.reply.page({ limit: depth })) {
      const operationId = operationIdOf(key) ?? key;
      if (!holds(operationId)) continue;
      const { object: kind = '', id = '' } = objectIn(parseJson(reply.body)) ?? {};
      const found = this.#describe(kind, id);
      if (found !== undefined)
        yield { ...found, detail: `${loggedOperationId(operationId)} · ${found.detail}` };
    }
  }

  *#byText(): Generator<Found> {
    const matches = objectMatcher(this.#text);
    for (const kind of kinds) {
      const collection = this.#collections.get(kind);
      if (collection === undefined) continue;
      for (const object of collection.page({ limit: depth })) {
        if (matches(object)) yield describeObject(kind, collection.label, object);
      }
    }
  }

  *#events(): Generator<Found> {
    const holds = textMatcher(this.#text);
    for (const event of this.#objects.event.page({ limit: depth })) {
      if (holds(event.id, event.type)) yield describeEvent(event);
    }
    for (const delivery of this.#objects.delivery.page({ limit: depth })) {
      if (holds(delivery.id, delivery.url)) yield describeDelivery(delivery);
    }
  }
}

/** Searches objects, events and deliveries by id or its prefix, operation id, e-mail address, name or amount. */
function search(state: State, text: string, limit: number): readonly Found[] {
  const found = new Map<string, Found>();
  for (const one of new Search(state, text.trim()).found()) {
    const name = `${one.kind} ${one.id}`;
    if (!found.has(name)) found.set(name, one);
    if (found.size === limit) break;
  }
  return [...found.values()];
}

const size = 10;
const mostFound = 100;

function describeStory({ id, title, money, verdict, reason }: StorySummary): Found {
  const amount = money === null ? '' : ` · ${moneyText(money.amount, money.currency)}`;
  return {
    kind: 'operation',
    id,
    title: title + amount,
    detail: `${verdictWords[verdict]} · ${reason}`,
    href: `#/stories/${encodeURIComponent(id)}`,
  };
}

/** Searches everything. Operations come first. */
function searchAll({ state, storyLog }: ControlContext, query: URLSearchParams): Response {
  const text = (query.get('q') ?? '').trim();
  const limit = readCount(query, 'limit', 1, mostFound) ?? size;
  if (text === '') return respond({ data: [] });
  const stories = storyLog.stories.list().filter(matchesStory(text));
  return respond({
    data: [...stories.map(describeStory), ...search(state, text, limit)].slice(0, limit),
  });
}

/** The search. */
export const searchRoutes: readonly ReadRoute[] = [
  {
    path: '/search',
    query: ['q', 'limit'],
    body: '{ data: [{ kind, id, title, detail, href }] }',
    answers:
      'Stories of the kind `operation`, then objects, events and deliveries, by an id or its start, an operation id, an e-mail address, a name or an amount such as `$55`.',
    read: (sandbox, { query }) => searchAll(sandbox, query),
  },
];
