import { isFormOperation } from '../api/operation.ts';
import { readOrderOperation } from '../api/operation-id.ts';
import type { State } from '../domain/state.ts';
import { placeholder } from '../sdk.ts';
import type { Entry, KeptEntry } from './entry.ts';
import type { KnownObject } from './facts.ts';
import { isAboutOrder, linkSettings, linksOf } from './group.ts';
import type { Money } from './story.ts';

/**
 * Returns the title of an order: its own id in the operation ids of `payments-client/orders`, else its first operation id, else the `orderid` of its
 * form, else the id of its first object.
 */
export function titleOf(entries: readonly Entry[], objects: readonly KnownObject[]): string {
  const requests = entries.filter((entry) => entry.kind === 'request');
  const own = requests.map(({ operationId }) => readOrderOperation(operationId)?.id);
  const ownId = own.find((id) => id !== undefined);
  if (ownId !== undefined) return ownId;
  const named = requests.find(({ operationId }) => operationId !== null);
  if (named?.operationId) return named.operationId;
  const form = requests.find(({ operation }) => isFormOperation(operation));
  const order = new URLSearchParams(form?.request.body ?? '').get('orderid');
  if (order) return order;
  const [first] = entries;
  return objects[0]?.id ?? (first?.kind === 'request' ? first.requestId : '');
}

/** Returns what finds an order: its title, unless that is redacted. */
function idOf(entries: readonly Entry[], objects: readonly KnownObject[]): string {
  const title = titleOf(entries, objects);
  return title.includes(placeholder) ? (objects[0]?.id ?? title) : title;
}

/** An order as the log names it. */
export interface NamedOrder {
  id: string;
  /** Its amount; `null` until one is known. */
  money: Money | null;
}

/** The maximum number of names: several times those of a full recording. */
const capacity = 50_000;

/** Finds the order of each new entry. Unlike grouping, which reads all entries again, this takes the same time for each. */
export class OrderNames {
  readonly #settings: ReturnType<typeof linkSettings>;
  readonly #orders = new Map<string, NamedOrder>();
  /** Those that an object names, since the request that made it has no reply yet. */
  readonly #unnamed = new WeakSet<NamedOrder>();

  constructor(state: State) {
    this.#settings = linkSettings(state);
  }

  /** Returns the order of an entry and its effects; `null` if they belong to none. */
  orderOf(entries: readonly KeptEntry[], objects: readonly KnownObject[]): NamedOrder | null {
    // With a seed, the same ids come again.
    if (entries.some((entry) => entry.kind === 'action' && entry.name === 'reset')) this.#orders.clear();
    const names = entries.flatMap((entry) => linksOf(entry, this.#settings));
    const known = names.map((name) => this.#orders.get(name)).find((order) => order !== undefined);
    const isNew = known === undefined && entries.some(isAboutOrder);
    const order = isNew ? { id: idOf(entries, objects), money: null } : known;
    if (order === undefined) return null;
    const [first] = entries;
    if (isNew && first?.kind === 'change') this.#unnamed.add(order);
    const isReplied = first?.kind === 'request' && objects.some(({ id }) => id === order.id);
    if (isReplied && this.#unnamed.delete(order)) order.id = idOf(entries, objects);
    for (const name of names) this.#orders.set(name, order);
    this.#forget();
    return order;
  }

  #forget(): void {
    for (const name of this.#orders.keys()) {
      if (this.#orders.size <= capacity) return;
      this.#orders.delete(name);
    }
  }
}
