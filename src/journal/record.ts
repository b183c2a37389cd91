import { parseJson } from '../base/json.ts';
import * as s from '../base/schema/schema.ts';
import { conforms } from '../base/schema/validation.ts';
import type { Identity } from './identity.ts';

/**
 * The state of an operation. `planned`: not sent yet. `running`: being sent, or its process died. `unknown`: it may
 * have taken effect. `refused`: rejected, and nothing moved. `done`: the outcome is known. `settled`: closed manually.
 */
type State = 'planned' | 'running' | 'unknown' | 'refused' | 'done' | 'settled';

/** The journal's record of an operation. */
export interface OperationRecord extends Identity {
  readonly version: 1;
  readonly operation: string;
  readonly operationId: string;
  /** The token of the claim that created it: no other record is equal to it. */
  readonly claim: string;
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
  readonly lookUp: Readonly<Record<string, string>>;
  /** The status of the final response. */
  readonly status?: number | undefined;
  /** The body of that response, encrypted if there is a key. */
  readonly result?: string | undefined;
}

/** Returns the record of an operation of which nothing was sent, or nothing moved. */
export function asRefused(record: OperationRecord): OperationRecord {
  return { ...record, state: 'refused', isPlanned: undefined };
}

const schema: s.Schema<OperationRecord> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    version: s.literal(1),
    operation: s.string(),
    operationId: s.string(),
    claim: s.string(),
    origin: s.string(),
    mode: s.literal(['test', 'live', 'unknown']),
    credential: s.string(),
    method: s.string(),
    path: s.string(),
    digest: s.string(),
    query: s.optional(s.string()),
    content: s.optional(s.string()),
    keyed: s.boolean(),
    state: s.literal(['planned', 'running', 'unknown', 'refused', 'done', 'settled']),
    isPlanned: s.optional(s.boolean()),
    startedAt: s.number(),
    lookUp: s.record(s.string()),
    status: s.optional(s.number()),
    result: s.optional(s.string()),
  }),
);

/** What a row of the store holds. */
export interface Row {
  /** `undefined` if there is none, or it cannot be read. */
  readonly record: OperationRecord | undefined;
  /** Whether it is not what a journal with this `encryptionKey` wrote under this key. It must not be acted on. */
  readonly isDamaged: boolean;
}

/** The row of a key that the store does not know, or that has no data. */
export const noRow: Row = { record: undefined, isDamaged: false };

/** Returns a seal: a hash that only an unchanged text has. */
export type Seal = (text: string) => string;

/** Writes and reads the texts of the store. Each ends with a seal over its key and everything before it. */
export class RecordFormat {
  readonly #seal: Seal;

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  /** Returns the text for the store. */
  encode(key: string, record: OperationRecord): string {
    const json = JSON.stringify(record);
    return `${json.slice(0, -1)},"seal":"${this.#sealOf(key, json)}"}`;
  }

  /** Returns the text of a closed record. Drops a result that is too long for a store. */
  encodeEnd(key: string, record: OperationRecord): string {
    const text = this.encode(key, record);
    return text.length <= maxLength ? text : this.encode(key, { ...record, result: undefined });
  }

  /** Reads the text of a key. A text of another version is damaged too. */
  decode(key: string, text: string | undefined): Row {
    if (text === undefined) return noRow;
    const [, start = '', seal] = sealedPattern.exec(text) ?? [];
    const json = `${start}}`;
    const value = parseJson(json);
    const record = conforms(schema, value) ? value : undefined;
    return { record, isDamaged: record === undefined || seal !== this.#sealOf(key, json) };
  }

  #sealOf(key: string, json: string): string {
    return this.#seal(`${key}\n${json}`);
  }
}

const sealedPattern = /^(.*),"seal":"([\da-f]{64})"\}$/s;

/** The longest record, below the limit of every store. */
const maxLength = 900_000;
