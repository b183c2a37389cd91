import { checkOptions } from '../base/check-options.ts';
import { optionsOf } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { attemptsRetention } from './attempts.ts';
import {
  checkClaim,
  checkComplete,
  checkNoClient,
  checkNoData,
  checkRelease,
  storableText,
} from './checks.ts';
import {
  type IoredisClient,
  integersOf,
  type NodeRedisClient,
  type RunScript,
  scriptRunner,
  wrongAnswer,
} from './redis-client.ts';
import {
  claimed,
  claimScript,
  completed,
  completeScript,
  inProgress,
  releaseScript,
} from './redis-scripts.ts';
import type { ClaimOptions, ClaimResult, ClaimStore } from './store.ts';

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** What the keys in Redis begin with; the id of the event follows. Default: `payments-client:webhooks:`. */
  readonly prefix?: string | undefined;
}

const optionsSchema = optionsOf<RedisStoreOptions>({ prefix: s.optional(storableText()) });

class RedisStore implements Pick<ClaimStore, 'claim' | 'complete' | 'release'> {
  readonly #run: RunScript;
  readonly #prefix: string;

  constructor(run: RunScript, prefix: string) {
    this.#run = run;
    this.#prefix = prefix;
  }

  async claim(key: string, lease: number, options?: ClaimOptions): Promise<ClaimResult> {
    checkClaim({ key, lease }, options);
    checkNoClient(options);
    checkNoData(options);
    const token = crypto.randomUUID();
    const times = [String(lease), String(attemptsRetention)];
    const reply = await this.#run(claimScript, this.#prefix + key, token, ...times);
    const [status, value = 0] = integersOf(reply);
    if (status === claimed) return { status: 'claimed', token, attempt: value, data: undefined };
    if (status === inProgress) return { status: 'in_progress', retryAfter: value, data: undefined };
    if (status === completed) return { status: 'completed', data: undefined };
    throw wrongAnswer(reply);
  }

  async complete(key: string, token: string, retention: number, options?: ClaimOptions): Promise<boolean> {
    checkComplete({ key, token, retention }, options);
    checkNoClient(options);
    checkNoData(options);
    const reply = await this.#run(completeScript, this.#prefix + key, token, String(retention));
    const [isRecorded] = integersOf(reply);
    return isRecorded === 1;
  }

  async release(key: string, token: string, options?: ClaimOptions): Promise<boolean> {
    checkRelease({ key, token }, options);
    checkNoClient(options);
    checkNoData(options);
    const reply = await this.#run(releaseScript, this.#prefix + key, token, String(attemptsRetention));
    const [isReleased] = integersOf(reply);
    return isReleased === 1;
  }
}

/**
 * Remembers events in Redis 5 or newer, or in Valkey, for all processes that share it. Each operation is one round trip
 * and one atomic script on one key, so clusters and pools of connections fit; times are those of the server, so the
 * clocks of your machines do not matter.
 *
 * Every key expires: one that was completed after its retention, one that was not a week after its lease ran out. Till
 * then its attempts are counted, and it may still be completed where no other claim took it over.
 *
 * Redis may lose what it confirmed: in a failover, since it replicates later; in a crash without `appendfsync always`;
 * and where it is full and `maxmemory-policy` is not `noeviction`. An event then comes a second time. Where its effect is
 * in PostgreSQL, `postgresStore` in the same transaction has no such gap.
 *
 * @param client A client of `redis` or of `ioredis`, connected. It stays yours: close it yourself. Do not pass a client
 *   that is inside a transaction (`MULTI`) or reads from replicas.
 * @throws ConfigurationError when the client or an option is wrong. What the client throws comes through as it is.
 */
export function redisStore(
  client: NodeRedisClient | IoredisClient,
  options: RedisStoreOptions = {},
): Pick<ClaimStore, 'claim' | 'complete' | 'release'> {
  checkOptions('redisStore', optionsSchema, options);
  const { prefix = 'payments-client:webhooks:' } = options;
  return new RedisStore(scriptRunner(client), prefix);
}
