/** What a record keeps of a call: its parameters or their digest, and its result. And how another call with its id differs. */

import { sha256Hex } from '../base/bytes.ts';
import { isRecord, parseJson, stringifyCanonical } from '../base/json.ts';
import type { CardNumbers } from '../base/redact.ts';
import type { JournaledOperation } from '../http/past/call-journal.ts';
import { noHeaders, type ReceivedResponse } from '../http/transport/transport.ts';
import { idsOfObjects, idsOfRequests, maskCards, withoutCards } from '../stores/kept/card-data.ts';
import { queryWithoutCardSecrets, withoutCardSecrets } from '../stores/kept/card-secrets.ts';
import { withoutPersons } from '../stores/kept/personal-data.ts';
import { accountOf } from './account.ts';
import { type FirstEnd, type OperationMismatchError, operationMismatch, type Withheld } from './errors.ts';
import type { OperationRecord } from './record.ts';
import type { RecordFormat } from './record-format.ts';

/** What a request sends, and where to. */
type Sent = Pick<JournaledOperation, 'method' | 'path' | 'query' | 'content' | 'uncompared'>;

/** Two requests are equal if they send the same content to the same place. */
function digestOf({ method, path, query, content, uncompared = [] }: Sent): string {
  const compared = uncompared.length === 0 ? content : stringifyCanonical(without(uncompared, content));
  return sha256Hex(`${method} ${path}${query}\n${compared}`);
}

/** A request without card data. */
interface SafeRequest extends Sent, Pick<JournaledOperation, 'lookUp'> {
  /** Whether it held some. */
  readonly isMasked: boolean;
}

/** Returns a request with its card numbers masked, wherever they stand, and without security codes: a digest of three digits hides nothing. */
function withoutCardData({ method, uncompared, cardNumbers, ...sent }: JournaledOperation): SafeRequest {
  const path = maskCards(sent.path, cardNumbers);
  const asked = queryWithoutCardSecrets(sent.query);
  const query = asked.slice(0, 1) + withoutCards(asked.slice(1), idsOfRequests, cardNumbers);
  const content = withoutCards(withoutCardSecrets(sent.content), idsOfRequests, cardNumbers);
  const lookUp = Object.fromEntries(
    Object.entries(sent.lookUp).map(([name, value]) => [
      name,
      idsOfRequests.has(name) ? value : maskCards(value, cardNumbers),
    ]),
  );
  const isMasked = path !== sent.path || query !== sent.query || content !== sent.content;
  return { method, path, query, content, uncompared, lookUp, isMasked };
}

/** Returns the fields of a content, without some. */
function without(names: readonly string[], content: string): Readonly<Record<string, unknown>> {
  const fields = Object.entries(Object(parseJson(content)));
  return Object.fromEntries(fields.filter(([name]) => !names.includes(name)));
}

/** What a request sends to its path. */
type KeptParameters = Pick<JournaledOperation, 'query' | 'content'>;

/** Returns the names of the fields that differ. */
function differingFields(before: KeptParameters, { content, uncompared = [] }: Sent): readonly string[] {
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
  readonly keepsPersonalData: boolean;
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
    const { operation, operationId, keyed } = journaled;
    const { contents, format, now } = this.#settings;
    const account = accountOf(journaled);
    const safe = withoutCardData(journaled);
    const { method, path, query, content, lookUp } = safe;
    const place = { origin: account.origin, method, path };
    const withheld = contents === 'whole' ? this.#withheld(safe) : undefined;
    const isKept = contents === 'whole' && withheld === undefined;
    return {
      version: 1,
      operation,
      operationId,
      claim: crypto.randomUUID(),
      ...account,
      method,
      path,
      digest: digestOf(safe),
      ...(isKept && query !== '' && { query: await format.encrypt(key, place, query) }),
      ...(isKept && { content: await format.encrypt(key, place, content) }),
      withheld,
      keyed,
      state: 'running',
      startedAt: now(),
      lookUp,
    };
  }

  /**
   * Returns the record of an operation with its response.
   *
   * @param cardNumbers The card numbers of the call.
   */
  async done(
    key: string,
    record: OperationRecord,
    { status, text }: ReceivedResponse,
    cardNumbers: CardNumbers | undefined,
  ): Promise<OperationRecord> {
    return { ...record, state: 'done', status, result: await this.#kept(key, record, text, cardNumbers) };
  }

  /** Returns the record of an operation that was closed manually as executed, with or without a result. */
  async settled(key: string, record: OperationRecord, text: string | undefined): Promise<OperationRecord> {
    const closed = { ...record, state: 'settled' as const };
    return text === undefined
      ? closed
      : { ...closed, status: settledStatus, result: await this.#kept(key, record, text) };
  }

  /** Returns the body of a response as the store keeps it. */
  #kept(key: string, record: OperationRecord, body: string, cardNumbers?: CardNumbers): Promise<string> {
    const { format, keepsPersonalData } = this.#settings;
    // The form endpoint calls the id of its objects `transactionid`. Its `id` may be a field of the call.
    const ids = record.mode === 'unknown' ? idsOfRequests : idsOfObjects;
    const safe = withoutCards(body, ids, cardNumbers);
    return format.encrypt(key, record, keepsPersonalData ? safe : withoutPersons(safe));
  }

  /** Returns why the parameters of a call are not kept; `undefined` if they are. */
  #withheld({ query, content, isMasked }: SafeRequest): Withheld | undefined {
    if (isMasked) return 'card_data';
    if (this.#settings.keepsPersonalData) return undefined;
    const isPersonal = [query.slice(1), content].some((text) => withoutPersons(text) !== text);
    return isPersonal ? 'personal_data' : undefined;
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
    // The digest covers no security code, so one is no difference.
    const safe = withoutCardData(operation);
    const isAsked = before !== undefined && before.query !== safe.query;
    const differing = before === undefined ? [] : differingFields(before, safe);
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
