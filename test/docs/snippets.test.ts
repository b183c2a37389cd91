/** Runs every TypeScript snippet of the guides, and holds what it prints against what the guide says behind `// →`. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const root = new URL('../../', import.meta.url);
const folder = new URL('.tmp/snippets/', root);

/** The guides whose snippets are whole programs. */
const guides = [
  'docs/browser.md',
  'docs/fraud.md',
  'docs/runtimes.md',
  'docs/sandbox.md',
  'docs/transact.md',
  'docs/webhooks.md',
];

interface Snippet {
  readonly name: string;
  /** Where it is run: a snippet that names its file can be imported by the others of its guide. */
  readonly file: URL;
  /** Whether it is there for others to import, and prints nothing itself. */
  readonly isModule: boolean;
  readonly code: string;
  readonly prints: readonly string[];
}

async function snippetsOf(guide: string): Promise<Snippet[]> {
  const text = await readFile(new URL(guide, root), 'utf8');
  const slug = guide.replaceAll(/\W/g, '-');
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ''], index) => ({
    name: `${slug}-${index + 1}`,
    file: new URL(`${slug}/${/^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `${index + 1}.ts`}`, folder),
    isModule: /^\/\/ \S+\.ts\n/.test(code),
    code,
    prints: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line = '']) => line),
  }));
}

const snippets = (await Promise.all(guides.map(snippetsOf))).flat();

const programs = snippets.filter(({ isModule }) => !isModule);

// A database in WebAssembly takes its time to start.
describe('a snippet of a guide', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    for (const { file, code } of snippets) {
      await mkdir(new URL('.', file), { recursive: true });
      await writeFile(file, code);
    }
  });

  afterAll(() => vi.restoreAllMocks());

  it.each(programs)('($name) prints what the guide says', async ({ file, prints }) => {
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      printed.push(values.map(String).join(' '));
    });
    vi.spyOn(console, 'error').mockImplementation(() => {});
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
