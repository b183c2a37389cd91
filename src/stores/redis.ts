import { checkOptions } from '../base/check-options.ts';
import { optionsOf } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { attemptsRetention } from './attempts.ts';
import {
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
  type IoredisClient,
  integerOf,
  type NodeRedisClient,
  partsOf,
  type RunScript,
  scriptRunner,
  textOf,
  wrongAnswer,
} from './redis-client.ts';
import {
  claimed,
  claimScript,
  completed,
  completeScript,
  countScript,
  inProgress,
  openScript,
  releaseScript,
  removeScript,
  renewScript,
} from './redis-scripts.ts';
import type { ClaimOptions, ClaimResult, OpenClaim, OpenQuery, ReleaseOptions, Store } from './store.ts';
import type { VelocityEntry, VelocityReference, VelocityTotals } from './velocity-store.ts';

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** The text that every key in Redis begins with. Default: `payments-client:`. */
  readonly prefix?: string | undefined;
}

const optionsSchema = optionsOf<RedisStoreOptions>({ prefix: s.optional(storableText()) });

/**
 * All claims and their index have this hash tag, so that a cluster keeps them on one node and a script can change them together. A tag in
 * the prefix comes first, and takes its place.
 */
const recordName = '{claims}';
const indexName = 'open{claims}';

class RedisStore implements Store {
  readonly #run: RunScript;
  readonly #prefix: string;

  constructor(run: RunScript, prefix: string) {
    this.#run = run;
    this.#prefix = prefix;
  }

  async claim(key: string, lease: number, options?: ClaimOptions): Promise<ClaimResult> {
    checkClaim({ key, lease }, options);
    checkNoClient(options);
    const token = crypto.randomUUID();
    const reply = await this.#runClaim(claimScript, key, [token, lease, attemptsRetention], options);
    const [first, second, third] = partsOf(reply);
    const [status, value, data] = [integerOf(first), integerOf(second), textOf(third)];
    if (status === claimed) return { status: 'claimed', token, attempt: value, data };
    if (status === inProgress) return { status: 'in_progress', retryAfter: value, data };
    if (status === completed) return { status: 'completed', data };
    throw wrongAnswer(reply);
  }

  async renew(key: string, token: string, lease: number, options?: ClaimOptions): Promise<boolean> {
    checkRenew({ key, token, lease }, options);
    checkNoClient(options);
    const values = [token, lease, attemptsRetention];
    return integerOf(await this.#runClaim(renewScript, key, values, options)) === 1;
  }

  async complete(key: string, token: string, retention: number, options?: ClaimOptions): Promise<boolean> {
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
    const { prefix, after = '', limit } = query;
    const from = compareCodePoints(after, prefix) < 0 ? `[${prefix}` : `(${after}`;
    const values = [indexName, recordName, prefix, from, String(limit)];
    const page = await this.#run(openScript, [this.#prefix + indexName], values);
    if (!Array.isArray(page)) throw wrongAnswer(page);
    return page.map(openClaimOf);
  }

  countAttempts(entries: readonly VelocityEntry[]): Promise<readonly VelocityTotals[]> {
    return Promise.all(entries.map((entry) => this.#count(entry)));
  }

  async removeAttempts(references: readonly VelocityReference[]): Promise<void> {
    await Promise.all(references.map(({ key, id }) => this.#run(removeScript, this.#countKeys(key), [id])));
  }

  async #count({ key, id, at, amount, windowMs }: VelocityEntry): Promise<VelocityTotals> {
    const values = [id, at, amount, at - windowMs, Math.ceil(windowMs)].map(String);
    const reply = await this.#run(countScript, this.#countKeys(key), values);
    const [added, count, oldestAt, sum] = partsOf(reply).map(textOf);
    if (sum === undefined) throw wrongAnswer(reply);
    return { count: Number(count), sum: BigInt(sum), oldestAt: Number(oldestAt), added: added === '1' };
  }

  /** The keys of one count, on one node of a cluster. */
  #countKeys(key: string): string[] {
    const times = `${this.#prefix}velocity:{${key}}`;
    return [times, `${times}:amounts`];
  }

  #runClaim(
    script: string,
    key: string,
    values: readonly (string | number)[],
    { data }: ClaimOptions = {},
  ): Promise<unknown> {
    const keys = [this.#prefix + recordName + key, this.#prefix + indexName];
    return this.#run(script, keys, [...values.map(String), key, ...(data === undefined ? [] : [data])]);
  }
}

function openClaimOf(entry: unknown): OpenClaim {
  const [first, second, ...numbers] = partsOf(entry);
  const [key, data] = [textOf(first), textOf(second)];
  const [attempt = 0, leased = 0, age = 0] = numbers.map(integerOf);
  if (key === undefined || data === undefined) throw wrongAnswer(entry);
  return { key, data, attempt, leased, age };
}

/**
 * Keeps everything in Redis 5 or newer, or in Valkey, for all processes that share it. Each operation is one round trip and one atomic
 * script; times of claims are those of the server, so the clocks of your machines do not matter.
 *
 * Every key expires but the claims with data: one that was completed, or released with a retention, after its retention, one that was not a
 * week after its lease ran out. Till then its attempts are counted, and it may still be completed where no other claim took it over.
 *
 * **In a cluster** all claims of a store are on one node, since they have one hash tag. Give a prefix with a tag of its own, such as
 * `{journal}:`, to put a store on another node. Counted attempts are spread over the nodes.
 *
 * Redis may lose what it confirmed: in a failover, since it replicates later; in a crash without `appendfsync always`; and where it is
 * full and `maxmemory-policy` is not `noeviction`. An event then comes a second time. Where its effect is in PostgreSQL, `postgresStore`
 * in the same transaction has no such gap.
 *
 * @param client A client of `redis` or of `ioredis`, connected. It stays yours: close it yourself. Do not pass a client that is inside a
 *   transaction (`MULTI`) or reads from replicas.
 * @throws ConfigurationError when the client or an option is wrong. What the client throws comes through as it is.
 */
export function redisStore(client: NodeRedisClient | IoredisClient, options: RedisStoreOptions = {}): Store {
  checkOptions('redisStore', optionsSchema, options);
  const { prefix = 'payments-client:' } = options;
  return new RedisStore(scriptRunner(client), prefix);
}
