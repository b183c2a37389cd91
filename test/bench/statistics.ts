/** The value below which this part of them lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** Where the middle half of them lies. */
export function middleHalf(values: readonly number[]): string {
  return `${quantile(values, 0.25).toFixed(2)} – ${quantile(values, 0.75).toFixed(2)}`;
}

/** What each round's values make when one is divided by the other. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}
