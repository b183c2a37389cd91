/** The longest wait that a timer can hold, in ms. */
export const maxTimer = 2 ** 31 - 1;

/** Whether a value is an integer within bounds that a number holds exactly. */
export function isIntegerFrom(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
}
