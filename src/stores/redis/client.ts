import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { messageOf, once } from '../../base/functions.ts';
import { issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { readOnlyStore } from '../records/read-only.ts';

/** The part of a client of the package `redis` that `redisStore` uses: `createClient`, `createCluster`, a pool or a sentinel. */
export type NodeRedisClient = {
  /** Whether it is connected or connecting. Distinguishes this client from `ioredis`. */
  readonly isOpen: boolean;
  /** Runs a Lua script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Starts a pipeline. Only the option `replicas` uses it. */
  multi?(): {
    /** Adds a Lua script. */
    eval(
      script: string,
      options: { keys: string[]; arguments: string[] },
    ): {
      /** Adds a wait for replicas. */
      wait(
        replicas: number,
        milliseconds: number,
      ): {
        /** Sends both on one connection. */
        execAsPipeline(): Promise<unknown>;
      };
    };
  };
};

/** The part of a client of the package `ioredis` that `redisStore` uses: `Redis` or `Cluster`. */
export type IoredisClient = {
  /** The connection state. Distinguishes this client from `redis`. */
  readonly status: string;
  /** Runs a Lua script. */
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** Starts a pipeline. Only the option `replicas` uses it. */
  pipeline?(): {
    /** Adds a Lua script. */
    eval(
      script: string,
      numberOfKeys: number,
      ...keysAndArguments: string[]
    ): {
      /** Adds a wait for replicas. */
      wait(
        replicas: number,
        milliseconds: number,
      ): {
        /** Sends both on one connection. Each result has an error or null, and the answer. */
        exec(): Promise<[error: Error | null, result: unknown][] | null>;
      };
    };
  };
};

/** Runs a script on keys of one slot, and returns its answer. */
export type RunScript = (script: string, keys: string[], values: string[]) => Promise<unknown>;

const advice = 'Pass a client of the package redis (createClient, createCluster) or of ioredis.';

function canRun(client: unknown): boolean {
  return isRecord(client) && typeof client['eval'] === 'function';
}

/** Returns a function that runs scripts on a client. */
export function scriptRunner(client: NodeRedisClient | IoredisClient): RunScript {
  if (canRun(client)) {
    if ('isOpen' in client)
      return onPrimary((script, keys, values) => client.eval(script, { keys, arguments: values }));
    if ('status' in client)
      return onPrimary((script, keys, values) => client.eval(script, keys.length, ...keys, ...values));
  }
  throw configurationError(
    [issueAt('redisStore.client', 'a client with eval, and isOpen or status', client)],
    advice,
  );
}

/**
 * Returns a function that runs scripts, and then waits until replicas have what the connection wrote. It returns the answer, and how many
 * replicas have it. Both are one pipeline, since `WAIT` on another connection waits for nothing, and scripts refuse it.
 */
export function waitingRunner(
  client: NodeRedisClient | IoredisClient,
  replicas: number,
  milliseconds: number,
): RunScript {
  if ('isOpen' in client && client.multi !== undefined) {
    const start = client.multi.bind(client);
    return onPrimary((script, keys, values) =>
      start().eval(script, { keys, arguments: values }).wait(replicas, milliseconds).execAsPipeline(),
    );
  }
  if ('status' in client && client.pipeline !== undefined) {
    const start = client.pipeline.bind(client);
    return onPrimary(async (script, keys, values) => {
      const added = start().eval(script, keys.length, ...keys, ...values);
      return (await added.wait(replicas, milliseconds).exec())?.map(([error, result]) => {
        if (error !== null) throw error;
        return result;
      });
    });
  }
  const expected = 'a client with multi or pipeline, for the option replicas';
  throw configurationError([issueAt('redisStore.client', expected, client)], advice);
}

/** Redis 6 has the code of an error amid the text of a script's. */
const readOnlyReply = /\bREADONLY\b/;

function onPrimary(run: RunScript): RunScript {
  return async (...script) => {
    try {
      return await run(...script);
    } catch (error) {
      if (!readOnlyReply.test(messageOf(error))) throw error;
      throw readOnlyStore('redisStore.client', 'a replica', error);
    }
  };
}

/** Creates the error for an answer that the script cannot return. */
export function wrongAnswer(reply: unknown): ConfigurationError {
  return configurationError([issueAt('redisStore.client', 'the answer of the script', reply)], advice);
}

/** Returns the parts of an answer; an answer that is not a list has one part. */
export function partsOf(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [reply];
}

/** Keeps a byte order mark, which is part of the text. */
const decoder = /* @__PURE__ */ once(() => new TextDecoder('utf-8', { ignoreBOM: true }));

/** Returns the digits of an integer in an answer. A client may return a number, text or bytes. */
export function digitsIn(part: unknown): string {
  const text = textIn(part) ?? '';
  // Inside a transaction or a pipeline there is no answer yet, so the record is unknown.
  if (!/^-?\d+$/.test(text)) throw wrongAnswer(part);
  return text;
}

/** Returns an integer from an answer. */
export function integerOf(part: unknown): number {
  return Number(digitsIn(part));
}

/** Returns a text from an answer, or `undefined`. A client may return bytes. */
export function textIn(part: unknown): string | undefined {
  if (part === null || part === undefined) return undefined;
  if (part instanceof Uint8Array) return decoder().decode(part);
  if (typeof part === 'string' || typeof part === 'number') return String(part);
  throw wrongAnswer(part);
}
