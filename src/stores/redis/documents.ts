import { type DocumentSave, referenceTaken } from '../records/document.ts';
import { spaceOf } from '../records/open-order.ts';
import type { DueDocument, DueQuery, KeptDocument } from '../store.ts';
import { integerOf, partsOf, textIn, wrongAnswer } from './client.ts';
import type { Runs } from './runs.ts';

/** The hash tag of all documents, their references and indexes, since one script changes them together. */
const recordName = '{documents}';
const referenceName = 'reference{documents}';
/** The index of a space has the name of the space after it. */
const indexName = 'due{documents}';

/** The digits of a time, after one for its sign. */
const timeDigits = 16;

/** Returns a time as a text. Redis sorts such texts by byte, and the times with them. */
function sortable(time: number): string {
  const [sign, rest] = time < 0 ? ['0', time + Number.MAX_SAFE_INTEGER] : ['1', time];
  return sign + String(rest).padStart(timeDigits, '0');
}

function timeOf(text: string): number {
  const rest = Number(text.slice(1));
  return text.startsWith('0') ? rest - Number.MAX_SAFE_INTEGER : rest;
}

/**
 * A document is a hash: `version`, `data`, `wake` (the sortable time; empty if it never becomes due), and the `token` of the last save. A
 * client may resend a script if it lost the answer with its connection: the document then already has the token.
 *
 * A reference has the key of its document. An index is a sorted set of members with equal scores, each `wake` and the key. Redis sorts
 * them by byte, as code points are sorted.
 *
 * KEYS: the document, the index, then each reference. ARGV: the version that it replaces; the data; the sortable time, or an empty text; the
 * key; the token. Returns {@link lostAnswer}, {@link savedAnswer} or {@link takenAnswer}.
 */
const saveScript = `
local known = redis.call('HMGET', KEYS[1], 'version', 'wake', 'token')
if known[3] == ARGV[5] then return 1 end
if (known[1] or '0') ~= ARGV[1] then return 0 end
for index = 3, #KEYS do
  local owner = redis.call('GET', KEYS[index])
  if owner and owner ~= ARGV[4] then return 2 end
end
for index = 3, #KEYS do redis.call('SET', KEYS[index], ARGV[4]) end
redis.call('HSET', KEYS[1], 'version', string.format('%.0f', ARGV[1] + 1), 'data', ARGV[2], 'wake', ARGV[3], 'token', ARGV[5])
if known[2] and known[2] ~= '' then redis.call('ZREM', KEYS[2], known[2] .. ARGV[4]) end
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[2], 0, ARGV[3] .. ARGV[4]) end
return 1
`;
const lostAnswer = 0;
const savedAnswer = 1;
const takenAnswer = 2;

/** KEYS: the document. Returns its version and data; 0 and nothing if it was never saved. */
const loadScript = `
local known = redis.call('HMGET', KEYS[1], 'version', 'data')
return { known[1] or 0, known[2] }
`;

/** KEYS: the reference. Returns 1 and the key of its document, or 0. */
const lookUpScript = `
local owner = redis.call('GET', KEYS[1])
return { owner and 1 or 0, owner }
`;

/**
 * KEYS: the index. ARGV: the member after which the page starts, or an empty text; the last sortable time; the page size. Returns their number and the members. No
 * text in UTF-8 has the byte 255, so all members of the last time are before it.
 */
const dueScript = `
local from = ARGV[1] == '' and '-' or '(' .. ARGV[1]
local members = redis.call('ZRANGEBYLEX', KEYS[1], from, '(' .. ARGV[2] .. '\\255', 'LIMIT', 0, ARGV[3])
return { #members, members }
`;

/** Documents in Redis. */
export class RedisDocuments {
  readonly #runs: Pick<Runs, 'plain' | 'lasting'>;
  readonly #prefix: string;

  constructor(runs: Pick<Runs, 'plain' | 'lasting'>, prefix: string) {
    this.#runs = runs;
    this.#prefix = prefix;
  }

  async load(key: string): Promise<KeptDocument | undefined> {
    const reply = await this.#runs.plain(loadScript, this.#names(recordName + key), []);
    const [first, text] = partsOf(reply);
    const [version, data] = [integerOf(first), textIn(text)];
    if (version === 0) return undefined;
    if (data === undefined) throw wrongAnswer(reply);
    return { version, data };
  }

  async save({ key, version, data, references, wakeAt }: DocumentSave): Promise<boolean> {
    const names = [
      recordName + key,
      indexName + spaceOf(key),
      ...references.map((one) => referenceName + one),
    ];
    const wake = wakeAt === null ? '' : sortable(wakeAt);
    const values = [String(version), data, wake, key, crypto.randomUUID()];
    const answer = integerOf(await this.#runs.lasting(saveScript, this.#names(...names), values));
    if (answer === takenAnswer) throw referenceTaken();
    if (answer !== savedAnswer && answer !== lostAnswer) throw wrongAnswer(answer);
    return answer === savedAnswer;
  }

  async lookUp(reference: string): Promise<string | undefined> {
    const reply = await this.#runs.plain(lookUpScript, this.#names(referenceName + reference), []);
    const [isKnown, key] = partsOf(reply);
    return integerOf(isKnown) === 1 ? textIn(key) : undefined;
  }

  async due({ space, until, after, limit }: DueQuery): Promise<readonly DueDocument[]> {
    const from = after === undefined ? '' : sortable(after.wakeAt) + after.key;
    const values = [from, sortable(until), String(limit)];
    const reply = await this.#runs.plain(dueScript, this.#names(indexName + space), values);
    const [count, members] = partsOf(reply);
    return integerOf(count) === 0 ? [] : partsOf(members).map(documentOf);
  }

  #names(...names: readonly string[]): string[] {
    return names.map((name) => this.#prefix + name);
  }
}

function documentOf(member: unknown): DueDocument {
  const text = textIn(member);
  if (text === undefined) throw wrongAnswer(member);
  const [wake, key] = [text.slice(0, 1 + timeDigits), text.slice(1 + timeDigits)];
  return { key, wakeAt: timeOf(wake) };
}
