/** The statements of the interface, by section, and what shows each. */

import sections from './tables/statements.json' with { type: 'json' };

export interface Statement {
  readonly says: string;
  /** The table that has its details, and the key in it. */
  readonly table?: string;
  /** References: `path#anchor`, or the number of a gap. */
  readonly shownBy: readonly string[];
}

const bySection: Readonly<Record<string, readonly Statement[]>> = sections;

export const sectionNames: readonly string[] = Object.keys(bySection);

export const statements: readonly Statement[] = Object.values(bySection).flat();

/** Returns how many statements name a reference. */
export const citationsOf = (reference: string): number =>
  statements.filter(({ shownBy }) => shownBy.includes(reference)).length;
