import { day, hour, minute } from '../base/time.ts';
import { parseDecimal } from './decimal.ts';
import { Options } from './options.ts';
import { problem, refuseType } from './refuse.ts';

/** What every velocity rule has. */
export interface VelocityRuleBase {
  /**
   * Names the rule in reasons and in the store; unique within a guard. Another name starts counting anew. Letters,
   * digits, dots, dashes and underscores, at most 64.
   */
  readonly name: string;
  /** What attempts are grouped by: `card`, `ip`, or a name in the attempt's `subjects`. */
  readonly per: 'card' | 'ip' | (string & {});
  /** How far back it counts, in milliseconds. What is exactly that old no longer counts. */
  readonly windowMs: number;
  /** What to do with an attempt that exceeds the limit: let it through to be held for review, or block it. */
  readonly action: 'review' | 'block';
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

/**
 * The rules that the interface gives as typical (*shown*): at most 3 transactions per card in 10 minutes, at most 5 per
 * IP address in an hour, and at most 3 failed attempts per card in a day, each of which blocks; and, where you give an
 * amount, a daily amount per card, which holds for review.
 *
 * @throws TypeError for an option that is not known.
 */
export function typicalVelocityRules(options: TypicalVelocityOptions = {}): VelocityRule[] {
  new Options('typicalVelocityRules', options, ['dailyAmountPerCard']);
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
}

/**
 * The rules, checked.
 *
 * @throws TypeError for a value of the wrong kind, a name that is not known, and two rules of one name.
 * @throws RangeError for a number out of bounds.
 */
export function checkRules(path: string, rules: unknown): CheckedRule[] {
  if (!Array.isArray(rules)) return refuseType(path, 'an array of rules', rules);
  const checked = rules.map((rule: unknown, index) => checkRule(`${path}[${index}]`, rule));
  for (const [index, { name }] of checked.entries()) {
    if (checked.findIndex((rule) => rule.name === name) === index) continue;
    throw new TypeError(problem(`${path}[${index}].name`, 'a name of its own', 'one that is taken'));
  }
  return checked;
}

const ruleNames = ['name', 'per', 'counts', 'limit', 'currency', 'windowMs', 'action'];

function checkRule(path: string, rule: unknown): CheckedRule {
  if (rule === undefined) return refuseType(path, 'a rule', rule);
  const options = new Options(path, rule, ruleNames);
  const counts = options.choice('counts', ['attempts', 'failures', 'amount']);
  return {
    name: checkName(options, 'name'),
    per: checkName(options, 'per'),
    counts,
    limit: checkLimit(options, counts),
    currency: checkCurrency(options, counts),
    windowMs: options.integer('windowMs', 1, Number.MAX_SAFE_INTEGER),
    action: options.choice('action', ['review', 'block']),
  };
}

function checkName(options: Options, name: string): string {
  const value = options.get(name);
  if (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)) return value;
  return refuseType(options.path(name), 'a name of letters, digits, dots, dashes and underscores', value);
}

function checkLimit(options: Options, counts: VelocityRule['counts']): bigint {
  if (counts === 'amount') return parseDecimal(options.path('limit'), options.get('limit'));
  return BigInt(options.integer('limit', 0, Number.MAX_SAFE_INTEGER));
}

function checkCurrency(options: Options, counts: VelocityRule['counts']): string | undefined {
  const value = options.get('currency');
  if (value === undefined) return undefined;
  if (counts !== 'amount') refuseType(options.path('currency'), 'nothing beside a count', value);
  return parseCurrency(options.path('currency'), value);
}

/** A currency code in upper case. */
export function parseCurrency(path: string, value: unknown): string {
  if (typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)) return value.toUpperCase();
  return refuseType(path, "a currency code such as 'USD'", value);
}
