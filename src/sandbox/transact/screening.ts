import { VelocityGuard, type VelocityOutcome } from '../../fraud/velocity-guard.ts';
import type { VelocityRule } from '../../fraud/velocity-rules.ts';
import type { VelocityVerdict } from '../../fraud/velocity-verdict.ts';
import type { State } from '../domain/state.ts';
import { toAmount } from './amount-field.ts';
import type { PaymentRequest } from './form-request.ts';
import { SandboxVelocityStore } from './velocity-count.ts';

/** The result of the velocity rules for a payment. */
export interface Screening {
  readonly decision: 'allow' | 'review' | 'block';
  /** The names of the exceeded rules. */
  readonly rules: readonly string[];
  /** For {@link VelocityScreening.record}; `undefined` if nothing was counted. */
  readonly ticket: VelocityVerdict['ticket'] | undefined;
}

const unscreened: Screening = { decision: 'allow', rules: [], ticket: undefined };

/** Settings of the screening. */
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
