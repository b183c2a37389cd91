import { integerFrom, optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { day, hour, minute } from '../base/time.ts';
import { decimal, parseDecimal } from './decimal.ts';
import { checkShape, problem, refuseType } from './refuse.ts';

/** What every velocity rule has. */
export interface VelocityRuleBase {
  /**
   * Names the rule in reasons and in the store; unique within a guard. Another name starts counting anew. Letters,
   * digits, dots, dashes and underscores, at most 64.
   */
  readonly name: string;
  /** What attempts are grouped by: `card`, `ip`, or a name in the attempt's `subjects`. */
  readonly per: 'card' | 'ip' | (string & {});
  /**
   * How far back it counts, in milliseconds. An attempt counts for the whole window, and for less than a 60th of it longer. Another window
   * keeps what was counted.
   */
  readonly windowMs: number;
  /** What to do with an attempt that exceeds the limit: let it through to be held for review, or block it. */
  readonly action: 'review' | 'block';
  /**
   * Whether the rule is only tried out: it counts and judges every attempt, and the verdict lists it in `shadow` instead of following it. A rule
   * that would block counts here what it would have kept out, so it reports no fewer attempts than it would block. Default: false.
   */
  readonly shadow?: boolean | undefined;
}

/** Limits how many attempts there may be. */
export interface VelocityCountRule extends VelocityRuleBase {
  /**
   * What is counted: all attempts, or those that failed. An attempt whose outcome is not recorded yet counts as failed,
   * so that many at once cannot slip through.
   */
  readonly counts: 'attempts' | 'failures';
  /** How many there may be within the window, this attempt included; an integer from 0. */
  readonly limit: number;
}

/** Limits how much may be paid. */
export interface VelocityAmountRule extends VelocityRuleBase {
  /** The amounts of attempts are summed up, those that failed left out; each currency apart. */
  readonly counts: 'amount';
  /** How much it may be within the window, this attempt included; a decimal string such as `500.00`. */
  readonly limit: string;
  /** The currency that the limit is in; attempts in others are not counted. Default: the limit holds for each. */
  readonly currency?: string | undefined;
}

/** One limit on how often, or how much, may be paid. */
export type VelocityRule = VelocityCountRule | VelocityAmountRule;

/** What the typical rules need to know. */
export interface TypicalVelocityOptions {
  /** How much a card may pay per day before payments are held for review. Default: no such rule. */
  readonly dailyAmountPerCard?: string | undefined;
}

const typicalOptionsSchema = optionsOf<TypicalVelocityOptions>({ dailyAmountPerCard: s.optional(decimal()) });

/**
 * Returns the rules that the interface gives as typical (*shown*): at most 3 transactions per card in 10 minutes, at most 5 per
 * IP address in an hour, at most 3 failed attempts per card in a day; and, where you give an amount, a daily amount per card.
 *
 * The daily amount holds for review and the failed attempts block (*shown*). That the other two block is *inferred*: give a rule another
 * `action` to change it.
 *
 * @throws TypeError for an option that is not known.
 *
 * @example
 * typicalVelocityRules().map((rule) => (rule.name === 'ip-hour' ? { ...rule, action: 'review' } : rule));
 */
export function typicalVelocityRules(options: TypicalVelocityOptions = {}): VelocityRule[] {
  checkShape('typicalVelocityRules', typicalOptionsSchema, options);
  const { dailyAmountPerCard } = options;
  const rules: VelocityRule[] = [
    {
      name: 'card-10-minutes',
      per: 'card',
      counts: 'attempts',
      limit: 3,
      windowMs: 10 * minute,
      action: 'block',
    },
    { name: 'ip-hour', per: 'ip', counts: 'attempts', limit: 5, windowMs: hour, action: 'block' },
    {
      name: 'card-failures-day',
      per: 'card',
      counts: 'failures',
      limit: 3,
      windowMs: day,
      action: 'block',
    },
  ];
  if (dailyAmountPerCard === undefined) return rules;
  const limit = dailyAmountPerCard;
  const amount = { name: 'card-amount-day', per: 'card', counts: 'amount', limit, windowMs: day } as const;
  return [...rules, { ...amount, action: 'review' }];
}

/** A rule as the guard applies it. */
export interface CheckedRule {
  readonly name: string;
  readonly per: string;
  readonly counts: VelocityRule['counts'];
  /** A number of attempts, or an amount in ten-thousandths. */
  readonly limit: bigint;
  /** In upper case. */
  readonly currency: string | undefined;
  readonly windowMs: number;
  readonly action: VelocityRule['action'];
  readonly shadow: boolean;
}

/**
 * The rules, checked.
 *
 * @throws TypeError for a value of the wrong kind, a name that is not known, and two rules of one name.
 * @throws RangeError for a number out of bounds.
 */
export function checkRules(path: string, rules: unknown): CheckedRule[] {
  if (!Array.isArray(rules)) return refuseType(path, 'an array of rules', rules);
  const checked = rules.map((rule, index) => checkRule(`${path}[${index}]`, rule));
  for (const [index, { name }] of checked.entries()) {
    if (checked.findIndex((rule) => rule.name === name) === index) continue;
    throw new TypeError(problem(`${path}[${index}].name`, 'a name of its own', 'one that is taken'));
  }
  return checked;
}

const nameExpectation = 'a name of letters, digits, dots, dashes and underscores';
const ruleName = s.string(nameExpectation).check(s.regex(/^[\w.-]{1,64}$/, nameExpectation));

/** A rule of either kind, whose limit and currency are still to be held against what it counts. */
interface AnyRule extends VelocityRuleBase {
  readonly counts: VelocityRule['counts'];
  readonly limit: unknown;
  readonly currency?: unknown;
}

const ruleSchema = optionsOf<AnyRule>({
  name: ruleName,
  per: ruleName,
  counts: s.literal(['attempts', 'failures', 'amount']),
  limit: unchecked(),
  currency: unchecked(),
  windowMs: integerFrom(1),
  action: s.literal(['review', 'block']),
  shadow: s.optional(s.boolean()),
});

function checkRule(path: string, rule: AnyRule): CheckedRule {
  checkShape(path, ruleSchema, rule);
  const { name, per, counts, windowMs, action, shadow = false } = rule;
  const limit = checkLimit(`${path}.limit`, rule);
  const currency = checkCurrency(`${path}.currency`, rule);
  return { name, per, counts, limit, currency, windowMs, action, shadow };
}

function checkLimit(path: string, { counts, limit }: AnyRule): bigint {
  if (counts === 'amount') return parseDecimal(path, limit);
  checkShape(path, integerFrom(0), limit);
  return BigInt(Number(limit));
}

function checkCurrency(path: string, { counts, currency }: AnyRule): string | undefined {
  if (currency === undefined) return undefined;
  if (counts !== 'amount') refuseType(path, 'nothing beside a count', currency);
  return parseCurrency(path, currency);
}

/** A currency code in upper case. */
export function parseCurrency(path: string, value: unknown): string {
  if (typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)) return value.toUpperCase();
  return refuseType(path, "a currency code such as 'USD'", value);
}
