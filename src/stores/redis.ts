import { checkOptions } from '../base/check-options.ts';
import { type Logger, loggerSchema } from '../base/logger.ts';
import { optionsOf } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { attemptsRetention } from './attempts.ts';
import {
  checkAdvance,
  checkClaim,
  checkComplete,
  checkNoClient,
  checkOpen,
  checkRelease,
  checkRenew,
  storableText,
} from './checks.ts';
import { compareCodePoints } from './compare-code-points.ts';
import {
  digitsOf,
  type IoredisClient,
  integerOf,
  type NodeRedisClient,
  partsOf,
  type RunScript,
  scriptRunner,
  textOf,
  wrongAnswer,
} from './redis-client.ts';
import { EvictionCheck } from './redis-eviction.ts';
import {
  advanceScript,
  claimed,
  claimScript,
  completed,
  completeScript,
  countScript,
  inProgress,
  openScript,
  releaseScript,
  renewScript,
  takeBackScript,
} from './redis-scripts.ts';
import type { Snapshot } from './snapshot-store.ts';
import type {
  ClaimOptions,
  ClaimResult,
  KeyOptions,
  OpenClaim,
  OpenQuery,
  ReleaseOptions,
  Store,
} from './store.ts';
import type { TransactionOptions } from './transaction-options.ts';
import type { VelocityEntry, VelocityTotal } from './velocity-store.ts';
import { bucketEnd, bucketWidth } from './velocity-window.ts';

/** Options of {@link redisStore}. */
type RedisStoreOptions = {
  /** The prefix of every key in Redis. Default: `payments-client:`. */
  readonly prefix?: string | undefined;
  /**
   * Whether Redis may delete records when it is full. An event is then handled twice, and a payment may be sent twice. Default:
   * `false`. The first use reads `INFO memory`: with a `maxmemory` and another policy than `noeviction` the journal throws a
   * `JournalError` before it sends anything, and every other use warns once. It also warns if it cannot read the policy.
   */
  readonly allowEviction?: boolean | undefined;
  /** Gets the warning about eviction. Accepts `console`, pino or winston. Default: `console`. */
  readonly logger?: Logger | undefined;
};

const optionsSchema = optionsOf<RedisStoreOptions>(() => ({
  prefix: s.optional(storableText()),
  allowEviction: s.optional(s.boolean()),
  logger: loggerSchema,
}));

/**
 * All claims and their index share this hash tag, so that a cluster keeps them on one node and a script can change them
 * together. A tag in the prefix comes first and replaces it.
 */
const recordName = '{claims}';
const indexName = 'open{claims}';
/** The hash tag of counted attempts, since one check changes several keys. */
const velocityName = '{velocity}';
/** Without a hash tag: a cluster spreads snapshots over its nodes. */
const snapshotName = 'snapshot:';

class RedisStore implements Store {
  readonly #run: RunScript;
  readonly #prefix: string;
  /** `undefined` if Redis may evict records. */
  readonly #eviction: EvictionCheck | undefined;

  constructor(run: RunScript, options: RedisStoreOptions) {
    const { prefix = 'payments-client:', allowEviction = false, logger = console } = options;
    this.#run = run;
    this.#prefix = prefix;
    if (!allowEviction) this.#eviction = new EvictionCheck({ run, key: prefix + indexName, logger });
  }

  async claim(key: string, lease: number, options?: ClaimOptions): Promise<ClaimResult> {
    checkClaim({ key, lease }, options);
    checkNoClient(options);
    const { token = crypto.randomUUID(), data: given } = options ?? {};
    // The journal claims with data.
    await this.#eviction?.check(given !== undefined);
    const reply = await this.#runClaim(claimScript, key, [token, lease, attemptsRetention], options);
    const [first, second, third] = partsOf(reply);
    const [status, value, data] = [integerOf(first), integerOf(second), textOf(third)];
    if (status === claimed) return { status: 'claimed', token, attempt: value, data };
    if (status === inProgress) return { status: 'in_progress', retryAfter: value, data };
    if (status === completed) return { status: 'completed', data };
    throw wrongAnswer(reply);
  }

