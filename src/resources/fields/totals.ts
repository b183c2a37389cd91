/** Sums of the lines that a caller gives: of one currency, and exact. The service adds them, so a wrong sum would be charged. */

import * as s from '../../base/schema/schema.ts';

/** Checks that all lines have one currency, as the object that they make has. */
export const oneCurrency = () =>
  s.refine<readonly { readonly currency: string }[]>(
    (lines) => new Set(lines.map(({ currency }) => currency)).size <= 1,
    'one currency in all lines',
  );

/** Checks that the lines add up to an integer that a number holds exactly. Amounts and quantities are not negative. */
export const exactTotal = <Line>(amountOf: (line: Line) => number) =>
  s.refine<readonly Line[]>(
    (lines) => Number.isSafeInteger(lines.reduce((total, line) => total + amountOf(line), 0)),
    `lines of at most ${Number.MAX_SAFE_INTEGER} minor units in all`,
  );
