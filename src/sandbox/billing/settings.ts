import { isIntegerFrom } from '../../base/integer.ts';

/** How money moves by itself. */
export interface MoneySettings {
  /** Whether pending refunds end by themselves. */
  readonly refunds: 'automatic' | 'manual';
  /** The days between attempts to collect an invoice. */
  readonly dunning: readonly number[];
  /** Whether what was taken and given back is settled at each midnight in UTC. */
  readonly settlement: 'daily' | 'manual';
}

/** How money moves unless one asks for something else. */
export const usualMoney: MoneySettings = {
  refunds: 'automatic',
  dunning: [1, 3, 5, 7],
  settlement: 'manual',
};

/**
 * The settings, checked.
 *
 * @throws RangeError when a choice is unknown, or a day of the schedule is not an integer from 1.
 */
export function readMoneySettings(
  given: {
    readonly [Name in keyof MoneySettings]?: MoneySettings[Name] | undefined;
  },
): MoneySettings {
  const refunds = given.refunds ?? usualMoney.refunds;
  const dunning = given.dunning ?? usualMoney.dunning;
  const settlement = given.settlement ?? usualMoney.settlement;
  if (refunds !== 'automatic' && refunds !== 'manual') {
    throw new RangeError("createSandbox: expected refunds to be 'automatic' or 'manual'.");
  }
  if (settlement !== 'daily' && settlement !== 'manual') {
    throw new RangeError("createSandbox: expected settlement to be 'daily' or 'manual'.");
  }
  if (!dunning.every((days) => isIntegerFrom(days, 1, 3650))) {
    throw new RangeError('createSandbox: expected dunning to be days between attempts, integers from 1.');
  }
  return { refunds, dunning, settlement };
}
