import { PaymentsError } from '../../base/errors.ts';
import { type Logger, writeLine } from '../../base/logger.ts';
import { textIn, wrongAnswer } from './client.ts';

const keepsAll = 'noeviction';

/**
 * Returns a script that reads the policy and then does the work of another one. It returns the policy, and the answer of that one. A record that
 * must last is not written if Redis deletes records: then there is no answer.
 *
 * Scripts and many hosts refuse `CONFIG`, but not `INFO`. If the server refuses `INFO` too, the policy is empty. Without a limit it is never full.
 */
function withPolicy(script: string, mustLast: boolean): string {
  return `
local info = redis.pcall('INFO', 'memory')
local told = type(info) == 'string' and info or ''
local limit = string.match(told, 'maxmemory:(%d+)')
local policy = limit == '0' and '${keepsAll}' or limit and string.match(told, 'maxmemory_policy:(%S+)') or ''
${mustLast ? `if policy ~= '' and policy ~= '${keepsAll}' then return { policy } end` : ''}
local function act()
${script}
end
return { policy, act() }
`;
}

function problemOf(policy: string): string {
  const got = policy || 'no answer of INFO memory';
  return `redisStore.client: expected the maxmemory-policy ${keepsAll}, got ${got}. A full Redis with another policy deletes records: set the policy, or pass { allowEviction: true } to redisStore.`;
}

/** What is done around a script. */
export interface Guard {
  /** Returns the script to run in place of one. */
  around(script: string): string;
  /** Returns the answer of the script itself. */
  answerOf(reply: unknown): unknown;
}

/** Looks with each write whether Redis deletes records to free memory: after a failover another server may, and its settings may change. */
export class EvictionCheck {
  /** For a record whose loss repeats no payment. Warns once if Redis deletes records, or does not say. */
  readonly warning: Guard = {
    around: (script) => withPolicy(script, false),
    answerOf: (reply) => this.#answerOf(reply, false),
  };
  /** For a record that must last. Throws `STORE_EVICTS` if Redis deletes records, and warns once if it does not say. */
  readonly refusing: Guard = {
    around: (script) => withPolicy(script, true),
    answerOf: (reply) => this.#answerOf(reply, true),
  };
  readonly #logger: Logger;
  #isWarned = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  #answerOf(reply: unknown, mustLast: boolean): unknown {
    if (!Array.isArray(reply)) throw wrongAnswer(reply);
    const [told, answer]: unknown[] = reply;
    const policy = textIn(told) ?? '';
    const problem = policy === keepsAll ? undefined : problemOf(policy);
    if (problem !== undefined && policy !== '' && mustLast)
      throw new PaymentsError(problem, { code: 'STORE_EVICTS' });
    if (problem !== undefined && !this.#isWarned) {
      this.#isWarned = true;
      writeLine(this.#logger, 'warn', problem, {});
    }
    return answer;
  }
}
