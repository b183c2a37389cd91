/** Runs every TypeScript snippet of the guides, and holds what it prints against what the guide says behind `// →`. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';

const root = new URL('../../', import.meta.url);
const folder = new URL('.tmp/snippets/', root);

/** The guides whose snippets are whole programs. */
const guides = ['docs/fraud.md', 'docs/sandbox.md', 'docs/transact.md'];

interface Snippet {
  readonly name: string;
  readonly code: string;
  readonly prints: readonly string[];
}

async function snippetsOf(guide: string): Promise<Snippet[]> {
  const text = await readFile(new URL(guide, root), 'utf8');
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ''], index) => ({
    name: `${guide.replaceAll(/\W/g, '-')}-${index + 1}`,
    code,
    prints: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line = '']) => line),
  }));
}

const snippets = (await Promise.all(guides.map(snippetsOf))).flat();

describe('a snippet of a guide', () => {
  afterAll(() => vi.restoreAllMocks());

  it.each(snippets)('($name) prints what the guide says', async ({ name, code, prints }) => {
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      printed.push(values.map(String).join(' '));
    });
    await mkdir(folder, { recursive: true });
    const file = new URL(`${name}.ts`, folder);
    await writeFile(file, code);
    await import(/* @vite-ignore */ fileURLToPath(file));
    expect(printed).toEqual(prints);
    expect(prints.length).toBeGreaterThan(0);
  });

  it('is there for every guide', () => {
    for (const guide of guides) {
      expect(snippets.some(({ name }) => name.startsWith(guide.replaceAll(/\W/g, '-')))).toBe(true);
    }
  });
});
