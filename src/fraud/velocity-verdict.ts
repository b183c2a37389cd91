import { day, hour, minute, second } from '../base/time.ts';
import type { VelocityTotal } from '../stores/velocity-store.ts';
import { formatDecimal } from './decimal.ts';
import type { AppliedRule } from './velocity-attempt.ts';
import type { VelocityRule } from './velocity-rules.ts';

/** A rule that an attempt exceeds. */
export interface VelocityReason {
  /** The rule's name. */
  readonly rule: string;
  /** What the rule groups attempts by. */
  readonly per: string;
  /** What the rule counts. */
  readonly counts: VelocityRule['counts'];
  /** The rule's limit: a number of attempts, or a decimal amount. */
  readonly limit: string;
  /** What it came to with this attempt, in the same terms. */
  readonly reached: string;
  /** What the rule asks for. */
  readonly action: VelocityRule['action'];
  /**
   * From when on the rule may let an attempt pass again, by the clock of the store; `undefined` where waiting does not help, because this
   * attempt alone exceeds the limit.
   */
  readonly retryAt: Date | undefined;
  /** What happened, in words. It does not name the card. */
  readonly what: string;
}

/** What {@link VelocityGuard.record} needs to know of an attempt; plain data with nothing but keyed hashes in it. */
export interface VelocityTicket {
  /** The attempt, as a keyed hash. */
  readonly id: string;
  /** Where it is counted; empty for an attempt that was blocked. */
  readonly entries: readonly VelocityTicketEntry[];
}

/** One place where an attempt is counted. */
export interface VelocityTicketEntry {
  /** The key in the store. */
  readonly key: string;
  /** What is counted there. */
  readonly counts: VelocityRule['counts'];
}

/** Whether an attempt may go on. */
export interface VelocityVerdict {
  /** `allow`: go on. `review`: go on, and hold the order until a person has looked. `block`: do not send it. */
  readonly decision: 'allow' | 'review' | 'block';
  /** Every rule that the attempt exceeds, those that block first. */
  readonly reasons: readonly VelocityReason[];
  /** Every rule with `shadow` that the attempt exceeds; `action` says what it would have done. */
  readonly shadow: readonly VelocityReason[];
  /** The list of the guard that decided, instead of the rules. */
  readonly listed: 'allow' | 'deny' | undefined;
  /** From when on a blocked attempt may pass; `undefined` where it is not blocked, or where waiting does not help. */
  readonly retryAt: Date | undefined;
  /**
   * Names of the rules that were not applied, since the attempt lacks the card, the address or the amount, pays in another currency, or is
   * on a list.
   */
  readonly skipped: readonly string[];
  /** To be given to {@link VelocityGuard.record} with the outcome. It may be kept as JSON until then. */
  readonly ticket: VelocityTicket;
}

/** Why an attempt exceeds a rule. */
export function reasonOf({ rule, entry }: AppliedRule, { total, freeAt }: VelocityTotal): VelocityReason {
  const { name, per, counts, limit, windowMs, action } = rule;
  const inWords = counts === 'amount' ? formatDecimal : String;
  return {
    rule: name,
    per,
    counts,
    limit: inWords(limit),
    reached: inWords(total),
    action,
    retryAt: entry.amount <= limit ? new Date(freeAt) : undefined,
    what: `${name}: at most ${inWords(limit)} ${words[counts]} per ${per} in ${durationInWords(windowMs)}, this would be ${inWords(total)}`,
  };
}

const words: Readonly<Record<VelocityRule['counts'], string>> = {
  attempts: 'attempts',
  failures: 'failed attempts',
  amount: 'in total',
};

const units: readonly (readonly [ms: number, unit: string])[] = [
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
  [second, 'second'],
];

function durationInWords(ms: number): string {
  const [size, unit] = units.find(([candidate]) => ms % candidate === 0) ?? [1, 'millisecond'];
  return `${ms / size} ${unit}${ms === size ? '' : 's'}`;
}

/** What the exceeded rules come to. */
export function verdictOf(
  reasons: readonly VelocityReason[],
): Pick<VelocityVerdict, 'decision' | 'reasons' | 'retryAt'> {
  const blocking = reasons.filter(({ action }) => action === 'block');
  if (blocking.length === 0) {
    return { decision: reasons.length === 0 ? 'allow' : 'review', reasons, retryAt: undefined };
  }
  const holding = reasons.filter(({ action }) => action !== 'block');
  return { decision: 'block', reasons: [...blocking, ...holding], retryAt: latest(blocking) };
}

/** When the last of the rules lets go; one that never does makes waiting useless. */
function latest(reasons: readonly VelocityReason[]): Date | undefined {
  const times = reasons.map(({ retryAt }) => retryAt?.getTime() ?? Number.POSITIVE_INFINITY);
  const time = Math.max(...times);
  return Number.isFinite(time) ? new Date(time) : undefined;
}
