import type { VelocityStore, VelocityTotal } from '../stores/velocity-store.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { refuseType } from './refuse.ts';
import { applyRules, type VelocityAttempt } from './velocity-attempt.ts';
import type { CheckedRule, VelocityRule } from './velocity-rules.ts';
import { reasonOf, type VelocityTicket, type VelocityVerdict, verdictOf } from './velocity-verdict.ts';

/**
 * The outcome of a payment attempt. `not_sent`: the payment was not sent. `unknown`: the result is not known, for example
 * after a timeout; the attempt still counts as a transaction, as a failure, and with its amount.
 */
export type VelocityOutcome = 'approved' | 'declined' | 'not_sent' | 'unknown';

/** The rules and the store that attempts are checked with. */
export interface VelocityLimits {
  readonly rules: readonly CheckedRule[];
  readonly hash: KeyedHash;
  readonly store: VelocityStore;
}

/** Checks an attempt against the rules, and counts it unless a rule blocks it. */
export async function checkAttempt(
  { rules, hash, store }: VelocityLimits,
  attempt: VelocityAttempt,
): Promise<VelocityVerdict> {
  const applied = applyRules(rules, attempt, hash);
  const id = hash(`id ${attempt.id ?? crypto.randomUUID()}`);
  const entries = applied.map(({ entry }) => entry);
  const totals = entries.length === 0 ? [] : await store.countAttempt(id, entries);
  const exceeded = applied.flatMap((each, index) => {
    const total = totalAt(totals, index);
    return total.exceeded ? [{ rule: each.rule, reason: reasonOf(each, total) }] : [];
  });
  const reasonsOf = (shadow: boolean) =>
    exceeded.filter(({ rule }) => rule.shadow === shadow).map(({ reason }) => reason);
  const verdict = verdictOf(reasonsOf(false));
  const used = new Set(applied.map(({ rule }) => rule));
  const counted = verdict.decision === 'block' ? [] : applied;
  return {
    ...verdict,
    shadow: reasonsOf(true),
    listed: undefined,
    skipped: rules.filter((rule) => !used.has(rule)).map(({ name }) => name),
    ticket: {
      id: counted.length === 0 ? '' : id,
      entries: counted.map(({ rule, entry }) => ({ key: entry.key, counts: rule.counts })),
    },
  };
}

function totalAt(totals: readonly VelocityTotal[], index: number): VelocityTotal {
  return totals[index] ?? refuseType('store.countAttempt()', 'a total for each entry', totals);
}

/** The counts that each outcome takes back. */
const undoneBy: Readonly<Record<VelocityOutcome, readonly VelocityRule['counts'][]>> = {
  approved: ['failures'],
  declined: ['amount'],
  not_sent: ['attempts', 'failures', 'amount'],
  unknown: [],
};

/** Takes back the counts that do not apply to an attempt with this outcome. */
export async function recordOutcome(
  store: VelocityStore,
  { id, entries }: VelocityTicket,
  outcome: VelocityOutcome,
): Promise<void> {
  const undone = Object.hasOwn(undoneBy, outcome) ? undoneBy[outcome] : undefined;
  if (undone === undefined) {
    return refuseType('outcome', "'approved', 'declined', 'not_sent' or 'unknown'", outcome);
  }
  const keys = entries.filter(({ counts }) => undone.includes(counts)).map(({ key }) => key);
  if (keys.length > 0) await store.takeBackAttempt(id, keys);
}
