/** The longest wait that a timer can hold, in ms. */
export const maxTimer = 2 ** 31 - 1;

/** Whether a value is an integer within bounds that a number holds exactly. */
export function isIntegerFrom(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
}

/** The digits of a decimal before and behind its point. */
interface Decimal {
  readonly whole: string;
  /** Empty without a point. */
  readonly fraction: string;
}

/**
 * Reads a decimal such as `12.00`: digits, without a sign, an exponent or blanks. `undefined` for anything else, and for more digits than
 * allowed.
 */
export function readDecimal(
  text: unknown,
  maxWhole = Number.POSITIVE_INFINITY,
  maxFraction = Number.POSITIVE_INFINITY,
): Decimal | undefined {
  const [, whole = '', fraction = ''] = (typeof text === 'string' && /^(\d+)(?:\.(\d+))?$/.exec(text)) || [];
  const fits = whole !== '' && whole.length <= maxWhole && fraction.length <= maxFraction;
  return fits ? { whole, fraction } : undefined;
}

/** Reads an amount, with at most as many digits as the form endpoint takes. */
export function readAmount(text: unknown): Decimal | undefined {
  return readDecimal(text, 12, 4);
}
