import type { VelocityGuardOptions } from '../../fraud/velocity-guard.ts';
import type { CountedAttempt } from '../domain/records/form-records.ts';
import type { State } from '../domain/state.ts';

type VelocityStore = VelocityGuardOptions['store'];
type VelocityEntry = Parameters<VelocityStore['countAttempt']>[1][number];
type VelocityTotal = Awaited<ReturnType<VelocityStore['countAttempt']>>[number];

interface Judged extends VelocityTotal {
  readonly entry: VelocityEntry;
  /** The attempts within the window, this one included. */
  readonly attempts: readonly CountedAttempt[];
}

/**
 * A velocity store in the sandbox's objects, so that snapshots and forks include the counts. Its windows are exact,
 * and use the virtual clock.
 */
export class SandboxVelocityStore implements VelocityStore {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  async countAttempt(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    return this.#state.unit(() => {
      const judged = entries.map((entry) => this.#judge(id, entry));
      if (!judged.some(({ entry, exceeded }) => entry.blocks && exceeded)) {
        const counts = this.#state.objects.velocity_count;
        for (const { entry, attempts } of judged) counts.replace({ id: entry.key, attempts });
      }
      return judged.map(({ total, exceeded, freeAt }) => ({ total, exceeded, freeAt }));
    });
  }

  async takeBackAttempt(id: string, keys: readonly string[]): Promise<void> {
    const counts = this.#state.objects.velocity_count;
    this.#state.unit(() => {
      for (const key of keys) {
        const attempts = this.#attemptsOf(key).filter((attempt) => attempt.id !== id);
        if (counts.get(key) !== undefined) counts.replace({ id: key, attempts });
      }
    });
  }

  #attemptsOf(key: string): readonly CountedAttempt[] {
    return this.#state.objects.velocity_count.get(key)?.attempts ?? [];
  }

  #judge(id: string, entry: VelocityEntry): Judged {
    const now = this.#state.clock.now();
    const recent = this.#attemptsOf(entry.key).filter(({ at }) => at > now - entry.windowMs);
    const isCounted = recent.some((attempt) => attempt.id === id);
    const attempts = isCounted ? recent : [...recent, { id, at: now, amount: String(entry.amount) }];
    const total = attempts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    const freeAt = Math.min(...attempts.map(({ at }) => at)) + entry.windowMs;
    return { entry, attempts, total, exceeded: total > entry.limit, freeAt };
  }
}
