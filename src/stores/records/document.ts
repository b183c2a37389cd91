import { PaymentsError } from '../../base/errors.ts';
import { checkCall } from '../checks.ts';
import type { DocumentIndex, DueDocument, DueQuery, KeptDocument } from '../store.ts';
import { compareCodePoints } from './open-order.ts';

/** A checked call of `save`. */
export interface DocumentSave {
  readonly key: string;
  /** The version that it replaces; 0 if there must be none. */
  readonly version: number;
  readonly data: string;
  /** Without repetitions. */
  readonly references: readonly string[];
  readonly wakeAt: number | null;
}

/**
 * Checks the arguments of `save` and copies them, since the caller may change its objects before the store is asked.
 *
 * @throws ConfigurationError when one is wrong.
 */
export function savedDocument(
  key: string,
  version: number,
  data: string,
  index: DocumentIndex,
): DocumentSave {
  checkCall('save', { key, version, data, index }, undefined);
  const { references, wakeAt } = index;
  // Without the sign of -0.
  const time = wakeAt === null ? null : wakeAt + 0;
  return { key, version, data, references: [...new Set(references)], wakeAt: time };
}

/** Returns the error for a reference that leads to another document. It does not repeat the reference, which may be a secret. */
export function referenceTaken(): PaymentsError {
  const problem =
    'save.index.references: expected references that lead to this document or to none, got one that leads to another.';
  const advice = 'Nothing was saved: find the other document with lookUp.';
  return new PaymentsError(`${problem} ${advice}`, { code: 'STORE_REFERENCE_TAKEN' });
}

/** The documents of one machine. */
export interface DocumentTables {
  load(key: string): KeptDocument | undefined;
  lookUp(reference: string): string | undefined;
  due(query: DueQuery): readonly DueDocument[];
  /** Stores the next version of a document, and its references. */
  put(document: DocumentSave): void;
}

/**
 * Saves a document if its version is still the one that it replaces. Returns whether it was.
 *
 * @throws PaymentsError `STORE_REFERENCE_TAKEN` if a reference leads to another document; nothing changed.
 */
export function saveDocument(tables: DocumentTables, document: DocumentSave): boolean {
  const { key, version, references } = document;
  // First of all: who lost to another writer loads the document again, and its references with it.
  if ((tables.load(key)?.version ?? 0) !== version) return false;
  const isTaken = (reference: string) => (tables.lookUp(reference) ?? key) !== key;
  if (references.some(isTaken)) throw referenceTaken();
  tables.put(document);
  return true;
}

/** Compares documents by the time at which they become due, and then by the code points of their keys. */
export function compareDue(one: DueDocument, other: DueDocument): number {
  return one.wakeAt - other.wakeAt || compareCodePoints(one.key, other.key);
}
