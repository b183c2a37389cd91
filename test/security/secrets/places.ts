/** The test of each place: what comes out of it has no secret. */

import { expect, it } from 'vitest';
import { skipBackOff } from '../../support/mock-service.ts';
import { everyNth } from '../../support/size.ts';
import type { Allowance } from './allowed.ts';
import { Outputs } from './outputs.ts';

/** Puts something with secrets where the place says, and adds all that comes out. */
export type Place<Given> = (given: Given, out: Outputs) => unknown;

/** Makes a place of each row of a table. */
export function placesOf<Row, Given>(
  rows: Readonly<Record<string, Row>>,
  placeOf: (row: Row) => Place<Given>,
): Readonly<Record<string, Place<Given>>> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, placeOf(row)]));
}

/** For a place that has its secrets already. */
export const once = [undefined] as const;

interface Trial<Given> {
  /** What is put into each place, one after the other. */
  readonly given: readonly Given[];
  /** The short form puts every nth into a place, beginning with another one in each. Default: all. */
  readonly nth?: number;
  /** The sources that must have put out something: searching nothing proves nothing. */
  readonly from: readonly string[];
  readonly allowed?: readonly Allowance[];
}

/** Tests a table of places. */
export function noSecretComesOutOf<Given>(
  places: Readonly<Record<string, Place<Given>>>,
  { given, nth = 1, from, allowed = [] }: Trial<Given>,
): void {
  const rows = Object.entries(places).map(([name, place], index) => ({ name, place, index }));
  it.each(rows)('$name', async ({ place, index }) => {
    skipBackOff();
    const out = new Outputs().withProcess();
    for (const one of everyNth(given, nth, index)) await place(one, out);
    expect(out.sources).toEqual(expect.arrayContaining([...from]));
    expect(out.leaks(...allowed)).toEqual([]);
  });
}
