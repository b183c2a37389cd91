import { ConfigurationError } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';
import { isRecord } from '../base/json.ts';

/** What `redisStore` needs of a client of the package `redis`: `createClient`, `createCluster`, a pool or a sentinel. */
export interface NodeRedisClient {
  /** Whether it is connected, or connecting. It tells this client from one of `ioredis`. */
  readonly isOpen: boolean;
  /** Runs a Lua script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** What `redisStore` needs of a client of the package `ioredis`: `Redis` or `Cluster`. */
export interface IoredisClient {
  /** The state of its connection. It tells this client from one of `redis`. */
  readonly status: string;
  /** Runs a Lua script. */
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** Runs a script on one key. */
export type RunScript = (script: string, key: string, ...values: string[]) => Promise<unknown>;

const advice = 'Pass a client of the package redis (createClient, createCluster) or of ioredis.';

function canRun(client: unknown): boolean {
  return isRecord(client) && typeof client['eval'] === 'function';
}

/** How a client runs a script. */
export function scriptRunner(client: NodeRedisClient | IoredisClient): RunScript {
  if (canRun(client)) {
    if ('isOpen' in client) {
      return (script, key, ...values) => client.eval(script, { keys: [key], arguments: values });
    }
    if ('status' in client) return (script, key, ...values) => client.eval(script, 1, key, ...values);
  }
  throw new ConfigurationError(
    [issueAt('redisStore.client', 'a client with eval, and isOpen or status', client)],
    advice,
  );
}

/** The answer of a client is none of the script's. */
export function wrongAnswer(reply: unknown): ConfigurationError {
  return new ConfigurationError([issueAt('redisStore.client', 'the answer of the script', reply)], advice);
}

/** The integers of an answer. A client may give an integer as a number, a text, or bytes. */
export function integersOf(reply: unknown): number[] {
  const integers = (Array.isArray(reply) ? reply : [reply]).map((part) => Number(String(part)));
  // Inside a transaction or a pipeline there is no answer yet, so nothing is known of the claim.
  if (integers.length === 0 || !integers.every(Number.isSafeInteger)) throw wrongAnswer(reply);
  return integers;
}
