import { type Logger, loggerSchema } from '../../base/logger.ts';
import { checkOptions, integerFrom, optionsOf } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { type Backend, checkedStore, type PageQuery } from '../checked-store.ts';
import { defaultTimeout, storableText, type TimeoutOptions, timeoutFields } from '../checks.ts';
import { attemptsRetention } from '../records/claim.ts';
import type { DocumentSave } from '../records/document.ts';
import { type OpenPlace, spaceOf } from '../records/open-order.ts';
import { bucketEnd, bucketWidth } from '../records/velocity-window.ts';
import type {
  AdvancedSnapshot,
  ClaimOptions,
  ClaimResult,
  DueDocument,
  DueQuery,
  KeptDocument,
  KeptKey,
  KeyedOptions,
  OpenClaim,
  OpenPage,
  ReleaseOptions,
  ScanPage,
  ScanQuery,
  Store,
  VelocityEntry,
  VelocityTotal,
} from '../store.ts';
import {
  digitsIn,
  type IoredisClient,
  integerOf,
  type NodeRedisClient,
  partsOf,
  type RunScript,
  textIn,
  wrongAnswer,
} from './client.ts';
import { RedisDocuments } from './documents.ts';
import { type Runs, runsOf } from './runs.ts';
import {
  advanceScript,
  checkScript,
  claimedAnswer,
  claimScript,
  completedAnswer,
  completeScript,
  findOpenScript,
  findScript,
  inProgressAnswer,
  openScript,
  releaseScript,
  renewScript,
  replaceScript,
  scanScript,
  sinceDigits,
} from './scripts.ts';

/** Options of {@link redisStore}. */
type RedisStoreOptions = TimeoutOptions & {
  /** The prefix of every key in Redis. Default: `payments-client:`. */
  readonly prefix?: string | undefined;
  /**
   * Whether Redis may delete records when it is full. An event is then handled twice, and a payment may be sent twice. Default:
   * `false`. Each script that writes reads `INFO memory`: with a `maxmemory` and another policy than `noeviction` the journal throws a
   * `JournalError` before it sends anything, `save` throws `STORE_EVICTS`, and every other use warns once. It also warns if it cannot read the policy.
   */
  readonly allowEviction?: boolean | undefined;
  /**
   * How many replicas must have what a journal or orders write, an integer from 0 to 10. The call waits for them (`WAIT`), at most half of
   * `timeout`. With fewer it rejects with the code `STORE_NOT_REPLICATED`, and the journal sends nothing. Default: 0, it does not wait.
   */
  readonly replicas?: number | undefined;
  /** Gets the warning about eviction. Accepts `console`, pino or winston. Default: `console`. */
  readonly logger?: Logger | undefined;
};

const optionsSchema = /* @__PURE__ */ optionsOf<RedisStoreOptions>(() => ({
  prefix: s.optional(storableText()),
  allowEviction: s.optional(s.boolean()),
  replicas: s.optional(integerFrom(0, 10)),
  logger: loggerSchema,
  ...timeoutFields(),
}));

/**
 * All claims and their indexes share this hash tag, so that a cluster keeps them on one node and a script can change them
 * together. A tag in the prefix comes first and replaces it.
 */
const recordName = '{claims}';
/** The index of a space has the name of the space after it. */
const indexName = 'open{claims}';
/** The hash tag of counted attempts, since one check changes several keys. */
const velocityName = '{velocity}';
/** Without a hash tag: a cluster spreads snapshots over its nodes. */
const snapshotName = 'snapshot:';

/** The cursor with which a SCAN begins, and after which it has ended. */
const firstCursor = '0';

class RedisBackend implements Backend {
  readonly #runs: Runs;
  readonly #prefix: string;
  readonly #documents: RedisDocuments;

  constructor(runs: Runs, prefix: string) {
    this.#runs = runs;
    this.#prefix = prefix;
    this.#documents = new RedisDocuments(runs, prefix);
  }

  async claim(
    key: string,
    token: string,
    lease: number,
    { data, takeOver = false }: ClaimOptions = {},
  ): Promise<ClaimResult> {
    const { kept, lasting } = this.#runs;
    const values = [token, lease, attemptsRetention, takeOver ? 1 : 0];
    const reply = await this.#change(data === undefined ? kept : lasting, claimScript, key, values, data);
    const [first, second, third, fourth] = partsOf(reply);
    const [status, value, known] = [integerOf(first), integerOf(second), textIn(third)];
    const server = textIn(fourth);
    const named = server === undefined ? {} : { server };
    if (status === claimedAnswer) return { status: 'claimed', token, attempt: value, data: known, ...named };
    if (status === inProgressAnswer) return { status: 'in_progress', retryAfter: value, data: known };
    if (status === completedAnswer) return { status: 'completed', data: known };
    throw wrongAnswer(reply);
  }

