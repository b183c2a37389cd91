import type { RequestLog } from '../api/request-log.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { State } from '../domain/state.ts';

import type { StoreContents } from '../store/contents.ts';
import { actionsOf } from './actions.ts';
import type { KeptEntry, RecordedAction } from './entry.ts';
import { type Facts, factsOf, type KnownObject, keptOf, moneyOfObject, sentRequests } from './facts.ts';
import { type Group, groupEntries, linkSettings } from './group.ts';
import { type LogEntry, logOf } from './log-entry.ts';
import { LogStream, loggedEntries } from './log-stream.ts';
import { needOf } from './needs.ts';
import { notesOf } from './notes.ts';
import { titleOf } from './order-names.ts';
import { orderMoney } from './order-parts.ts';
import { type EntryFile, Recording } from './recording.ts';
import { shownEntry } from './redact-body.ts';
import { ofApp, ofObject } from './request-links.ts';
import type { StoryObject, StorySummary } from './story.ts';
import { findTwins, type Twins } from './twins.ts';
import { judge, type Order } from './verdict.ts';
import type { Story } from './whole-story.ts';

/** An order with the entries that it was read from. */
interface GroupedOrder extends Order {
  readonly group: Group;
}

function orderOf(group: Group): GroupedOrder {
  const facts = factsOf(group);
  return { group, facts, sent: sentRequests(facts), title: titleOf(group.entries, facts.objects) };
}

/** Returns what finds an order. If another order has a name too, the newest one is found. */
function namesOf({ group, facts }: GroupedOrder): readonly string[] {
  return [...group.names, ...facts.requests.flatMap(({ links }) => links.order?.id ?? [])];
}

function stateOf({ fields, isRemoved }: KnownObject): string | null {
  const status = fields['status'];
  return isRemoved || typeof status !== 'string' ? null : status;
}

/** The stories of a recording. They are computed on demand, and cached until the next entry. */
class Stories {
  readonly #recording: Recording;
  readonly #state: State;
  #version = -1;
  #orders: readonly GroupedOrder[] = [];
  #byName: ReadonlyMap<string, GroupedOrder> = new Map();
  #twins: ReadonlyMap<GroupedOrder, Twins<GroupedOrder>> = new Map();
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

  /** Finds a story by the app's own id of an order, an operation id, a key, or the id of an object, an event, a delivery or a request. */
  find(id: string): Story | undefined {
    this.#read();
    const order = this.#orderOf(id);
    return order === undefined ? undefined : this.#storyOf(order);
  }

  /** Returns the id of the story that an object, an event or a request belongs to. */
  idOf(id: string): string | undefined {
    this.#read();
    const order = this.#orderOf(id);
    return order && this.#idOf(order);
  }

  /** Returns the same without its entries. */
  summaryOf(id: string): StorySummary | undefined {
    this.#read();
    const order = this.#orderOf(id);
    return order && this.#summaryOf(order);
  }

  /** Returns the other stories that probably charged the same purchase. */
  twinsOf(id: string): readonly Story[] {
    this.#read();
    const order = this.#orderOf(id);
    const { orders = [] } = (order && this.#twins.get(order)) ?? {};
    return orders.filter((one) => one !== order).map((one) => this.#storyOf(one));
  }

  /** Returns the id of the story that an entry belongs to. */
  storyOf(number: number): string | undefined {
    this.#read();
    const order = this.#orders.find(({ group }) => group.entries.some((entry) => entry.number === number));
    return order && this.#idOf(order);
  }

  #read(): void {
    const { version, entries } = this.#recording;
    if (version === this.#version) return;
    this.#version = version;
    this.#orders = groupEntries(entries, linkSettings(this.#state)).map(orderOf);
    this.#byName = new Map(
      this.#orders.flatMap((order) => namesOf(order).map((name) => [name, order] as const)),
    );
    this.#twins = findTwins(this.#orders);
    this.#deliveries = Map.groupBy(this.#state.objects.delivery.all(), ({ eventId }) => eventId);
  }

  #orderOf(id: string): GroupedOrder | undefined {
    const plain = ['event', 'delivery', 'request'].map((kind) => `${kind} ${id}`);
    const named = [ofApp('operation', id), ofApp('key', id), ofApp('order', id)];
    const names = [...named, ofObject(id), ...plain];
    return names.map((name) => this.#byName.get(name)).find((order) => order !== undefined);
  }

  /** Returns what finds an order: its title, unless that is redacted or another order has it too. */
  #idOf(order: GroupedOrder): string {
    const { title, facts } = order;
    const ids = [
      title,
      ...facts.objects.map(({ id }) => id),
      ...facts.requests.map(({ requestId }) => requestId),
    ];
    return ids.find((id) => this.#orderOf(id) === order) ?? title;
  }

  #emailOf(customer: string | null): string | null {
    return this.#state.objects.customer.get(customer ?? '')?.email || null;
  }

  #deliveriesOf({ group }: GroupedOrder): readonly SandboxDelivery[] {
    const events = [...group.names].flatMap((name) => (name.startsWith('event ') ? [name.slice(6)] : []));
    return events.flatMap((event) => this.#deliveries.get(event) ?? []);
  }

