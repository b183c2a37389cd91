import type { VelocityEntry, VelocityReference, VelocityStore, VelocityTotals } from '../../fraud/index.ts';
import type { CountedAttempt } from '../domain/records/form-records.ts';
import type { State } from '../domain/state.ts';

function totalsOf(attempts: readonly CountedAttempt[], added: boolean): VelocityTotals {
  const sum = attempts.reduce((total, { amount }) => total + BigInt(amount), 0n);
  return { count: attempts.length, sum, oldestAt: Math.min(...attempts.map(({ at }) => at)), added };
}

/** Counts in objects of the sandbox, so that what is counted is kept and copied with them. */
export class SandboxVelocityStore implements VelocityStore {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  async countAttempts(entries: readonly VelocityEntry[]): Promise<readonly VelocityTotals[]> {
    return this.#state.unit(() => entries.map((entry) => this.#count(entry)));
  }

  async removeAttempts(references: readonly VelocityReference[]): Promise<void> {
    this.#state.unit(() => {
      for (const reference of references) this.#remove(reference);
    });
  }

  #count({ key, id, at, amount, windowMs }: VelocityEntry): VelocityTotals {
    const counts = this.#state.objects.velocity_count;
    const recent = (counts.get(key)?.attempts ?? []).filter((attempt) => attempt.at > at - windowMs);
    const added = recent.every((attempt) => attempt.id !== id);
    const attempts = added ? [...recent, { id, at, amount: String(amount) }] : recent;
    counts.replace({ id: key, attempts });
    return totalsOf(attempts, added);
  }

  #remove({ key, id }: VelocityReference): void {
    const counts = this.#state.objects.velocity_count;
    const count = counts.get(key);
    if (count === undefined) return;
    counts.replace({ ...count, attempts: count.attempts.filter((attempt) => attempt.id !== id) });
  }
}
