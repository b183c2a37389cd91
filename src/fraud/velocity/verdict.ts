import type { Inline } from '../../base/runtime/runtime.ts';
import { day, hour, minute, second } from '../../base/time.ts';
import type { VelocityTotal } from '../../stores/store.ts';
import { formatDecimal } from '../decimal.ts';
import type { AppliedRule } from './attempt.ts';
import type { VelocityRule } from './rules.ts';

/** A rule that an attempt exceeds. */
export type VelocityReason = Inline<{
  /** The rule's name. */
  readonly rule: string;
  /** The subject that the rule groups attempts by. */
  readonly per: string;
  /** What the rule counts. */
  readonly counts: VelocityRule['counts'];
  /** The rule's limit: a number of attempts, or a decimal amount. */
  readonly limit: string;
  /** The total including this attempt, in the unit of `limit`. */
  readonly reached: string;
  /** The rule's action. */
  readonly action: VelocityRule['action'];
  /**
   * When the rule may allow an attempt again, on the store's clock; `undefined` if waiting does not help, because this
   * attempt alone exceeds the limit.
   */
  readonly retryAt: Date | undefined;
  /** The reason in words. Does not identify the card. */
  readonly what: string;
}>;

/** Whether an attempt may proceed, and why. */
export interface VelocityVerdict {
  /** `allow`: proceed. `review`: proceed, and hold the order until a person has reviewed it. `block`: do not send it. */
  readonly decision: 'allow' | 'review' | 'block';
  /** Every rule that the attempt exceeds, blocking rules first. */
  readonly reasons: readonly VelocityReason[];
  /** When a blocked attempt may pass; `undefined` if it is not blocked, or if waiting does not help. */
  readonly retryAt: Date | undefined;
  /** Names of the rules that did not apply: the attempt lacks the subject or the amount, or pays in another currency. */
  readonly skipped: readonly string[];
  /**
   * Pass it to {@link VelocityGuard.record} with the outcome. It is plain data that contains only keyed hashes, and can be
   * stored as JSON until then.
   */
  readonly ticket: {
    /** The attempt, as a keyed hash. */
    readonly id: string;
    /** Its counts, each with its key in the store; empty for a blocked attempt. */
    readonly entries: readonly {
      /** The key in the store. */
      readonly key: string;
      /** The rule's window, in ms. */
      readonly windowMs: number;
      /** What is counted. */
      readonly counts: VelocityRule['counts'];
      /** Names the check that counted it. */
      readonly token: string;
    }[];
  };
}

/** Returns why an attempt exceeds a rule. */
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

/** Returns the verdict of the exceeded rules. */
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

/** Returns when the last of the rules allows an attempt; `undefined` if one never does. */
function latest(reasons: readonly VelocityReason[]): Date | undefined {
  const times = reasons.map(({ retryAt }) => retryAt?.getTime() ?? Number.POSITIVE_INFINITY);
  const time = Math.max(...times);
  return Number.isFinite(time) ? new Date(time) : undefined;
}
