/** Each file that a call runs through is mutated in one layer, and each layer names existing files. */

import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Layer, layers, shortForm } from './layers.ts';

const all: readonly (readonly [string, Layer])[] = [...Object.entries(layers), ...Object.entries(shortForm)];

const found = (pattern: string) => globSync(pattern).map((path) => path.replaceAll('\\', '/'));

it('has each file of the ground floor and of a call in one layer', () => {
  const mutated = Object.values<Layer>(layers).flatMap(({ mutate }) => mutate.flatMap(found));
  const files = found('src/{base,http}/**/*.ts');
  expect(mutated.filter((path) => files.includes(path)).sort()).toEqual(files.sort());
});

it.each(all)('%s names existing files and tests', (_name, { mutate, tests, without = [] }) => {
  const patterns = [...mutate, ...tests, ...without];
  expect(patterns.filter((pattern) => found(pattern).length === 0)).toEqual([]);
});
