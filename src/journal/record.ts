import { parseJson } from '../base/json.ts';
import * as s from '../base/schema.ts';
import { conforms } from '../base/validation.ts';

/**
 * The state of an operation. `planned`: not sent yet. `running`: being sent, or its process died. `unknown`: it may
 * have taken effect. `refused`: rejected, and nothing moved. `done`: the outcome is known. `settled`: closed manually.
 */
type State = 'planned' | 'running' | 'unknown' | 'refused' | 'done' | 'settled';

/** The journal's record of an operation. */
export interface OperationRecord {
  readonly version: 1;
  readonly operation: string;
  readonly operationId: string;
  readonly method: string;
  /** The path, including ids. */
  readonly path: string;
  /** The digest of method, path, query and content. */
  readonly digest: string;
  /** The query with its question mark, encrypted if there is a key; absent if there is none, or only the digest is kept. */
  readonly query?: string | undefined;
  /** The content to send, encrypted if there is a key; absent if only the digest is kept. */
  readonly content?: string | undefined;
  /** Whether the request can be repeated without a second effect, as a POST with an idempotency key can. */
  readonly keyed: boolean;
  readonly state: State;
  /** Whether it was planned: then it stays open until it is done or closed manually. */
  readonly isPlanned?: boolean | undefined;
  /** When it was first sent, or planned, in ms since 1970. */
  readonly startedAt: number;
  /** Fields for looking it up, never encrypted. */
  readonly lookUp?: Readonly<Record<string, string>> | undefined;
  /** The status of the final response. */
  readonly status?: number | undefined;
  /** The body of that response, encrypted if there is a key. */
  readonly result?: string | undefined;
}

const schema: s.Schema<OperationRecord> = s.object({
  version: s.literal(1),
  operation: s.string(),
  operationId: s.string(),
  method: s.string(),
  path: s.string(),
  digest: s.string(),
  query: s.optional(s.string()),
  content: s.optional(s.string()),
  keyed: s.boolean(),
  state: s.literal(['planned', 'running', 'unknown', 'refused', 'done', 'settled']),
  isPlanned: s.optional(s.boolean()),
  startedAt: s.number(),
  lookUp: s.optional(s.record(s.string())),
  status: s.optional(s.number()),
  result: s.optional(s.string()),
});

/** Returns the text for the store. */
export function encodeRecord(record: OperationRecord): string {
  return JSON.stringify(record);
}

/** The longest record, below the limit of every store. */
const maxLength = 900_000;

/** Returns the text of a closed record. Drops a result that is too long for a store. */
export function encodeEnd(record: OperationRecord): string {
  const text = encodeRecord(record);
  return text.length <= maxLength ? text : encodeRecord({ ...record, result: undefined });
}

/** Parses a record; `undefined` for other text, or another version. */
export function decodeRecord(text: string | undefined): OperationRecord | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  return conforms(schema, value) ? value : undefined;
}
