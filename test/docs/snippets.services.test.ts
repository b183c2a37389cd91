/** Runs every snippet of README and guides, and compares its output with the comments `// →`. */

import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  readSnippets,
  type Snippet,
  usesSessionsOrForms,
  withOnlyShownFields,
  writeSnippets,
} from './snippets.ts';

/** The folders of the programs: shared, so that those of a guide can import each other. The packages of the tests resolve there. */
const folder = new URL('../.tmp/snippets/', import.meta.url);
const shownFolder = new URL('../.tmp/snippets-only-shown-fields/', import.meta.url);
const snippets = await readSnippets();
const programs = snippets.filter(({ isModule }) => !isModule);

// A WebAssembly database starts slowly.
describe('a snippet of a guide', () => {
  beforeAll(async () => {
    await writeSnippets(snippets, folder);
    await writeSnippets(snippets.map(withOnlyShownFields), shownFolder);
  });
  afterAll(() => vi.restoreAllMocks());

  const environment = { ...process.env };
  afterEach(() => {
    process.env = { ...environment };
  });

  /** Runs a program, and expects its output. */
  async function expectOutput({ path, prints }: Snippet, from: URL): Promise<void> {
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      printed.push(...values.map(String).join(' ').split('\n'));
    });
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    await import(/* @vite-ignore */ fileURLToPath(new URL(path, from)));
    expect(printed).toEqual(prints);
    expect(prints.length).toBeGreaterThan(0);
  }

  it.each(programs)('($name) prints the output in the guide', (program) => expectOutput(program, folder));

  it.each(programs.filter(usesSessionsOrForms))(
    '($name) prints it too where the service takes only the shown fields',
    (program) => expectOutput(program, shownFolder),
  );

  it('never finds an order by a field that the service may drop', () => {
    const dropped = /client_reference_id|metadata\.|customer_email/;
    expect(snippets.filter(({ code }) => dropped.test(code)).map(({ name }) => name)).toEqual([]);
  });

  it('exists in README and in every how-to guide', () => {
    const guides = new Set(snippets.map(({ guide }) => guide));
    expect(guides.size).toBeGreaterThan(9);
    expect(guides).toContain('README.md');
  });
});
