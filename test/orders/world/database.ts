import type { Orders } from 'payments-client/orders';
import type { CommonOptions, Edit, Seat, ShopRow } from './seat.ts';

/** A kind of database. */
export type StoreKind = 'memory' | 'sqlite' | 'sqlite file' | 'postgres';

/** The store and the merchant's table of orders, which all processes share. */
export interface Database {
  /** Whether `onPaid` takes effect exactly once. */
  readonly isTransactional: boolean;
  /** How long a task may wait for a lock of another one, in ms. */
  readonly patience: number;
  /** Connects a process. */
  open(seat: Seat, options: CommonOptions): Promise<Orders>;
  insert(row: ShopRow): Promise<void>;
  /** Changes a row unless it was shipped, as merchants must. */
  edit(account: string, id: string, edit: Edit): Promise<void>;
  /** Removes a row unless it was shipped, and returns it. */
  remove(account: string, id: string): Promise<ShopRow | undefined>;
  /** Returns all rows. */
  rows(): Promise<readonly ShopRow[]>;
  /** Copies the store and the rows. */
  backUp(): Promise<void>;
  /** Goes back to the copy. No process may be connected. */
  restore(): Promise<void>;
  close(): Promise<void>;
}
