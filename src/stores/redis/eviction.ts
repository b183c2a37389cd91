import { PaymentsError } from '../../base/errors.ts';
import { type Logger, writeLine } from '../../base/logger.ts';
import { type RunScript, textIn } from './client.ts';

/**
 * Scripts and many hosts refuse `CONFIG`, but not `INFO`. In a cluster the key selects the node. If the server refuses `INFO`
 * too, the answer is empty.
 */
const infoScript = `
local info = redis.pcall('INFO', 'memory')
return type(info) == 'string' and info or ''
`;

const keepsAll = 'noeviction';

/** Returns what Redis does when it is full; empty if it does not say. Without a limit it is never full. */
function policyOf(info: string): string {
  const [, limit] = /^maxmemory:(\d+)/m.exec(info) ?? [];
  const [, policy] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  if (limit === '0') return keepsAll;
  return limit === undefined || policy === undefined ? '' : policy;
}

function problemOf(policy: string | undefined): string {
  const got = policy || 'no answer of INFO memory';
  return `redisStore.client: expected the maxmemory-policy ${keepsAll}, got ${got}. A full Redis with another policy deletes records: set the policy, or pass { allowEviction: true } to redisStore.`;
}

/** The settings of an {@link EvictionCheck}. */
interface Settings {
  readonly run: RunScript;
  /** A key of the node that is asked. */
  readonly key: string;
  readonly logger: Logger;
}

/** Checks once, before the first record, that Redis does not delete records to free memory. */
export class EvictionCheck {
  readonly #settings: Settings;
  #policy: Promise<string | undefined> | undefined;
  #isWarned = false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Warns once if Redis deletes records, or does not say.
   *
   * @param mustLast Whether a lost record could repeat a payment.
   * @throws PaymentsError `STORE_EVICTS` if the record must last and Redis deletes records.
   */
  async check(mustLast: boolean): Promise<void> {
    this.#policy ??= this.#read();
    const policy = await this.#policy;
    if (policy === keepsAll) return;
    const isRefused = mustLast && Boolean(policy);
    // A corrected server needs no restart of this process, and a broken connection may work next time.
    if (isRefused || policy === undefined) this.#policy = undefined;
    if (isRefused) throw new PaymentsError(problemOf(policy), { code: 'STORE_EVICTS' });
    if (this.#isWarned) return;
    this.#isWarned = true;
    writeLine(this.#settings.logger, 'warn', problemOf(policy), {});
  }

  /** Returns `undefined` if the client fails: the operation that follows has its own error. */
  async #read(): Promise<string | undefined> {
    const { run, key } = this.#settings;
    try {
      return policyOf(textIn(await run(infoScript, [key], [])) ?? '');
    } catch {
      return undefined;
    }
  }
}
