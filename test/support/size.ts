/** What a test may try: `npm test` the short form, `npm run test:all` and CI all of it, `TEST_SIZE=long npm test -- test/fuzz` the long form. */
const sizes = ['short', 'all', 'long'] as const;

type Size = (typeof sizes)[number];

function chosenSize(): Size {
  const { TEST_SIZE = 'short' } = process.env;
  const chosen = sizes.find((name) => name === TEST_SIZE);
  if (chosen === undefined) throw new Error(`TEST_SIZE: expected one of ${sizes}, got ${TEST_SIZE}.`);
  return chosen;
}

/** The form that runs. In the short one, tests that are tagged `thorough` are left out. */
export const size = chosenSize();

/** The one of these that belongs to the form that runs. */
export function bySize<T>(forms: Readonly<{ short: T; all: T; long?: T }>): T {
  return size === 'long' ? (forms.long ?? forms.all) : forms[size];
}

/** The option of a test that is left out of the short form. A whole file is by `@module-tag thorough` in its first comment. */
export const thorough = { tags: 'thorough' } as const;

/** The option of a test that is in the short form though all of its file is thorough. */
export const always = { tags: 'always' } as const;

/** In the short form every so many of a table's rows, from one of the first on; else all. */
export function everyNth<T>(rows: readonly T[], nth: number, first = 0): readonly T[] {
  return rows.filter((_, index) => size !== 'short' || index % nth === first % nth);
}
