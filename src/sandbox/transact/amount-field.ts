/** An amount such as `12.00` in minor units, exactly; `undefined` where it is written in any other way. */
export function toMinorUnits(text: string): number | undefined {
  // Twelve digits at most, which a number holds exactly.
  return /^\d{1,10}\.\d{2}$/.test(text) ? Number(text.replace('.', '')) : undefined;
}

/** Minor units as the form endpoint writes them. */
export function toAmount(minorUnits: number): string {
  const digits = String(minorUnits).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
