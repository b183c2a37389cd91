/** One line of the table. */
export interface Row {
  /** What is compared. */
  readonly what: string;
  /** What we hold ourselves to, in words. */
  readonly target: string;
  /** The figure that is held against the target, in words. */
  readonly figure: string;
  readonly isMet: boolean;
  /** Where the middle half of the rounds lies; empty where every run gives the same. */
  readonly spread: string;
  /** What was measured of each, ours first. */
  readonly measured: readonly (readonly [name: string, value: string])[];
}

/** What is measured at once, since it takes the same processes. */
export interface RowGroup {
  /** By this name it is asked for on the command line. */
  readonly name: string;
  readonly measure: () => Promise<readonly Row[]>;
}

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

export const perSecond = (value: number) => `${whole.format(value)}/s`;
export const micros = (seconds: number) => `${(seconds * 1e6).toFixed(1)} µs`;
export const millis = (value: number) => `${value.toFixed(0)} ms`;
export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
export const times = (ratio: number) => `${ratio.toFixed(2)} ×`;
