import type { Due } from '../agenda.ts';
import type { Kind, Kinds } from '../objects.ts';
import { isKind } from '../state.ts';

/** An object as it is kept: its kind, and the object, or only its id where it was removed. */
export type KeptChange = readonly [kind: Kind, value: Kinds[Kind] | string];

/** One line of a data file. */
export interface JournalRecord {
  /** The time, in milliseconds since 1970. */
  readonly time?: number;
  /** How many identifiers were made. */
  readonly ids?: number;
  /** What has changed, all of it or none. */
  readonly changes?: readonly KeptChange[];
  /** All that falls due, in that order, where it does not follow from the changes. */
  readonly plan?: readonly Due[];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A record as JSON. */
export function writeRecord(record: JournalRecord): string {
  return JSON.stringify(record);
}

/** What is kept of an object was written by {@link writeRecord}, and its checksum is right: it is not checked again. */
function isChange(value: unknown): value is KeptChange {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [kind, kept]: unknown[] = value;
  if (typeof kind !== 'string' || !isKind(kind)) return false;
  return typeof kept === 'string' || (isRecord(kept) && typeof kept['id'] === 'string');
}

function isDue(value: unknown): value is Due {
  return isRecord(value) && typeof value['at'] === 'number' && isKind(String(value['kind']));
}

function isOptionally<T>(
  value: unknown,
  is: (item: unknown) => item is T,
): value is readonly T[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every(is));
}

function isOptionalNumber(value: unknown): value is number | undefined {
  return value === undefined || typeof value === 'number';
}

/** The record that a JSON text is; `undefined` where it is none. */
export function readRecord(json: string): JournalRecord | undefined {
  const record: unknown = JSON.parse(json);
  if (!isRecord(record)) return undefined;
  const { time, ids, changes, plan } = record;
  if (!isOptionalNumber(time) || !isOptionalNumber(ids) || !isOptionally(plan, isDue)) return undefined;
  if (!isOptionally(changes, isChange)) return undefined;
  return {
    ...(time !== undefined && { time }),
    ...(ids !== undefined && { ids }),
    ...(changes !== undefined && { changes }),
    ...(plan !== undefined && { plan }),
  };
}
