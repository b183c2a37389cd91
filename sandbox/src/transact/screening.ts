import type { VelocityRule, VelocityVerdict } from 'payments-client/fraud';
import { VelocityGuard, type VelocityGuardOptions, type VelocityOutcome } from 'payments-client/fraud';
import type { CountedAttempt } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import { toAmount } from './amount-field.ts';
import type { PaymentRequest } from './form-request.ts';

type VelocityStore = VelocityGuardOptions['store'];
type VelocityEntry = Parameters<VelocityStore['check']>[1][number];
type VelocityTotal = Awaited<ReturnType<VelocityStore['check']>>[number];

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

  async check(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    return this.#state.unit(() => {
      for (const entry of entries.filter(({ amount }) => amount === 0n)) this.#end(id, entry);
      const judged = entries.map((entry) => this.#judge(id, entry));
      if (!judged.some(({ entry, exceeded }) => entry.blocks && exceeded)) {
        const counts = this.#state.objects.velocity_count;
        for (const { entry, attempts } of judged) counts.replace({ id: entry.key, attempts });
      }
      return judged.map(({ total, exceeded, freeAt, token }) => ({ total, exceeded, freeAt, token }));
    });
  }

  #end(id: string, { key, token, keeps = false }: VelocityEntry): void {
    const attempts = this.#attemptsOf(key).flatMap((attempt) => {
      if (attempt.id !== id || attempt.token !== token) return [attempt];
      return keeps ? [{ ...attempt, id: '' }] : [];
    });
    this.#state.objects.velocity_count.replace({ id: key, attempts });
  }

  #attemptsOf(key: string): readonly CountedAttempt[] {
    return this.#state.objects.velocity_count.get(key)?.attempts ?? [];
  }

  #judge(id: string, entry: VelocityEntry): Judged {
    const now = this.#state.clock.now();
    const recent = this.#attemptsOf(entry.key).filter(({ at }) => at > now - entry.windowMs);
    const known = recent.find((attempt) => attempt.id === id);
    const { token } = known ?? entry;
    const isOld = entry.amount === 0n || known !== undefined;
    const attempts = isOld ? recent : [...recent, { id, token, at: now, amount: String(entry.amount) }];
    const total = attempts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    const freeAt = Math.min(now, ...attempts.map(({ at }) => at)) + entry.windowMs;
    return { entry, attempts, total, exceeded: total > entry.limit, freeAt, token };
  }
}

/** The result of the velocity rules for a payment. */
export interface Screening {
  readonly decision: 'allow' | 'review' | 'block';
  /** The names of the exceeded rules. */
  readonly rules: readonly string[];
  /** For {@link VelocityScreening.record}; `undefined` if nothing was counted. */
  readonly ticket: VelocityVerdict['ticket'] | undefined;
}

const unscreened: Screening = { decision: 'allow', rules: [], ticket: undefined };

export interface ScreeningSettings {
  readonly securityKey: string;
  readonly velocityRules: readonly VelocityRule[];
}

/** Applies the merchant's velocity rules. */
export class VelocityScreening {
  readonly #guard: VelocityGuard | undefined;

  constructor(state: State, { securityKey, velocityRules }: ScreeningSettings) {
    if (velocityRules.length === 0) return;
    this.#guard = new VelocityGuard({
      secret: `payments-client sandbox velocity ${securityKey}`,
      rules: velocityRules,
      store: new SandboxVelocityStore(state),
    });
  }

  /** Counts a payment and checks it. Payouts are not counted. */
  async check(request: PaymentRequest, fingerprint: string): Promise<Screening> {
    const { type, amount, currency, decimals, ipaddress, email } = request;
    if (this.#guard === undefined || type === 'credit') return unscreened;
    const { decision, reasons, ticket } = await this.#guard.check({
      card: { token: fingerprint },
      ...(ipaddress !== '' && { ip: ipaddress }),
      ...(email !== '' && { subjects: { email } }),
      amount: toAmount(amount, decimals),
      currency,
    });
    return { decision, rules: reasons.map(({ rule }) => rule), ticket };
  }

  /** Reports the result of a payment. */
  async record({ ticket }: Screening, outcome: VelocityOutcome): Promise<void> {
    if (ticket !== undefined) await this.#guard?.record(ticket, outcome);
  }
}