  #summaryOf(order: GroupedOrder): StorySummary {
    const { group, facts, sent, title } = order;
    const { captured, customer, email } = facts;
    const deliveries = this.#deliveriesOf(order);
    const twins = this.#twins.get(order);
    const judgement = judge(order, twins);
    const times = group.entries.map(({ at }) => at);
    return {
      id: this.#idOf(order),
      title,
      startedAt: Math.min(...times),
      endedAt: Math.max(...times),
      money: orderMoney(facts) ?? facts.money,
      charges: captured.length,
      net: netOf(facts),
      attempts: Math.max(0, ...sent.map(({ attempts }) => attempts.length)),
      notes: notesOf(group.entries, captured),
      webhooks: {
        delivered: deliveries.filter(({ status }) => status === 'delivered').length,
        failing: deliveries.filter((one) => isFailing(one, deliveries)).length,
        total: deliveries.filter(({ status }) => status !== 'canceled').length,
      },
      ...judgement,
      needs: needOf({ ...judgement, order, twins, deliveries, now: this.#state.clock.now() }),
      customer,
      email: email ?? this.#emailOf(customer),
    };
  }

  #storyOf(order: GroupedOrder): Story {
    const { group, facts } = order;
    const operationIds = facts.requests.flatMap(({ operationId }) => operationId ?? []);
    const summary = this.#summaryOf(order);
    const twins = this.#twins.get(order)?.orders ?? [];
    const entries = group.entries.map(shownEntry);
    const named = { id: summary.id, money: summary.money };
    return {
      ...summary,
      operationIds: [...new Set(operationIds)],
      objects: facts.objects.map(toStoryObject),
      entries,
      log: logOf(entries, entries, () => named),
      actions: actionsOf({ ...order, isKept: twins[0] === order }, this.#deliveriesOf(order), summary.needs),
      twins: twins.filter((one) => one !== order).map((one) => this.#summaryOf(one)),
      isCut: this.#recording.isCut,
    };
  }
}

/** Returns what the shop keeps of an order; `null` if its amounts are in several currencies. */
function netOf({ captured, disputes }: Facts): number | null {
  const currencies = new Set([...captured, ...disputes].map(({ currency }) => currency));
  if (currencies.size > 1) return null;
  const kept = captured.reduce((sum, payment) => sum + keptOf(payment), 0);
  return disputes.reduce((sum, { amount }) => sum - amount, kept);
}

/** Whether a delivery failed, and no other one brought its event to the endpoint. */
function isFailing(
  { eventId, endpointId, status, attempts }: SandboxDelivery,
  all: readonly SandboxDelivery[],
): boolean {
  const isFailed =
    status === 'failed' || status === 'dropped' || (status === 'pending' && attempts.length > 0);
  const isTaken = all.some(
    (one) => one.eventId === eventId && one.endpointId === endpointId && one.status === 'delivered',
  );
  return isFailed && !isTaken;
}

function toStoryObject(object: KnownObject): StoryObject {
  const { kind, id } = object;
  return { kind, id, state: stateOf(object), money: moneyOfObject(object) };
}

/**
 * The recording of a sandbox, and its stories. It starts when the sandbox listens, so that an embedded one costs
 * nothing, and at once if its contents have entries.
 */
export class StoryLog {
  readonly #state: State;
  readonly #log: RequestLog;
  readonly #file: EntryFile | undefined;
  #recording: Recording | undefined;
  #stories: Stories | undefined;
  readonly #streams = new Set<LogStream>();

  /** @param file Saves the entries that belong to no unit of work. `undefined` in memory. */
  constructor(state: State, log: RequestLog, file: EntryFile | undefined) {
    this.#state = state;
    this.#log = log;
    this.#file = file;
  }

  /** Starts recording. A second call has no effect. */
  begin(): void {
    this.#begun();
  }

  /** Runs an action on the sandbox, and records it. */
  act<T>(name: string, details: RecordedAction['details'], work: () => T): T {
    if (this.#recording === undefined) return work();
    const result = this.#recording.act(name, details, work);
    for (const stream of this.#streams) stream.touch();
    return result;
  }

  /** The log: what the entries say in short, oldest first, and effects below their cause. */
  log(): readonly LogEntry[] {
    return loggedEntries(this.#begun(), this.#state);
  }

  /**
   * Calls a listener for each entry of the log from now on, within a second, so that a request comes before its effects.
   *
   * @returns A function that passes on what is left, and unsubscribes the listener.
   */
  follow(listener: (entry: LogEntry) => void): () => void {
    const stream = new LogStream(this.#begun(), this.#state, listener);
    const touch = (): void => stream.touch();
    const { watchers } = this.#state;
    watchers.add(touch);
    this.#log.watchers.add(touch);
    this.#streams.add(stream);
    return () => {
      watchers.delete(touch);
      this.#log.watchers.delete(touch);
      this.#streams.delete(stream);
      stream.flush();
    };
  }

  /** Returns the id of the order of an object; `undefined` if it has none, or nothing is recorded. */
  orderOf(object: string): string | undefined {
    return this.#recording === undefined ? undefined : this.stories.idOf(object);
  }

  /** The stories. */
  get stories(): Stories {
    this.#stories ??= new Stories(this.#begun(), this.#state);
    return this.#stories;
  }

  /** The entries, oldest first, with unredacted objects: only a `shownEntry` may leave the sandbox. */
  get entries(): readonly KeptEntry[] {
    return this.#begun().entries;
  }

  /** Returns the entries so far. Unlike `entries`, it does not start the recording. */
  contents(): StoreContents['entries'] {
    return [...(this.#recording?.entries ?? [])];
  }

  /** Replaces all entries by those of some contents. */
  load(entries: StoreContents['entries']): void {
    for (const stream of this.#streams) stream.flush();
    if (entries.length > 0) this.begin();
    // A recording made them.
    this.#recording?.load(entries as readonly KeptEntry[]);
  }

  #begun(): Recording {
    this.#recording ??= new Recording(this.#state, this.#log, this.#file);
    return this.#recording;
  }
}
