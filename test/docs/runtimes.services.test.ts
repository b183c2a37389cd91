/** Compares the results of `npm run check:runtimes` with its cases and with package.json, and docs/deploying.md with the compilers. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { all, tableNames } from '../../scripts/runtimes/matrix.ts';
import { nodeVersions } from '../../scripts/runtimes/node.ts';
import { Project } from '../../scripts/runtimes/project.ts';
import { findWrongRow, mergeResults, namesOf, readResults } from '../../scripts/runtimes/results.ts';
import { compilers } from '../../scripts/types-matrix/consumer.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/deploying.md');
const manifest = JSON.parse(read('package.json'));
const results = readResults();
const rows = tableNames.flatMap((table) => results[table]);

let project: Project;
beforeAll(() => {
  project = new Project();
});
afterAll(() => project.remove());

it('has exactly one row for each case', () => {
  expect(rows.map(({ name }) => name)).toEqual(namesOf(all, project));
});

it('states the required result of each case', () => {
  const expectedRows = all.flatMap((platform) =>
    platform.cases(project).map(({ name, expected }) => [name, expected.files]),
  );
  expect(rows.map(({ name, files }) => [name, files])).toEqual(expectedRows);
});

it('detects a row that claims more than a run showed', () => {
  const [row] = results.runtimes;
  if (row === undefined) throw new Error('there is no row');
  expect(findWrongRow(row, results)).toBeUndefined();
  expect(findWrongRow({ ...row, version: '0.0.1' }, results)).toBeUndefined();
  expect(findWrongRow({ ...row, files: ['index.cjs'] }, results)).toContain('this run showed index.cjs');
  expect(findWrongRow({ ...row, transport: 'fetch' }, results)).toContain('calls over fetch');
  expect(findWrongRow({ ...row, name: 'Node 20' }, results)).toContain('no row');
});

it('drops the row of a failed case, and keeps the rows that did not run', () => {
  const [first, ...others] = all;
  if (first === undefined) throw new Error('nothing is run');
  const merged = mergeResults([], [first], project);
  expect(tableNames.flatMap((table) => merged[table]).map(({ name }) => name)).toEqual(
    namesOf(others, project),
  );
});

it.each([
  ['Node 24, import', 'import', 'node'],
  ['Node 24, require', 'require', 'node'],
  ['Bun, import', 'import', 'bun'],
  ['Bun, require', 'require', 'bun'],
  ['Deno, import', 'import', 'deno'],
  ['workerd, without flags', 'import', 'workerd'],
  ['Next.js 16, Edge runtime', 'import', 'edge-light'],
  ['Chromium, the client', 'import', 'browser'],
] as const)('%s loads the file of the condition %s of %s', (name, way, condition) => {
  const row = rows.find((one) => one.name === name);
  expect(row?.files.map((file) => `./dist/${file}`)).toEqual([manifest.exports['.'][way][condition]]);
});

it('tests the oldest Node of `engines`', () => {
  expect(manifest.engines.node).toMatch(new RegExp(`^>=${nodeVersions[0]}\\b`));
});

it('lists each TypeScript version', () => {
  const { dependencies } = JSON.parse(read('test/consumers/package.json'));
  const versions = compilers.map((name) => dependencies[name].replace('npm:typescript@', ''));
  expect(page).toContain(`TypeScript ${versions.join(', ')},`);
});