  async renew(key: string, token: string, lease: number, options?: KeyOptions): Promise<boolean> {
    checkRenew({ key, token, lease }, options);
    checkNoClient(options);
    const values = [token, lease, attemptsRetention];
    return integerOf(await this.#runClaim(renewScript, key, values, options)) === 1;
  }

  async complete(key: string, token: string, retention: number, options?: KeyOptions): Promise<boolean> {
    checkComplete({ key, token, retention }, options);
    checkNoClient(options);
    return integerOf(await this.#runClaim(completeScript, key, [token, retention], options)) === 1;
  }

  async release(key: string, token: string, options?: ReleaseOptions): Promise<boolean> {
    checkRelease({ key, token }, options);
    checkNoClient(options);
    const values = [token, attemptsRetention, options?.retention ?? ''];
    return integerOf(await this.#runClaim(releaseScript, key, values, options)) === 1;
  }

  async open(query: OpenQuery): Promise<readonly OpenClaim[]> {
    checkOpen(query);
    const values = [indexName, recordName, query.prefix, startOf(query), String(query.limit)];
    const page = await this.#run(openScript, [this.#prefix + indexName], values);
    if (!Array.isArray(page)) throw wrongAnswer(page);
    return page.map(openClaimOf);
  }

  async countAttempt(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    await this.#eviction?.check(false);
    const keys = entries.map(({ key }) => key);
    const reply = await this.#run(countScript, this.#velocityKeys(id, keys), entries.flatMap(valuesOf));
    const totals = partsOf(reply);
    return entries.map((entry, index) => totalOf(entry, totals[index]));
  }

  async takeBackAttempt(id: string, keys: readonly string[]): Promise<void> {
    await this.#run(takeBackScript, this.#velocityKeys(id, keys), [...keys]);
  }

  async advance(key: string, version: number, data: string, options?: TransactionOptions): Promise<Snapshot> {
    checkAdvance({ key, version, data }, options);
    checkNoClient(options);
    await this.#eviction?.check(false);
    const reply = await this.#run(
      advanceScript,
      [this.#prefix + snapshotName + key],
      [String(version), data],
    );
    const [first, second] = partsOf(reply);
    const [kept, text] = [integerOf(first), textOf(second)];
    if (text === undefined) throw wrongAnswer(reply);
    return { version: kept, data: text };
  }

  #velocityKeys(id: string, keys: readonly string[]): string[] {
    return [`attempt${velocityName}${id}`, ...keys.map((key) => velocityName + key)].map(
      (name) => this.#prefix + name,
    );
  }

  #runClaim(
    script: string,
    key: string,
    values: readonly (string | number)[],
    { data }: KeyOptions = {},
  ): Promise<unknown> {
    const keys = [this.#prefix + recordName + key, this.#prefix + indexName];
    return this.#run(script, keys, [...values.map(String), key, ...(data === undefined ? [] : [data])]);
  }
}

function valuesOf({ key, amount, limit, windowMs, blocks }: VelocityEntry): string[] {
  const room = amount > limit ? '' : limit - amount;
  return [key, amount, limit, room, windowMs, bucketWidth(windowMs), blocks ? 1 : 0].map(String);
}

function totalOf({ amount, windowMs }: VelocityEntry, reply: unknown): VelocityTotal {
  const [exceeded, counted, sum, oldest] = partsOf(reply);
  return {
    total: BigInt(digitsOf(sum)) + (integerOf(counted) === 1 ? 0n : amount),
    exceeded: integerOf(exceeded) === 1,
    freeAt: bucketEnd(integerOf(oldest), windowMs),
  };
}

/** Returns the start of a page, in the form of ZRANGEBYLEX. */
function startOf({ prefix, after = '' }: OpenQuery): string {
  return compareCodePoints(after, prefix) < 0 ? `[${prefix}` : `(${after}`;
}

function openClaimOf(entry: unknown): OpenClaim {
  const [first, second, ...numbers] = partsOf(entry);
  const [key, data] = [textOf(first), textOf(second)];
  const [attempt = 0, leased = 0, age = 0] = numbers.map(integerOf);
  if (key === undefined || data === undefined) throw wrongAnswer(entry);
  return { key, data, attempt, leased, age };
}

/**
 * Creates a store in Redis 5 or newer, or in Valkey, for all processes that share it. Each call is one round trip and one
 * atomic script; the first one reads `INFO memory` too. It uses the server's clock, so the clocks of your machines do not matter.
 *
 * Every key expires except claims with data and snapshots. A counted attempt expires after its window, and a claim that was
 * completed or released with a retention after that retention. Any other claim expires a week after its lease: until then
 * its attempts are counted, and it can be completed unless another claim took over.
 *
 * **In a cluster** all claims of a store are on one node, since they share a hash tag; so are all its counted attempts,
 * since a check changes several keys at once. Pass a prefix with its own tag, such as `{journal}:`, to put a store on
 * another node. Snapshots are spread over all nodes unless the prefix has a tag.
 *
 * Redis may lose confirmed writes: in a failover, since it replicates asynchronously; in a crash without `appendfsync
 * always`; and when it is full and may evict records (option `allowEviction`). An event is then handled twice, or the journal
 * forgets an operation. If the effect is in PostgreSQL, `postgresStore` in the same transaction avoids this.
 *
 * @param client A connected client of `redis` or `ioredis`. The store never closes it. Do not pass a client that is inside a
 *   transaction (`MULTI`) or reads from replicas.
 * @throws ConfigurationError when the client or an option is wrong. Errors of the client pass through unchanged.
 */
export function redisStore(client: NodeRedisClient | IoredisClient, options: RedisStoreOptions = {}): Store {
  checkOptions('redisStore', optionsSchema, options);
  return new RedisStore(scriptRunner(client), options);
}
