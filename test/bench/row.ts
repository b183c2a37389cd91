/** One line of the table. */
export interface Row {
  /** What is compared. */
  readonly what: string;
  /** What the figure should be. Empty for a row that only informs. */
  readonly goal: string;
  readonly figure: string;
  readonly met: 'yes' | '**no**' | '';
  /** Where the middle half of the rounds lies. Empty for one round. */
  readonly spread: string;
  /** The median of each side. */
  readonly measured: string;
}

/** Rows that are measured together. */
export interface RowGroup {
  /** Its name on the command line. */
  readonly name: string;
  readonly measure: () => Promise<readonly Row[]>;
}

/** The figures of two sides, one of each for each round. */
export interface Comparison {
  readonly what: string;
  readonly goal: readonly ['≤' | '≥', number];
  /** What we are compared with. */
  readonly peer: string;
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  readonly unit: (value: number) => string;
}

/** The value below which this part of all values lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** The quotient of each round. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}

/** Returns where the middle half of all values lies. */
export function middleHalf(values: readonly number[]): string {
  if (values.length === 1) return '';
  return `${quantile(values, 0.25).toFixed(2)} – ${quantile(values, 0.75).toFixed(2)}`;
}

export function compare({ what, goal: [sign, bound], peer, ours, theirs, unit }: Comparison): Row {
  const each = ratios(ours, theirs);
  const figure = median(each).toFixed(2);
  const isMet = sign === '≥' ? Number(figure) >= bound : Number(figure) <= bound;
  return {
    what,
    goal: `${sign} ${bound} × ${peer}`,
    figure: `${figure} ×`,
    met: isMet ? 'yes' : '**no**',
    spread: middleHalf(each),
    measured: `payments-client ${unit(median(ours))}; ${peer} ${unit(median(theirs))}`,
  };
}

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

export const perSecond = (value: number) => `${whole.format(value)}/s`;
export const micros = (seconds: number) => `${(seconds * 1e6).toFixed(1)} µs`;
export const millis = (seconds: number) => `${(seconds * 1e3).toFixed(1)} ms`;
export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
