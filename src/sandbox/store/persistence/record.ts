import { isIntegerFrom } from '../../../base/integer.ts';
import { isRecord } from '../../../base/json.ts';
import type { Kind, Kinds } from '../../domain/records/records.ts';
import { isKind } from '../../domain/state.ts';
import type { Due } from '../scheduler.ts';

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

/** Whether it is a time that a date can hold. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15;
}

function isDue(value: unknown): value is Due {
  if (!isRecord(value)) return false;
  const { at, kind, id } = value;
  return isTime(at) && typeof kind === 'string' && isKind(kind) && typeof id === 'string';
}

function isOptionally<T>(
  value: unknown,
  is: (item: unknown) => item is T,
): value is readonly T[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every(is));
}

function isOptionalTime(value: unknown): value is number | undefined {
  return value === undefined || isTime(value);
}

function isOptionalCount(value: unknown): value is number | undefined {
  return value === undefined || isIntegerFrom(value, 0);
}

/**
 * The record that a JSON text is; `undefined` where it is none.
 *
 * @throws SyntaxError for a text that is not JSON.
 */
export function readRecord(json: string): JournalRecord | undefined {
  const record: unknown = JSON.parse(json);
  if (!isRecord(record)) return undefined;
  const { time, ids, changes, plan } = record;
  if (!isOptionalTime(time) || !isOptionalCount(ids) || !isOptionally(plan, isDue)) return undefined;
  if (!isOptionally(changes, isChange)) return undefined;
  return {
    ...(time !== undefined && { time }),
    ...(ids !== undefined && { ids }),
    ...(changes !== undefined && { changes }),
    ...(plan !== undefined && { plan }),
  };
}
