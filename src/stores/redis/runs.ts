import { PaymentsError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import {
  type IoredisClient,
  integerOf,
  type NodeRedisClient,
  partsOf,
  type RunScript,
  scriptRunner,
  waitingRunner,
} from './client.ts';
import { EvictionCheck, type Guard } from './eviction.ts';

/** How scripts run, by what depends on what they write. */
export interface Runs {
  /** For reads, and for what nothing depends on. */
  readonly plain: RunScript;
  /** For what repeats no payment if it is lost. Warns if Redis may delete it. */
  readonly kept: RunScript;
  /** For what is written before a payment. Refused if Redis may delete it; waits for replicas. */
  readonly lasting: RunScript;
  /** For what is written after a payment, wherever that may be. Waits for replicas. */
  readonly ending: RunScript;
}

interface Settings {
  /** Whether Redis may delete records. */
  readonly allowEviction: boolean;
  readonly logger: Logger;
  /** How many replicas must have what lasts. */
  readonly replicas: number;
  /** How long to wait for them, in ms. */
  readonly patience: number;
}

function notReplicated(replicas: number, count: number): PaymentsError {
  const problem = `redisStore.replicas: expected the record on ${replicas} of the replicas in time, got it on ${count}.`;
  const advice = 'Repeat the call once they follow the primary.';
  return new PaymentsError(`${problem} ${advice}`, { code: 'STORE_NOT_REPLICATED', retryable: true });
}

/** Each script that changes a record answers 1 first if it did. */
const hasWritten = (answer: unknown) => integerOf(partsOf(answer)[0]) === 1;

function guarded(run: RunScript, guard: Guard | undefined): RunScript {
  if (guard === undefined) return run;
  return async (script, keys, values) => guard.answerOf(await run(guard.around(script), keys, values));
}

/** Returns how the scripts of a store run. */
export function runsOf(client: NodeRedisClient | IoredisClient, settings: Settings): Runs {
  const { allowEviction, logger, replicas, patience } = settings;
  const check = allowEviction ? undefined : new EvictionCheck(logger);
  const plain = scriptRunner(client);
  const kept = guarded(plain, check?.warning);
  if (replicas === 0) return { plain, kept, lasting: guarded(plain, check?.refusing), ending: plain };
  const wait = waitingRunner(client, replicas, patience);
  const confirmed = (guard: Guard | undefined): RunScript => {
    return async (script, keys, values) => {
      const [reply, count] = partsOf(await wait(guard?.around(script) ?? script, keys, values));
      const answer = guard === undefined ? reply : guard.answerOf(reply);
      if (hasWritten(answer) && integerOf(count) < replicas) throw notReplicated(replicas, integerOf(count));
      return answer;
    };
  };
  return { plain, kept, lasting: confirmed(check?.refusing), ending: confirmed(undefined) };
}
