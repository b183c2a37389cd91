import { refuseValue } from '../base/errors.ts';
import { readAmount } from '../base/numbers.ts';
import { custom, type Schema } from '../base/schema/schema.ts';

const digits = 4;
const expected = "a decimal string such as '12.00'";

/** An amount such as `12.00`. */
export function decimal(): Schema<string> {
  return custom<string>((value) => readAmount(value) !== undefined, expected);
}

/**
 * Returns an amount in ten-thousandths, exactly: it is never a floating-point fraction.
 *
 * @throws ConfigurationError for any other value.
 */
export function parseDecimal(path: string, value: unknown): bigint {
  const amount = readAmount(value);
  if (amount === undefined) return refuseValue(path, expected, value, 'Pass the amount as a string.');
  return BigInt(amount.whole + amount.fraction.padEnd(digits, '0'));
}

/** Formats an amount in ten-thousandths as a decimal string with at least two decimals. */
export function formatDecimal(scaled: bigint): string {
  const text = String(scaled).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0{1,2}$/, '');
  return `${text.slice(0, -digits)}.${fraction}`;
}
