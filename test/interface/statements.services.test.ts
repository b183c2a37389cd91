/** Checks that each statement of the interface names tests, fields, paths and headings that exist. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeOpenApi } from '../../scripts/reference/openapi.ts';
import { sectionNames, statements } from './statements.ts';

const read = (path: string) => readFileSync(path, 'utf8');

const { paths, components } = JSON.parse(await writeOpenApi());

function existsInOpenApi(anchor: string): boolean {
  const [method = '', path = ''] = anchor.split(' ');
  if (path !== '') return paths[path]?.[method.toLowerCase()]?.['x-source'] === 'shown';
  const [schema = '', field = ''] = anchor.split('.');
  return components.schemas[schema]?.properties?.[field]?.['x-source'] === 'shown';
}

/** Returns whether a test file has a text in quotes: a test's name, or a row of its table. */
const hasTest = (text: string, name: string) =>
  ["'", '"', '`'].some((quote) => text.includes(quote + name + quote));

/** Returns whether a page has a heading, or a sentence with a mark. */
const hasPart = (text: string, part: string) =>
  part.includes('_shown_')
    ? text.includes(part)
    : text.split('\n').some((line) => /^#+ (.*)/.exec(line)?.[1] === part);

function exists(reference: string): boolean {
  if (/^G\d+$/.test(reference)) return read('docs/interface-gaps.md').includes(`\n| ${reference} |`);
  const [path = '', anchor = ''] = reference.split(/#(.*)/s);
  if (path === 'openapi.json') return existsInOpenApi(anchor);
  if (!existsSync(path)) return false;
  if (/^(?:sandbox\/)?test\//.test(path)) return hasTest(read(path), anchor);
  // `marks.services.test.ts` compares the doc comment.
  return /^(?:sandbox\/)?src\//.test(path) || hasPart(read(path), anchor);
}

it('the statements cover each section of the interface', () => {
  expect(sectionNames.map((name) => Number.parseInt(name, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it.each(statements)('$says', ({ shownBy }) => {
  expect(shownBy.length).toBeGreaterThan(0);
  expect(shownBy.filter((reference) => !exists(reference))).toEqual([]);
});

describe('a table', () => {
  const tables = 'test/interface/tables';
  const parts = readdirSync(tables)
    .filter((file) => file !== 'statements.json')
    .flatMap((file) => {
      const table: unknown = JSON.parse(read(`${tables}/${file}`));
      return Array.isArray(table) ? file : Object.keys(Object(table)).map((key) => `${file}#${key}`);
    });
  const named = statements.filter(({ table }) => table !== undefined);

  it('belongs to one statement, as does each part of it', () => {
    expect(named.map(({ table }) => table).sort()).toEqual(parts.sort());
  });

  it.each(named)('$table is read by a test of its statement', ({ table = '', shownBy }) => {
    const [file = ''] = table.split('#');
    const tests = shownBy.flatMap((reference) => /^(?:sandbox\/)?test\/[^#]+/.exec(reference)?.[0] ?? []);
    // These read the table of the resources for other tests.
    const readers = [file, 'field-tables.ts'];
    expect(tests.filter((path) => readers.some((reader) => read(path).includes(reader)))).not.toEqual([]);
  });
});
