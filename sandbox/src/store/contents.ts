import type { Inline } from '../base/inline.ts';
import { isRecord } from '../base/json.ts';
import { refuseValue } from '../base/refuse.ts';
import type { CollectionContents, Identified } from './collection.ts';
import type { Due } from './scheduler.ts';

/** An entry of the recording. Only `stories` knows the rest of it. */
export interface StoredEntry {
  /** Entries are in the order of their numbers. */
  readonly number: number;
}

/** The state of a sandbox as plain values. The objects are shared and immutable. */
export interface StateContents {
  /** The time, in milliseconds since 1970. */
  readonly time: number;
  /** The number of generated identifiers. */
  readonly ids: number;
  /** The objects of each kind. An omitted kind is empty. */
  readonly objects: Readonly<Record<string, CollectionContents<Identified>>>;
  /** The schedule, in order. */
  readonly due: readonly Due[];
}

/** All that a sandbox keeps: its state, and the recording of how it came to be. The entries are immutable too. */
export interface StoreContents extends StateContents {
  /** Oldest first. */
  readonly entries: readonly StoredEntry[];
}

export function emptyContents(time: number): StoreContents {
  return { time, ids: 0, objects: {}, due: [], entries: [] };
}

/**
 * A snapshot of a sandbox's state and stories. It is immutable, and `structuredClone` and `postMessage` can clone it. Its content
 * may differ between versions.
 */
export type SandboxSnapshot = Inline<{
  /** The version of the format. */
  readonly version: 1;
  /** Opaque. */
  readonly state: unknown;
}>;

function isContents(state: unknown): state is StoreContents {
  const names = ['time', 'ids', 'objects', 'due', 'entries'];
  return isRecord(state) && names.every((name) => Object.hasOwn(state, name));
}

export function toSnapshot(state: StoreContents): SandboxSnapshot {
  return { version: 1, state };
}

/**
 * Reads a sandbox's contents from a snapshot.
 *
 * @throws ConfigurationError for a value that is not a snapshot, or has another version.
 */
export function fromSnapshot(snapshot: SandboxSnapshot): StoreContents {
  if (isRecord(snapshot) && snapshot.version === 1 && isContents(snapshot.state)) return snapshot.state;
  const advice = 'Take a new one with this version of payments-client.';
  return refuseValue('sandbox.restore', 'a snapshot of sandbox.snapshot', snapshot, advice);
}

/** An object after a unit of work. */
export interface StoredObject {
  readonly kind: string;
  readonly id: string;
  /** The object; `undefined` if it was removed. */
  readonly object: Identified | undefined;
  /** Whether its id is remembered. */
  readonly isKnown: boolean;
  /** Whether it is in the schedule. */
  readonly isDue: boolean;
}

/** The changes of one unit of work, to save. */
export interface StoredUnit {
  readonly objects: Iterable<StoredObject>;
  /** The schedule entries that it adds, in order. */
  readonly due: readonly Due[];
  /** What the recording keeps of it. */
  readonly entries: readonly StoredEntry[];
  /** The time, in milliseconds since 1970. */
  readonly time: number;
  /** The number of generated identifiers. */
  readonly ids: number;
}

export interface Persistence {
  /** Returns the saved contents; `undefined` if there are none yet. */
  read(): StoreContents | undefined;
  /** Saves a unit of work before it commits. Throws on failure, which rolls the unit back. */
  append(unit: StoredUnit): void;
  /**
   * Saves an entry of the recording that belongs to no unit of work. It may drop those with a number below `first`. It does not
   * throw: what the entry is about has happened already.
   */
  record(entry: StoredEntry, first: number): void;
  /** Replaces all saved contents. */
  rewrite(contents: StoreContents): void;
  /** Closes it. Later changes fail. */
  close(): void;
}
