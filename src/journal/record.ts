import { parseJson } from '../base/json.ts';
import * as s from '../base/schema.ts';
import { conforms } from '../base/validation.ts';

/**
 * Where an operation stands: it is to be sent; it is being sent, or its process died; it may have taken effect; it was refused, and nothing
 * moved; its end is known; a person closed it.
 */
type State = 'planned' | 'running' | 'unknown' | 'refused' | 'done' | 'settled';

/** What a journal keeps of an operation. */
export interface OperationRecord {
  readonly version: 1;
  readonly operation: string;
  readonly operationId: string;
  readonly method: string;
  /** The path with its ids. */
  readonly path: string;
  /** The digest of the content. */
  readonly digest: string;
  /** What is sent, encrypted where a key is given; absent where only the digest is kept. */
  readonly content?: string | undefined;
  /** Whether the service can be asked again, since the request carries a key. */
  readonly keyed: boolean;
  readonly state: State;
  /** Whether it was planned, so that it stays open until it is done or a person closes it. */
  readonly isPlanned?: boolean | undefined;
  /** When it was first sent, or planned, in ms since 1970. */
  readonly startedAt: number;
  readonly lookUp?: Readonly<Record<string, string>> | undefined;
  /** The status of the response that ended it. */
  readonly status?: number | undefined;
  /** The body of that response, encrypted where a key is given. */
  readonly result?: string | undefined;
}

const schema: s.Schema<OperationRecord> = s.object({
  version: s.literal(1),
  operation: s.string(),
  operationId: s.string(),
  method: s.string(),
  path: s.string(),
  digest: s.string(),
  content: s.optional(s.string()),
  keyed: s.boolean(),
  state: s.literal(['planned', 'running', 'unknown', 'refused', 'done', 'settled']),
  isPlanned: s.optional(s.boolean()),
  startedAt: s.number(),
  lookUp: s.optional(s.record(s.string())),
  status: s.optional(s.number()),
  result: s.optional(s.string()),
});

/** The text that a store keeps. */
export function encodeRecord(record: OperationRecord): string {
  return JSON.stringify(record);
}

/** The longest text that a record may be, below the bound of every store. */
const maxLength = 900_000;

/** The text that a store keeps of an end. A result that is too long for a store is left out. */
export function encodeEnd(record: OperationRecord): string {
  const text = encodeRecord(record);
  return text.length <= maxLength ? text : encodeRecord({ ...record, result: undefined });
}

/** The record in a text; `undefined` where it is none, or of another version. */
export function decodeRecord(text: string | undefined): OperationRecord | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  return conforms(schema, value) ? value : undefined;
}
