/**
 * The size of the tests: `npm test` runs the short form, `TEST_SIZE=all npx vitest run` and CI all, `TEST_SIZE=long npm test --
 * test/bytes` the long form.
 */
const sizes = ['short', 'all', 'long'] as const;

type Size = (typeof sizes)[number];

function chosenSize(): Size {
  const { TEST_SIZE = 'short' } = process.env;
  const chosen = sizes.find((name) => name === TEST_SIZE);
  if (chosen === undefined) throw new Error(`TEST_SIZE: expected one of ${sizes}, got ${TEST_SIZE}.`);
  return chosen;
}

/** The running form. The short form leaves out tests tagged `thorough`. */
export const size = chosenSize();

/** Returns the value of the running form. */
export function bySize<T>(forms: Readonly<{ short: T; all: T; long?: T }>): T {
  return size === 'long' ? (forms.long ?? forms.all) : forms[size];
}

/** The option of a test that the short form leaves out. For a whole file: `@module-tag thorough` in its first comment. */
export const thorough = { tags: 'thorough' } as const;

/** The option of a test that the short form includes although its file is thorough. */
export const always = { tags: 'always' } as const;

/** In the short form, returns every nth row of a table, starting at `first`; otherwise all rows. */
export function everyNth<T>(rows: readonly T[], nth: number, first = 0): readonly T[] {
  return rows.filter((_, index) => size !== 'short' || index % nth === first % nth);
}
