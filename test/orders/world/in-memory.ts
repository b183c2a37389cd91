import { createOrders, type Orders } from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';
import type { Database } from './database.ts';
import { gated } from './gated.ts';
import { type CommonOptions, type Edit, orderRow, type Seat, type ShopRow } from './seat.ts';

type Documents = Pick<ReturnType<typeof memoryStore>, 'load' | 'save' | 'lookUp' | 'due'>;
type Index = Parameters<Documents['save']>[3];

/** A document with all that leads to it. */
interface Copied {
  readonly data: string;
  readonly references: readonly string[];
  readonly wakeAt: number | null;
}

const nameOf = (account: string, id: string) => `${account}/${id}`;

/** A store without transactions, and rows in memory. */
export class InMemory implements Database {
  readonly isTransactional = false;
  readonly patience = 60_000;
  #store: Documents = memoryStore();
  readonly #rows = new Map<string, ShopRow>();
  readonly #documents = new Map<string, Copied>();
  #copy = { rows: new Map<string, ShopRow>(), documents: new Map<string, Copied>() };

  async open(seat: Seat, options: CommonOptions): Promise<Orders> {
    return createOrders({
      ...options,
      store: gated(this.#documentsOf(), seat),
      order: (id) =>
        seat.act('reads the row', () => {
          const row = this.#rows.get(nameOf(seat.account, id));
          return row && orderRow(row);
        }),
      onPaid: ({ id, total }) =>
        seat.act(`ships ${id}`, () => {
          seat.failShipping();
          const row = this.#rows.get(nameOf(seat.account, id));
          if (row === undefined) throw new Error(`There is no order ${id}.`);
          const { amount: shippedTotal, currency: shippedCurrency } = total;
          const shipped = { ...row, shipped: row.shipped + 1, shippedTotal, shippedCurrency };
          this.#rows.set(nameOf(seat.account, id), shipped);
        }),
    });
  }

  async insert(row: ShopRow): Promise<void> {
    this.#rows.set(nameOf(row.account, row.id), row);
  }

  async edit(account: string, id: string, edit: Edit): Promise<void> {
    const row = this.#rows.get(nameOf(account, id));
    if (row?.shipped === 0) this.#rows.set(nameOf(account, id), { ...row, ...edit });
  }

  async remove(account: string, id: string): Promise<ShopRow | undefined> {
    const row = this.#rows.get(nameOf(account, id));
    if (row?.shipped !== 0) return undefined;
    this.#rows.delete(nameOf(account, id));
    return row;
  }

  async rows(): Promise<readonly ShopRow[]> {
    return [...this.#rows.values()];
  }

  async backUp(): Promise<void> {
    this.#copy = { rows: new Map(this.#rows), documents: new Map(this.#documents) };
  }

  async restore(): Promise<void> {
    this.#store = memoryStore();
    this.#rows.clear();
    this.#documents.clear();
    for (const [name, row] of this.#copy.rows) this.#rows.set(name, row);
    for (const [key, { data, references, wakeAt }] of this.#copy.documents)
      await this.#save(key, 0, data, { references, wakeAt });
  }

  async close(): Promise<void> {}

  /** The store, which a restored backup replaces. */
  #documentsOf(): Documents {
    return {
      load: (key) => this.#store.load(key),
      save: (key, version, data, index) => this.#save(key, version, data, index),
      lookUp: (reference) => this.#store.lookUp(reference),
      due: (query) => this.#store.due(query),
    };
  }

  /** Saves a document, and remembers it for a copy. */
  async #save(key: string, version: number, data: string, index: Index): Promise<boolean> {
    const isSaved = await this.#store.save(key, version, data, index);
    const references = [...(this.#documents.get(key)?.references ?? []), ...(index.references ?? [])];
    if (isSaved)
      this.#documents.set(key, { data, references: [...new Set(references)], wakeAt: index.wakeAt });
    return isSaved;
  }
}