  async renew(key: string, token: string, lease: number, { data }: KeyedOptions = {}): Promise<boolean> {
    const { plain, lasting } = this.#runs;
    const run = data === undefined ? plain : lasting;
    return (
      integerOf(await this.#change(run, renewScript, key, [token, lease, attemptsRetention], data)) === 1
    );
  }

  async complete(
    key: string,
    token: string,
    retention: number,
    { data }: KeyedOptions = {},
  ): Promise<boolean> {
    const { plain, ending } = this.#runs;
    const run = data === undefined ? plain : ending;
    return integerOf(await this.#change(run, completeScript, key, [token, retention], data)) === 1;
  }

  async release(key: string, token: string, { retention, data }: ReleaseOptions = {}): Promise<boolean> {
    const values = [token, attemptsRetention, retention ?? ''];
    // What is forgotten of a release looks as if the claim had ended later.
    return integerOf(await this.#change(this.#runs.plain, releaseScript, key, values, data)) === 1;
  }

  async list({ space, after, limit, counts = false }: PageQuery): Promise<OpenPage> {
    const index = indexName + space;
    const values = [index, recordName, after === undefined ? '-' : `(${memberOf(after)}`, String(limit)];
    return pageOf(await this.#runs.plain(openScript, [this.#prefix + index], values), counts);
  }

  async find(key: string): Promise<KeptKey | undefined> {
    const [isKnown, isCompleted, data] = partsOf(
      await this.#runs.plain(findScript, this.#claimKeys(key), []),
    );
    if (integerOf(isKnown) === 0) return undefined;
    return { completed: integerOf(isCompleted) === 1, data: textIn(data) };
  }

  async scan({ space, after = firstCursor, limit }: ScanQuery): Promise<ScanPage> {
    const index = indexName + space;
    const values = [index, recordName, space, after, String(limit)];
    const [cursor, page] = partsOf(await this.#runs.plain(scanScript, [this.#prefix + index], values));
    const found = partsOf(page)
      .map((entry) => keptTextOf(entry))
      .filter(({ key }) => spaceOf(key) === space);
    const next = digitsIn(cursor);
    return { found, next: next === firstCursor ? undefined : next };
  }

  async replace(key: string, data: string, replacement: string): Promise<boolean> {
    return integerOf(await this.#runs.plain(replaceScript, this.#claimKeys(key), [data, replacement])) === 1;
  }

  async findOpen(key: string): Promise<OpenPage> {
    return pageOf(await this.#runs.plain(findOpenScript, this.#claimKeys(key), [key]));
  }

  async check(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    const names = [`attempt${velocityName}${id}`, ...entries.map(({ key }) => velocityName + key)];
    const keys = names.map((name) => this.#prefix + name);
    const totals = partsOf(await this.#runs.kept(checkScript, keys, entries.flatMap(valuesOf)));
    return entries.map((entry, index) => totalOf(entry, totals[index]));
  }

  async advance(key: string, version: number, data: string): Promise<AdvancedSnapshot> {
    const keys = [this.#prefix + snapshotName + key];
    const reply = await this.#runs.kept(advanceScript, keys, [String(version), data]);
    const [isStored, before, text] = partsOf(reply);
    const [advanced, kept] = [integerOf(isStored) === 1, textIn(text)];
    const previous = kept === undefined ? undefined : { version: integerOf(before), data: kept };
    if (advanced) return { advanced, current: { version, data }, previous };
    if (previous === undefined) throw wrongAnswer(reply);
    return { advanced, current: previous, previous };
  }

  load(key: string): Promise<KeptDocument | undefined> {
    return this.#documents.load(key);
  }

  save(document: DocumentSave): Promise<boolean> {
    return this.#documents.save(document);
  }

  lookUp(reference: string): Promise<string | undefined> {
    return this.#documents.lookUp(reference);
  }

  due(query: DueQuery): Promise<readonly DueDocument[]> {
    return this.#documents.due(query);
  }

  #claimKeys(key: string): string[] {
    return [recordName + key, indexName + spaceOf(key)].map((name) => this.#prefix + name);
  }

  /** Runs a script that changes a claim. */
  #change(
    run: RunScript,
    script: string,
    key: string,
    values: readonly (string | number)[],
    data: string | undefined,
  ): Promise<unknown> {
    const all = [...values.map(String), key, ...(data === undefined ? [] : [data])];
    return run(script, this.#claimKeys(key), all);
  }
}

function valuesOf({ key, amount, limit, windowMs, blocks, token, keeps }: VelocityEntry): string[] {
  const room = amount > limit ? '' : limit - amount;
  const [width, blocking, keeping] = [bucketWidth(windowMs), blocks ? 1 : 0, keeps ? 1 : 0];
  return [key, amount, limit, room, windowMs, width, blocking, token, keeping].map(String);
}

function totalOf({ amount, windowMs }: VelocityEntry, reply: unknown): VelocityTotal {
  const [exceeded, counted, sum, oldest, kept] = partsOf(reply);
  const token = textIn(kept);
  if (token === undefined) throw wrongAnswer(reply);
  return {
    token,
    total: BigInt(digitsIn(sum)) + (integerOf(counted) === 1 ? 0n : amount),
    exceeded: integerOf(exceeded) === 1,
    freeAt: bucketEnd(integerOf(oldest), windowMs),
  };
}

/** Returns the member of an index. */
function memberOf({ since, key }: OpenPlace): string {
  const time = Math.min(Math.max(since, 0), 10 ** sinceDigits - 1);
  return String(time).padStart(sinceDigits, '0') + key;
}

function pageOf(reply: unknown, counts = false): OpenPage {
  const [count, ...claims] = partsOf(reply);
  const all = integerOf(count);
  return { claims: claims.map(openClaimOf), count: counts ? all : undefined };
}

function keptTextOf(entry: unknown): ScanPage['found'][number] {
  const [key, data] = partsOf(entry).map(textIn);
  if (key === undefined || data === undefined) throw wrongAnswer(entry);
  return { key, data };
}

function openClaimOf(entry: unknown): OpenClaim {
  const [first, second, ...numbers] = partsOf(entry);
  const [key, data] = [textIn(first), textIn(second)];
  const [attempt = 0, leased = 0, since = 0, age = 0] = numbers.map(integerOf);
  if (key === undefined || data === undefined) throw wrongAnswer(entry);
  return { key, data, attempt, leased, since, age };
}

/**
 * Creates a store in Redis 5 or newer, or in Valkey, for all processes that share it. Each call is one round trip and one
 * atomic script. It uses the server's clock, so the clocks of your machines do not matter.
 *
 * Every key expires except claims with data, snapshots and documents. A counted attempt expires after its window, and a claim that was
 * completed or released with a retention after that retention. Any other claim expires a week after its lease: until then
 * its attempts are counted, and it can be completed unless another claim took over.
 *
 * **In a cluster** all claims of a store are on one node, since they share a hash tag; so are all its counted attempts,
 * since a check changes several keys at once. Pass a prefix with its own tag, such as `{journal}:`, to put a store on
 * another node. All documents with their references are on one node too. Snapshots are spread over all nodes unless the prefix has a tag.
 *
 * Redis may lose confirmed writes: in a failover, since it replicates asynchronously (option `replicas`); in a crash without `appendfsync
 * always`; and when it is full and may evict records (option `allowEviction`). An event is then handled twice, or the journal
 * forgets an operation. If the effect is in PostgreSQL, `postgresStore` in the same transaction avoids this.
 *
 * @param client A connected client of `redis` or `ioredis`. The store never closes it. Do not pass a client that is inside a
 *   transaction (`MULTI`) or reads from replicas.
 * @throws ConfigurationError when the client or an option is wrong. Errors of the client pass through unchanged.
 */
export function redisStore(client: NodeRedisClient | IoredisClient, options: RedisStoreOptions = {}): Store {
  checkOptions('redisStore', optionsSchema, options);
  const { timeout = defaultTimeout, prefix = 'payments-client:', logger = console } = options;
  const { allowEviction = false, replicas = 0 } = options;
  const runs = runsOf(client, { allowEviction, logger, replicas, patience: Math.ceil(timeout / 2) });
  return checkedStore(new RedisBackend(runs, prefix), { timeout });
}
