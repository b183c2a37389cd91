/** A layer whose files or tests moved would be measured in part, and nobody would notice. */

import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Layer, layers, shortForm } from './layers.ts';

const all: readonly (readonly [name: string, layer: Layer])[] = [
  ...Object.entries(layers),
  ...Object.entries(shortForm).map(([name, layer]) => [`${name}, short form`, layer] as const),
];

describe.each(all)('%s', (_, { mutate, tests, without = [] }) => {
  it.each([...mutate, ...tests, ...without])('%s matches a file', (pattern) => {
    expect(globSync(pattern)).not.toEqual([]);
  });
});
