import type { Entry } from './entry.ts';
import { isOwnKind, type LinkSettings, linksOf } from './links.ts';

/** Entries that belong to one order, oldest first. */
export interface Group {
  readonly entries: readonly Entry[];
  /** All names that identify it, such as `operation order-100` and `object pi_…`. */
  readonly names: ReadonlySet<string>;
}

/** Disjoint sets of names (union-find). */
class JoinedNames {
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

function bulkActions(entries: readonly Entry[]): ReadonlySet<number> {
  const bulk = entries.filter((entry) => entry.kind === 'action' && !joining.includes(entry.name));
  return new Set(bulk.map(({ number }) => number));
}

/** Whether an entry belongs to an order: a payment request, or one of its objects. */
function isAboutOrder(entry: Entry): boolean {
  // An authentication alone belongs to a form payment, which does not name it.
  if (entry.kind === 'change') return isOwnKind(entry.object.kind) && entry.object.kind !== 'authentication';
  if (entry.kind !== 'request' || entry.method === 'GET') return false;
  return /^(?:checkoutSessions|paymentIntents|refunds|subscriptions|transact)\./.test(entry.operation ?? '');
}

/** Groups entries by order. The orders are sorted by their first entry. */
export function groupEntries(entries: readonly Entry[], settings: LinkSettings): readonly Group[] {
  const bulk = bulkActions(entries);
  const joined = new JoinedNames();
  const linked = entries.map((entry) => {
    const isBulk = entry.kind === 'change' && entry.cause !== null && bulk.has(entry.cause);
    const names = linksOf(isBulk ? { ...entry, cause: null } : entry, settings);
    joined.join(names);
    return { entry, names };
  });
  const groups = new Map<string, { entries: Entry[]; names: Set<string> }>();
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
