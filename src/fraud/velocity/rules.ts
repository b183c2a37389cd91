import { refuse, refuseValue } from '../../base/errors.ts';
import { checkOptions, integerFrom, optionsOf, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { day, hour, minute } from '../../base/time.ts';
import { decimal, parseDecimal } from '../decimal.ts';

/** The fields of every velocity rule. */
type VelocityRuleBase = {
  /**
   * The name of the rule in reasons and in the store; unique within a guard. Renaming restarts its counts. Letters,
   * digits, dots, dashes and underscores, at most 64.
   */
  readonly name: string;
  /** The subject that groups attempts: `card`, `ip`, or a name in the attempt's `subjects`. */
  readonly per: 'card' | 'ip' | (string & {});
  /**
   * The length of the window, in milliseconds. An attempt counts for the whole window, and for up to a 60th of it
   * longer. Changing it keeps the counts.
   */
  readonly windowMs: number;
  /** What to do with an attempt above the limit: hold it for review, or block it. */
  readonly action: 'review' | 'block';
};

/** Limits the number of attempts. */
type VelocityCountRule = VelocityRuleBase & {
  /**
   * What to count: all attempts, or failed ones. An attempt without a recorded outcome counts as failed, so that
   * concurrent attempts cannot bypass the limit.
   */
  readonly counts: 'attempts' | 'failures';
  /** The most attempts within the window, including this one; an integer from 0. */
  readonly limit: number;
};

/** Limits the total amount. */
type VelocityAmountRule = VelocityRuleBase & {
  /** Sums the amounts of attempts that did not fail, separately for each currency. */
  readonly counts: 'amount';
  /** The highest total within the window, including this attempt; a decimal string such as `500.00`. */
  readonly limit: string;
  /** The currency of the limit; attempts in other currencies are not counted. Default: the limit applies to each currency. */
  readonly currency?: string | undefined;
};

/** A limit on the number or the total amount of payments. */
export type VelocityRule = VelocityCountRule | VelocityAmountRule;

/** Options of {@link typicalVelocityRules}. */
type TypicalVelocityOptions = {
  /** The daily amount of a card above which payments are held for review. Default: no such rule. */
  readonly dailyAmountPerCard?: string | undefined;
};

const typicalOptionsSchema = /* @__PURE__ */ optionsOf<TypicalVelocityOptions>(() => ({
  dailyAmountPerCard: s.optional(decimal()),
}));

/**
 * Returns the typical rules of the interface (*shown*): at most 3 transactions per card in 10 minutes, at most 5 per IP
 * address in an hour, and at most 3 failed attempts per card in a day. With an amount, it adds a daily amount per card.
 *
 * The daily amount holds for review, and the failed attempts block (*shown*). The SDK assumes that the other two block
 * (*inferred*): change a rule's `action` to override this.
 *
 * @throws ConfigurationError for a wrong or an unknown option.
 *
 * @example
 * typicalVelocityRules().map((rule) => (rule.name === 'ip-hour' ? { ...rule, action: 'review' } : rule));
 */
export function typicalVelocityRules(options: TypicalVelocityOptions = {}): VelocityRule[] {
  checkOptions('typicalVelocityRules', typicalOptionsSchema, options);
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

/** A checked rule. */
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
 * Returns the checked rules.
 *
 * @throws ConfigurationError for a wrong value, an unknown name, or two rules with one name.
 */
export function checkRules(path: string, rules: unknown): CheckedRule[] {
  if (!Array.isArray(rules)) return refuseValue(path, 'an array of rules', rules, advice);
  const checked = rules.map((rule, index) => checkRule(`${path}[${index}]`, rule));
  const names = checked.map(({ name }) => name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (repeated !== -1) {
    const received = 'the name of another rule';
    refuse([{ path: `${path}[${repeated}].name`, expected: 'a unique name', received }], advice);
  }
  return checked;
}

const advice = 'Correct the rules.';

const nameExpectation = 'a name of letters, digits, dots, dashes and underscores';
const ruleName = /* @__PURE__ */ s.lazily(() =>
  s.string(nameExpectation).check(s.regex(/^[\w.-]{1,64}$/, nameExpectation)),
);

/** A rule of either kind, before its limit and currency are checked against what it counts. */
interface AnyRule extends VelocityRuleBase {
  readonly counts: VelocityRule['counts'];
  readonly limit: unknown;
  readonly currency?: unknown;
}

const ruleSchema = /* @__PURE__ */ optionsOf<AnyRule>(() => ({
  name: ruleName,
  per: ruleName,
  counts: s.literal(['attempts', 'failures', 'amount']),
  limit: unchecked(),
  currency: unchecked(),
  windowMs: integerFrom(1),
  action: s.literal(['review', 'block']),
}));

function checkRule(path: string, rule: AnyRule): CheckedRule {
  checkOptions(path, ruleSchema, rule, advice);
  const { name, per, counts, windowMs, action } = rule;
  const limit = checkLimit(`${path}.limit`, rule);
  const currency = checkCurrency(`${path}.currency`, rule);
  return { name, per, counts, limit, currency, windowMs, action };
}

function checkLimit(path: string, { counts, limit }: AnyRule): bigint {
  if (counts === 'amount') return parseDecimal(path, limit);
  checkOptions(path, integerFrom(0), limit, advice);
  return BigInt(Number(limit));
}

function checkCurrency(path: string, { counts, currency }: AnyRule): string | undefined {
  if (currency === undefined) return undefined;
  if (counts !== 'amount') refuseValue(path, 'nothing beside a count', currency, advice);
  return parseCurrency(path, currency);
}

/** Returns a currency code in upper case. */
export function parseCurrency(path: string, value: unknown): string {
  if (typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)) return value.toUpperCase();
  return refuseValue(path, "a currency code such as 'USD'", value, 'Pass its three letters, or nothing.');
}
