/** A test is found by the path of what it tests: of `src/a/b` at `test/a/b.test.ts`, or at `test/a/b/<behaviour>.test.ts`. */

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path/posix';
import { expect, it } from 'vitest';

/** Suites that attack the package as a whole: folders, and single files by their names without an ending. */
const suites = [
  'bench',
  'browser',
  'crash',
  'docs',
  'entry-imports',
  'examples',
  'faults',
  'frameworks',
  'fuzz',
  'interface',
  'mutation',
  'reference',
  'security',
  'simulation',
  'soak',
  'webhooks/backlog',
  'webhooks/modes-and-faults',
  'defects',
  'hostile-process',
  'layout',
  'promises',
  'readmes',
  'refusals',
  'whole-path',
];

const isOfSuite = (file: string) =>
  suites.some((suite) => file.startsWith(`${suite}/`) || file.startsWith(`${suite}.`));

/** The project's files below `test/` that belong to no suite. */
const files = globSync('**/*.ts', { cwd: 'test', exclude: ['**/node_modules', '.tmp'] })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !isOfSuite(file));

/** Whether a path is that of a module or a folder of `src/`. */
const isOfSource = (path: string) =>
  ['', '.ts', '.node.ts'].some((ending) => existsSync(`src/${path}${ending}`));

it('puts each test at the path of a module or folder, or one behaviour below it', () => {
  const tests = files.flatMap((file) => /^(.*?)(?:\.services)?\.test(?:-d)?\.ts$/.exec(file)?.[1] ?? []);
  expect(tests.length).toBeGreaterThan(100);
  const lost = tests.filter(
    (path) => !isOfSource(path) && (dirname(path) === '.' || !isOfSource(dirname(path))),
  );
  expect(lost).toEqual([]);
});

it('imports the package by its entries, or says in the first line why it reaches inside', () => {
  const reachesInside = /(?:from |import |import\()'(?:\.\.?\/)+src\//;
  const saysWhy = /^\/\*\* Reaches inside: \w+ .{20,}/;
  const silent = files.filter((file) => {
    const text = readFileSync(`test/${file}`, 'utf8');
    return reachesInside.test(text) !== saysWhy.test(text);
  });
  expect(silent).toEqual([]);
});

it('gives no two files of the sandbox the same name', () => {
  const all = readdirSync('src/sandbox', { recursive: true, encoding: 'utf8' });
  const names = all
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => basename(file.replaceAll('\\', '/')));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('lists only suites that exist', () => {
  expect(
    suites.filter((suite) => !existsSync(`test/${suite}`) && !existsSync(`test/${suite}.test.ts`)),
  ).toEqual([]);
});
