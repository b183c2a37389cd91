import type { State } from '../domain/state.ts';
import type { Entry, KeptEntry, KeptRequest, RecordedChange, RecordedDelivery } from './entry.ts';
import { ofObject, referencesIn } from './request-links.ts';

/** Kinds whose objects belong to one order; a customer or a product belongs to many. */
const ownKinds = new Set([
  'checkout_session',
  'payment_intent',
  'charge',
  'refund',
  'invoice',
  'subscription',
  'credit_note',
  'transaction',
  'chargeback',
  'authentication',
]);

/** Whether objects of a kind belong to one order. */
export function isOwnKind(kind: string): boolean {
  return ownKinds.has(kind);
}

/** The sandbox's data that links need. */
interface LinkSettings {
  /** The id prefixes of the kinds of one order. */
  readonly prefixes: readonly string[];
  /** Returns the subscription of an invoice; `undefined` if it has none. */
  subscriptionOf(invoice: string): string | undefined;
}

/** Returns the data of a sandbox that links need. */
export function linkSettings({ settings, objects }: State): LinkSettings {
  const prefixes = Object.entries(settings.forms.prefixes);
  return {
    prefixes: prefixes.flatMap(([kind, prefix]) => (ownKinds.has(kind) ? [prefix] : [])),
    subscriptionOf: (invoice) => objects.subscription_invoice.get(invoice)?.subscription,
  };
}

function ofRequest({ number, path, requestId, links }: KeptRequest, { prefixes }: LinkSettings) {
  const ids = path.split('/').filter((part) => prefixes.some((prefix) => part.startsWith(prefix)));
  return [
    `entry ${number}`,
    ...[links.operation, links.key, links.order?.record ?? null].filter((name) => name !== null),
    `request ${requestId}`,
    ...ids.map(ofObject),
    ...links.body,
  ];
}

function ofChange(change: RecordedChange, { subscriptionOf }: LinkSettings): readonly string[] {
  const { object, after, before, cause, unit, events } = change;
  const subscription = object.kind === 'invoice' ? subscriptionOf(object.id) : undefined;
  return [
    ofObject(object.id),
    ...(cause === null ? [] : [`entry ${cause}`]),
    ...(unit === null ? [] : [`unit ${unit}`]),
    ...(subscription === undefined ? [] : [ofObject(subscription)]),
    ...events.map(({ id }) => `event ${id}`),
    ...referencesIn(after ?? before),
  ];
}

function ofDelivery({ event, object, deliveryId }: RecordedDelivery): readonly string[] {
  return [ofObject(object), `event ${event.id}`, `delivery ${deliveryId}`];
}

/** Returns the names of an entry's story. Entries that share a name belong to the same story. */
export function linksOf(entry: KeptEntry, settings: LinkSettings): readonly string[] {
  switch (entry.kind) {
    case 'request':
      return ofRequest(entry, settings);
    case 'change':
      return isOwnKind(entry.object.kind) ? ofChange(entry, settings) : [];
    case 'delivery':
      return ofDelivery(entry);
    case 'action':
      return isBulk(entry) ? [] : [`entry ${entry.number}`];
  }
}

/** Entries that belong to one order, oldest first. */
export interface Group {
  readonly entries: readonly KeptEntry[];
  /** All names that identify it, such as `object pi_…`. */
  readonly names: ReadonlySet<string>;
}

/** Disjoint sets of names (union-find). */
export class JoinedNames {
  readonly #parents = new Map<string, string>();

  /** Returns the representative of a name's set. */
  rootOf(name: string): string {
    let root = name;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root))
      root = parent;
    if (root !== name) this.#parents.set(name, root);
    return root;
  }

  join(names: readonly string[]): void {
    const [first, ...others] = names.map((name) => this.rootOf(name));
    if (first === undefined) return;
    for (const other of others) if (other !== first) this.#parents.set(other, first);
  }
}

/** Actions on one order. Time and batches change many orders at once, so they join none. */
const joining: readonly string[] = ['pay', 'trigger'];

/** Whether an entry is an action on many orders. */
export function isBulk(entry: Entry): boolean {
  return entry.kind === 'action' && !joining.includes(entry.name);
}

/** Whether an entry belongs to an order: a payment request, or one of its objects. */
export function isAboutOrder(entry: Entry): boolean {
  // An authentication alone belongs to a form payment, which does not name it.
  if (entry.kind === 'change') return isOwnKind(entry.object.kind) && entry.object.kind !== 'authentication';
  if (entry.kind !== 'request' || entry.method === 'GET') return false;
  return /^(?:checkoutSessions|paymentIntents|refunds|subscriptions|transact)\./.test(entry.operation ?? '');
}

/** Groups entries by order. The orders are sorted by their first entry. */
export function groupEntries(entries: readonly KeptEntry[], settings: LinkSettings): readonly Group[] {
  const bulk = new Set(entries.filter(isBulk).map(({ number }) => number));
  const joined = new JoinedNames();
  const linked = entries.map((entry) => {
    const isOfMany = entry.kind === 'change' && entry.cause !== null && bulk.has(entry.cause);
    const names = linksOf(isOfMany ? { ...entry, cause: null } : entry, settings);
    joined.join(names);
    return { entry, names };
  });
  const groups = new Map<string, { entries: KeptEntry[]; names: Set<string> }>();
  for (const { entry, names } of linked) {
    const [first] = names;
    if (first === undefined) continue;
    const root = joined.rootOf(first);
    const group = groups.get(root) ?? { entries: [], names: new Set<string>() };
    group.entries.push(entry);
    for (const name of names) group.names.add(name);
    groups.set(root, group);
  }
  return [...groups.values()].filter((group) => group.entries.some(isAboutOrder));
}
