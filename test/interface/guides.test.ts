/** Compares each _shown_ and _inferred_ of the guides with the statements, the gaps and the routes. */

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/resources/routes.ts';
import { statements } from './statements.ts';
import wire from './tables/wire.json' with { type: 'json' };

const read = (path: string) => readFileSync(path, 'utf8');

/** A paragraph, an item of a list, a row of a table, or a line of a program. */
interface Passage {
  readonly page: string;
  readonly text: string;
}

function passagesOf(page: string): readonly Passage[] {
  const blocks = read(page).split(/(^```[\s\S]*?^```$)/m);
  const texts = blocks.flatMap((block) =>
    block.split(block.startsWith('```') ? '\n' : /\n\s*\n|\n(?=\s*(?:[|#-]|\d+\. ))/),
  );
  return texts.map((text) => ({ page, text }));
}

const generated = ['docs/api.md', 'docs/interface-gaps.md'];
const passages = [...globSync('docs/*.md'), 'README.md']
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !generated.includes(path))
  .flatMap(passagesOf);

/** Passages that say what the two words mean. */
const definitions = [
  'In these pages, _shown_ means that the service documents something, and _inferred_ that the SDK assumes it.',
  'what these pages call _inferred_',
];

/** The gaps of passages that name none, since they are programs, output or messages, or have no room for a number. */
const gapOf: Readonly<Record<string, string>> = {
  'all that is left (inferred)': 'G18',
  'if only a response says that none did': 'G78',
  'No money moved by this call (inferred)': 'G78',
  'your own id (inferred)': 'G81',
};

const rows = read('docs/interface-gaps.md')
  .split('\n')
  .filter((line) => /^\| G\d/.test(line));
const gaps = rows.map((row) => row.split(' ')[1]);

const inferredMethods = Object.entries<{ readonly source: string }>(routes)
  .filter(([, { source }]) => source === 'inferred')
  .map(([name]) => name);

/** Returns the section of a guide that a link names. */
function sectionOf(link: string): string {
  const [path = '', anchor] = link.split('#');
  const page = read(`docs/${path}`);
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-');
  const sections = page.split(/^(?=#+ )/m);
  return anchor === undefined
    ? page
    : (sections.find((one) => slug(one.split('\n')[0]?.replace(/^#+ /, '') ?? '') === anchor) ?? '');
}

const namesGap = (text: string) => gaps.some((number) => new RegExp(`\\b${number}\\b`).test(text));

const linksToGap = (text: string) =>
  [...text.matchAll(/\]\(([a-z-]+\.md(?:#[\w-]+)?)\)/g)].some(([, link = '']) => namesGap(sectionOf(link)));

/** Returns whether a passage has a name that the row of an inferred gap has too, such as `keyLifetime`. Plain words do not count. */
function sharesName(text: string): boolean {
  const names = text.match(/\b(?!_)[\w-]*(?:[a-z][A-Z]|_|-)[\w-]*\b/g) ?? [];
  return rows.some((row) => row.includes('_inferred_') && names.some((name) => row.includes(`\`${name}`)));
}

/** Returns the sentences of a passage that say that something is inferred, and name no gap. */
function unnamedIn({ text }: Passage): readonly string[] {
  if (namesGap(text)) return [];
  const inferred = text
    .split(/(?<=\.)\s/)
    .filter((sentence) => /_inferred_|\(inferred\b|\binferred:/.test(sentence));
  return inferred.filter(
    (sentence) =>
      !Object.keys(gapOf).some((quote) => sentence.includes(quote)) &&
      !linksToGap(sentence) &&
      !inferredMethods.some((method) => sentence.includes(method)) &&
      !sharesName(sentence.match(/`[^`]+`/g)?.join(' ') ?? sentence),
  );
}

describe('a guide', () => {
  const marked = passages.filter(({ text }) => !definitions.some((definition) => text.includes(definition)));

  it('names the gap of what is inferred: a number, a link, a name in its row, or a method with an inferred path', () => {
    expect(marked.filter(({ text }) => text.includes('_inferred_')).length).toBeGreaterThan(50);
    expect(marked.flatMap(unnamedIn)).toEqual([]);
  });

  it('says that something is shown only in the words that a statement quotes', () => {
    const quotes = statements.flatMap(({ shownBy }) => shownBy.filter((one) => one.includes('_shown_')));
    const wrong = marked.filter(({ page, text }) => {
      const rest = quotes.reduce(
        (left, quote) => left.replace(quote.replace(`${page}#`, ''), ''),
        text.replaceAll('\n', ' '),
      );
      return /_shown_|\*shown\*|\(shown\b|\| shown \|/.test(rest);
    });
    expect(wrong).toEqual([]);
  });
});

it('the gaps of these passages exist', () => {
  expect(Object.values(gapOf).filter((number) => !gaps.includes(number))).toEqual([]);
});

it('the list of methods has the shown paths of the interface', () => {
  const shown = [...read('docs/api.md').matchAll(/^\| `[\w.]+` \| `(\w+) (\S+)` \| shown \|/gm)];
  const endpoints = wire.endpoints.filter(({ path }) => !path.startsWith('/js/'));
  expect(shown.map(([, method, path]) => `${method} ${path}`).sort()).toEqual(
    endpoints.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});
