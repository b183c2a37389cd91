/** Compares the cases of `npm run check:runtimes`, and the compilers of the consumers, with package.json and docs/deploying.md. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cases } from '../../scripts/runtimes/cases.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('tests the oldest Node of `engines`', () => {
  const [first] = cases;
  const { engines } = JSON.parse(read('package.json'));
  expect(first?.name).toBe(`Node ${/^>=(\d+)/.exec(engines.node)?.[1]}, import`);
});

it('has no two cases with the same name', () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

it('runs one framework for each change, and the others at night', () => {
  const inCi = cases.filter(({ table, isNightly }) => table === 'frameworks' && !isNightly);
  expect([...new Set(inCi.map(({ name }) => name.replace(/,.*/, '')))]).toEqual(['Next.js 16']);
});

it('lists each TypeScript version', () => {
  const { dependencies } = JSON.parse(read('test/consumers/package.json'));
  const versions = ['ts54', 'ts59', 'ts6', 'ts7'].map((name) => dependencies[name].split('@').at(-1));
  expect(read('docs/deploying.md')).toContain(`TypeScript ${versions.join(', ')},`);
});
