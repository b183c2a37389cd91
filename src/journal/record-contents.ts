/** What a record keeps of a call: its parameters or their digest, and its result. And how another call with its id differs. */

import { sha256Hex } from '../base/bytes.ts';
import { isRecord, parseJson, stringifyCanonical } from '../base/json.ts';
import type { JournaledOperation } from '../http/past/call-journal.ts';
import { noHeaders, type ReceivedResponse } from '../http/transport/transport.ts';
import { accountOf } from './account.ts';
import { type FirstEnd, type OperationMismatchError, operationMismatch } from './errors.ts';
import type { OperationRecord } from './record.ts';
import type { RecordFormat } from './record-format.ts';

/** Two requests are equal if they send the same content to the same place. */
function digestOf({ method, path, query, content, uncompared = [] }: JournaledOperation): string {
  const compared = uncompared.length === 0 ? content : stringifyCanonical(without(uncompared, content));
  return sha256Hex(`${method} ${path}${query}\n${compared}`);
}

/** Returns the fields of a content, without some. */
function without(names: readonly string[], content: string): Readonly<Record<string, unknown>> {
  const fields = Object.entries(Object(parseJson(content)));
  return Object.fromEntries(fields.filter(([name]) => !names.includes(name)));
}

/** What a request sends to its path. */
type KeptParameters = Pick<JournaledOperation, 'query' | 'content'>;

/** Returns the names of the fields that differ. */
function differingFields(
  before: KeptParameters,
  { content, uncompared = [] }: JournaledOperation,
): readonly string[] {
  const [one, other] = [parseJson(before.content), parseJson(content)];
  if (!isRecord(one) || !isRecord(other)) return [];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names
    .filter((name) => !uncompared.includes(name) && JSON.stringify(one[name]) !== JSON.stringify(other[name]))
    .sort();
}

/** Returns a recorded response. */
export function responseOf(status: number, text: string): ReceivedResponse {
  const ok = status >= 200 && status < 300;
  const body = { text, bytes: text.length, complete: true, validUtf8: true };
  return { status, ok, headers: noHeaders(), ...body };
}

/** The status of a result that was given by hand. */
export const settledStatus = 200;

/** What a record keeps, and how it is written. */
export interface ContentsSettings {
  readonly contents: 'whole' | 'digest';
  readonly format: RecordFormat;
  readonly now: () => number;
}

/** Makes the records of calls, and reads what they keep. The `key` of a record is its text in the store. */
export class RecordContents {
  readonly #settings: ContentsSettings;

  constructor(settings: ContentsSettings) {
    this.#settings = settings;
  }

  /** Returns the record of a call that is about to be sent. */
  async recordOf(key: string, journaled: JournaledOperation): Promise<OperationRecord> {
    const { operation, operationId, method, path, query, content, keyed, lookUp } = journaled;
    const { contents, format, now } = this.#settings;
    const account = accountOf(journaled);
    const place = { origin: account.origin, method, path };
    return {
      version: 1,
      operation,
      operationId,
      claim: crypto.randomUUID(),
      ...account,
      method,
      path,
      digest: digestOf(journaled),
      ...(contents === 'whole' && query !== '' && { query: await format.encrypt(key, place, query) }),
      ...(contents === 'whole' && { content: await format.encrypt(key, place, content) }),
      keyed,
      state: 'running',
      startedAt: now(),
      lookUp,
    };
  }

  /** Returns the record of an operation with its response. */
  async done(key: string, record: OperationRecord, response: ReceivedResponse): Promise<OperationRecord> {
    const { status, text } = response;
    const { format } = this.#settings;
    return { ...record, state: 'done', status, result: await format.encrypt(key, record, text) };
  }

  /** Returns the record of an operation that was closed manually as executed, with or without a result. */
  async settled(key: string, record: OperationRecord, text: string | undefined): Promise<OperationRecord> {
    const { format } = this.#settings;
    const closed = { ...record, state: 'settled' as const };
    return text === undefined
      ? closed
      : { ...closed, status: settledStatus, result: await format.encrypt(key, record, text) };
  }

  /** Returns the parameters of an operation; `undefined` if they were not kept. */
  async parametersOf(key: string, record: OperationRecord): Promise<KeptParameters | undefined> {
    const { format } = this.#settings;
    const content = await format.decrypt(key, record, record.content);
    const query = record.query === undefined ? '' : await format.decrypt(key, record, record.query);
    return content === undefined || query === undefined ? undefined : { query, content };
  }

  /** Returns the recorded response; `undefined` if there is none, or it cannot be read. */
  async resultOf(key: string, record: OperationRecord): Promise<ReceivedResponse | undefined> {
    const { status } = record;
    const text = await this.#settings.format.decrypt(key, record, record.result);
    if (text === undefined || status === undefined) return undefined;
    return responseOf(status, text);
  }

  /** Returns the error for a call with other parameters than its record. */
  async mismatch(
    key: string,
    known: OperationRecord,
    fresh: OperationRecord,
    operation: JournaledOperation,
  ): Promise<OperationMismatchError> {
    const isElsewhere = known.method !== fresh.method || known.path !== fresh.path;
    const before = await this.parametersOf(key, known);
    const isAsked = before !== undefined && before.query !== operation.query;
    const differing = before === undefined ? [] : differingFields(before, operation);
    const names = differing.filter((name) => operation.fieldNames.includes(name));
    return operationMismatch(fresh, {
      names: [...(isElsewhere ? ['path'] : []), ...(isAsked ? ['query'] : []), ...names],
      unnamed: differing.length - names.length,
      first: await this.firstEnd(key, known, operation),
    });
  }

  /** Returns how the first call ended, as far as it is known. */
  async firstEnd(
    key: string,
    known: OperationRecord,
    { operation, judge }: Pick<JournaledOperation, 'operation' | 'judge'>,
  ): Promise<FirstEnd> {
    const { state } = known;
    // One key for two methods: what became of the one says nothing of the other.
    if (known.operation !== operation) return 'open';
    if (state === 'refused' || state === 'planned') return state;
    if (state === 'settled') return 'executed';
    if (state !== 'done') return 'open';
    const response = await this.resultOf(key, known);
    // A decline is an end too, so a result that was too long to record tells nothing.
    if (response === undefined) return 'open';
    const verdict = judge(response);
    if (verdict === 'declined') return 'declined';
    return verdict === 'errored' ? 'open' : 'executed';
  }
}
