/** Runs every snippet of README and guides, and compares its output with the comments `// →`. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSnippets, recipes, writeSnippets } from './snippets.ts';

/** The folder of the programs: shared, so that those of a guide can import each other. The packages of the tests resolve there. */
const folder = new URL('../.tmp/snippets/', import.meta.url);
const snippets = await readSnippets();
const programs = snippets.filter(({ isModule }) => !isModule);

// A WebAssembly database starts slowly.
describe('a snippet of a guide', () => {
  beforeAll(() => writeSnippets(snippets, folder));
  afterAll(() => vi.restoreAllMocks());

  const environment = { ...process.env };
  afterEach(() => {
    process.env = { ...environment };
  });

  it.each(programs)('($name) prints the output in the guide', async ({ path, prints }) => {
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      printed.push(...values.map(String).join(' ').split('\n'));
    });
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await import(/* @vite-ignore */ fileURLToPath(new URL(path, folder)));
    expect(printed).toEqual(prints);
    expect(prints.length).toBeGreaterThan(0);
  });

  it.each(recipes)('quotes %s of examples/ exactly', (recipe) => {
    const file = readFileSync(new URL(`../../examples/${recipe}`, import.meta.url), 'utf8');
    const withoutHeader = file.replace(/^\/\*\*.*?\*\/\n\n/s, '');
    const quotes = snippets.filter(({ isModule, path }) => isModule && path.endsWith(`/${recipe}`));
    expect(quotes.map(({ code }) => code)).toEqual([`// ${recipe}\n${withoutHeader}`]);
  });

  it('exists in README and in every how-to guide', () => {
    const guides = new Set(snippets.map(({ guide }) => guide));
    expect(guides.size).toBeGreaterThan(9);
    expect(guides).toContain('README.md');
  });
});
