/** Reaches inside: a store shows what is masked, and not where each value of a form begins. */

import { expect, it } from 'vitest';
import { valuesOf } from '../../../src/stores/kept/text-values.ts';

it('splits a form into names and values, each with its place', () => {
  const found = valuesOf('a=1&x').map(({ text, name, start, end }) => ({ text, name, start, end }));
  expect(found).toEqual([
    { text: 'a', name: '', start: 0, end: 1 },
    { text: '1', name: 'a', start: 2, end: 3 },
    { text: 'x', name: '', start: 4, end: 5 },
  ]);
});
