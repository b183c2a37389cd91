import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { State } from '../domain/state.ts';
import { actionsOf } from './actions.ts';
import { type Facts, factsOf, type KnownObject, moneyOfObject } from './facts.ts';
import { type Group, groupEntries } from './group.ts';
import { findLikelyDuplicates } from './likely-duplicates.ts';
import { ownPrefixes } from './links.ts';
import { notesOf } from './notes.ts';
import type { Recording } from './recording.ts';
import { type SentRequest, sentRequests } from './sent-requests.ts';
import { shownEntry } from './shown-entry.ts';
import type { Story, StoryObject, StorySummary } from './story.ts';
import { judge } from './verdict.ts';

/** An order with its facts. */
interface Order {
  readonly group: Group;
  readonly facts: Facts;
  readonly sent: readonly SentRequest[];
  readonly title: string;
}

function titleOf({ entries }: Group, { objects }: Facts): string {
  const named = entries.find((entry) => entry.kind === 'request' && entry.operationId !== null);
  if (named?.kind === 'request' && named.operationId !== null) return named.operationId;
  const form = entries.find((entry) => entry.kind === 'request' && entry.operation === 'transact.submit');
  const order = form?.kind === 'request' ? new URLSearchParams(form.request.body ?? '').get('orderid') : null;
  if (order) return order;
  const [first] = entries;
  return objects[0]?.id ?? (first?.kind === 'request' ? (first.requestId ?? first.path) : '');
}

function orderOf(group: Group): Order {
  const facts = factsOf(group);
  return { group, facts, sent: sentRequests(facts), title: titleOf(group, facts) };
}

function stateOf({ fields, isRemoved }: KnownObject): string | null {
  const status = fields['status'];
  return isRemoved || typeof status !== 'string' ? null : status;
}

/** The stories of a recording. They are computed on demand, and cached until the next entry. */
export class Stories {
  readonly #recording: Recording;
  readonly #state: State;
  #version = -1;
  #orders: readonly Order[] = [];
  #duplicates: ReadonlyMap<Order, Order> = new Map();
  #deliveries: ReadonlyMap<string, readonly SandboxDelivery[]> = new Map();

  constructor(recording: Recording, state: State) {
    this.#recording = recording;
    this.#state = state;
  }

  /** Returns all stories, newest first. */
  list(): readonly StorySummary[] {
    this.#read();
    return this.#orders.map((order) => this.#summaryOf(order)).reverse();
  }

  /** Finds a story by an operation id, a key, or the id of an object, an event, a delivery or a request. */
  find(id: string): Story | undefined {
    this.#read();
    const order = this.#orderOf(id);
    return order === undefined ? undefined : this.#storyOf(order);
  }

  /** Returns the same without its entries. */
  summaryOf(id: string): StorySummary | undefined {
    this.#read();
    const order = this.#orderOf(id);
    return order && this.#summaryOf(order);
  }

  /** Returns the story with the same amount and customer at nearly the same time. */
  duplicateOf(id: string): Story | undefined {
    this.#read();
    const order = this.#orderOf(id);
    const duplicate = order && this.#duplicates.get(order);
    return duplicate && this.#storyOf(duplicate);
  }

  /** Returns the id of the story that an entry belongs to. */
  storyOf(number: number): string | undefined {
    this.#read();
    const order = this.#orders.find(({ group }) => group.entries.some((entry) => entry.number === number));
    return order && idOf(order);
  }

  #read(): void {
    const { version, entries } = this.#recording;
    if (version === this.#version) return;
    this.#version = version;
    const { subscription_invoice, delivery } = this.#state.objects;
    const groups = groupEntries(entries, {
      prefixes: ownPrefixes(this.#state.settings.forms.prefixes),
      subscriptionOf: (invoice) => subscription_invoice.get(invoice)?.subscription,
    });
    this.#orders = groups.map(orderOf);
    this.#duplicates = findLikelyDuplicates(this.#orders.map((order) => [order, order.facts]));
    this.#deliveries = byEvent(delivery.all());
  }

  #orderOf(id: string): Order | undefined {
    const names = ['operation', 'object', 'key', 'order', 'event', 'delivery', 'request'].map(
      (kind) => `${kind} ${id}`,
    );
    return this.#orders.findLast(({ group }) => names.some((name) => group.names.has(name)));
  }

  #emailOf(customer: string | null): string | null {
    return this.#state.objects.customer.get(customer ?? '')?.email || null;
  }

  #deliveriesOf({ group }: Order): readonly SandboxDelivery[] {
    const events = [...group.names].flatMap((name) => (name.startsWith('event ') ? [name.slice(6)] : []));
    return events.flatMap((event) => this.#deliveries.get(event) ?? []);
  }

  #summaryOf(order: Order): StorySummary {
    const { group, facts, sent, title } = order;
    const { captured, disputed, money, customer, email } = facts;
    const deliveries = this.#deliveriesOf(order);
    const times = group.entries.map(({ at }) => at);
    return {
      id: idOf(order),
      title,
      startedAt: Math.min(...times),
      endedAt: Math.max(...times),
      money,
      charges: captured.length,
      net: captured.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0) - disputed,
      attempts: Math.max(0, ...sent.map(({ attempts }) => attempts.length)),
      notes: notesOf(group.entries, captured),
      webhooks: {
        delivered: deliveries.filter(({ status }) => status === 'delivered').length,
        failing: deliveries.filter(isFailing).length,
        total: deliveries.filter(({ status }) => status !== 'canceled').length,
      },
      ...judge(facts, sent, this.#duplicates.get(order)?.title),
      customer,
      email: email ?? this.#emailOf(customer),
    };
  }

  #storyOf(order: Order): Story {
    const { group, facts } = order;
    const operationIds = facts.requests.flatMap(({ operationId }) => operationId ?? []);
    return {
      ...this.#summaryOf(order),
      operationIds: [...new Set(operationIds)],
      objects: facts.objects.map(toStoryObject),
      entries: group.entries.map(shownEntry),
      actions: actionsOf(order, this.#deliveriesOf(order)),
      isCut: this.#recording.isCut,
    };
  }
}

function byEvent(deliveries: readonly SandboxDelivery[]): ReadonlyMap<string, readonly SandboxDelivery[]> {
  const grouped = new Map<string, SandboxDelivery[]>();
  for (const delivery of deliveries) {
    const others = grouped.get(delivery.eventId);
    if (others === undefined) grouped.set(delivery.eventId, [delivery]);
    else others.push(delivery);
  }
  return grouped;
}

function idOf({ title }: Order): string {
  return title;
}

function isFailing({ status, attempts }: SandboxDelivery): boolean {
  return status === 'failed' || status === 'dropped' || (status === 'pending' && attempts.length > 0);
}

function toStoryObject(object: KnownObject): StoryObject {
  const { kind, id } = object;
  return { kind, id, state: stateOf(object), money: moneyOfObject(object) };
}
