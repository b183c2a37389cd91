/**
 * Measures what the tests run of `src/`: in their own processes, in the browser, and in the program `payments-client`. Prints what
 * part of each layer they reach, and what they do not; fails where it is less than 95 % of all lines or branches.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CoverageMap,
  type CoverageMapData,
  type CoverageSummary,
  createCoverageMap,
  createCoverageSummary,
  type FileCoverageData,
} from '@vitest/istanbul-lib-coverage';
import { convert } from 'ast-v8-to-istanbul';
import { parseAstAsync } from 'vitest/node';

/** What part of all lines and of all branches must run, in percent. */
const enough = 95;

const root = resolve(import.meta.dirname, '..');
const folder = join(root, '.tmp/coverage');

type Converted = Parameters<typeof convert>[0];

/** What V8 tells of one script. */
type Script = Converted['coverage'] & { readonly source?: string };

function run(): void {
  rmSync(folder, { recursive: true, force: true });
  const reporters = ['json', '--coverage.reportsDirectory', join(folder, 'tests')];
  const args = [
    'vitest',
    'run',
    '--typecheck.enabled=false',
    '--coverage',
    '--coverage.reporter',
    ...reporters,
  ];
  const env = { ...process.env, COVERAGE_FOLDER: folder };
  const { status } = spawnSync('npx', ['--no-install', ...args], { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the tests failed: ${status}`);
}

function readFolder<T>(name: string): T[] {
  const path = join(folder, name);
  if (!existsSync(path)) return [];
  return readdirSync(path).map((file) => JSON.parse(readFileSync(join(path, file), 'utf8')));
}

/** What stands before a script that was made with something of the page in it. */
const wrapper = /^\{const sandboxPublicKey=.*\n/;

/** A script of a page, traced back to the files that it was bundled from; nothing where it was not. */
function fromBrowser({ source = '', ...coverage }: Script): Converted | undefined {
  const [head = ''] = wrapper.exec(source) ?? [];
  const code = head === '' ? source : source.slice(head.length, -'}\n'.length);
  const [, packed] = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)/.exec(code) ?? [];
  if (packed === undefined) return undefined;
  const sourceMap = JSON.parse(Buffer.from(packed, 'base64').toString());
  sourceMap.sources = sourceMap.sources.map((path: string) => resolve(root, path));
  // It has an address of the web, and a name of a file is asked for.
  const named = { ...coverage, url: `file://${root}/bundle.js` };
  return { code, wrapperLength: head.length, sourceMap, coverage: named, ast: astOf(code) };
}

/** A module of the program. Node blanks its types out, so that places stay the same. */
function fromProcess(coverage: Script): Converted | undefined {
  if (!coverage.url.startsWith(`file://${root}/src/`)) return undefined;
  const code = stripTypeScriptTypes(readFileSync(fileURLToPath(coverage.url), 'utf8'));
  return { code, coverage, ast: astOf(code) };
}

const asts = new Map<string, ReturnType<typeof parseAstAsync>>();

function astOf(code: string): ReturnType<typeof parseAstAsync> {
  const ast = asts.get(code) ?? parseAstAsync(code);
  asts.set(code, ast);
  return ast;
}

function isOfSource(path: string): boolean {
  return relative(root, path).startsWith('src/');
}

async function collect(): Promise<CoverageMap> {
  const inTests: CoverageMapData = JSON.parse(
    readFileSync(join(folder, 'tests/coverage-final.json'), 'utf8'),
  );
  const map = createCoverageMap(inTests);
  map.filter(isOfSource);
  const inBrowser = readFolder<Script[]>('browser').flat().map(fromBrowser);
  const inProcesses = readFolder<{ result: Script[] }>('processes')
    .flatMap(({ result }) => result)
    .map(fromProcess);
  for (const script of [...inBrowser, ...inProcesses]) {
    if (script === undefined) continue;
    for (const [path, file] of Object.entries(await convert(script))) {
      if (map.files().includes(path)) add(map.fileCoverageFor(path).data, 'data' in file ? file.data : file);
    }
  }
  return map;
}

/**
 * Adds what else ran of a file. The compilers of the tests, of the pages and of Node map a place to slightly different columns, so
 * that places are compared by their line, and by which of its line they are.
 */
function add(file: FileCoverageData, other: FileCoverageData): void {
  const statements = new Map(placesOf(other.statementMap).map(([id, place]) => [place, other.s[id] ?? 0]));
  for (const [id, place] of placesOf(file.statementMap)) {
    file.s[id] = (file.s[id] ?? 0) + (statements.get(place) ?? 0);
  }
  // What never ran in a test's own process is taken from where it did run.
  if (
    Object.values(file.b)
      .flat()
      .every((count) => count === 0)
  ) {
    file.branchMap = other.branchMap;
    file.b = other.b;
    return;
  }
  const branches = new Map(placesOf(locationsOf(other)).map(([id, place]) => [place, other.b[id] ?? []]));
  for (const [id, place] of placesOf(locationsOf(file))) {
    const more = branches.get(place) ?? [];
    file.b[id] = (file.b[id] ?? []).map((count, index) => count + (more[index] ?? 0));
  }
}

interface Place {
  readonly start: { readonly line: number; readonly column: number };
  readonly type?: string;
}

function locationsOf({ branchMap }: FileCoverageData): Record<string, Place> {
  return Object.fromEntries(Object.entries(branchMap).map(([id, { loc, type }]) => [id, { ...loc, type }]));
}

/** Each with a name of its place: its type, its line, and its number in that line. */
function placesOf(map: Readonly<Record<string, Place>>): (readonly [id: string, place: string])[] {
  const seen = new Map<string, number>();
  const inOrder = Object.entries(map).sort(
    ([, { start: one }], [, { start: other }]) => one.line - other.line || one.column - other.column,
  );
  return inOrder.map(([id, { start, type = '' }]) => {
    const line = `${type}:${start.line}`;
    const number = (seen.get(line) ?? 0) + 1;
    seen.set(line, number);
    return [id, `${line}:${number}`] as const;
  });
}

function percent(covered: number, total: number): string {
  return (total === 0 ? 'none' : `${((100 * covered) / total).toFixed(2)} %`).padStart(9);
}

function report(map: CoverageMap): void {
  const layers = new Map<string, CoverageSummary>();
  const all = createCoverageSummary();
  for (const path of map.files()) {
    const summary = map.fileCoverageFor(path).toSummary();
    const [, layer = ''] = relative(root, path).split('/');
    const sum = layers.get(layer) ?? createCoverageSummary();
    sum.merge(summary);
    layers.set(layer, sum);
    all.merge(summary);
    if (isLow(summary)) printFile(path, map);
  }
  console.log(`\n${'layer'.padEnd(16)}     lines  branches`);
  for (const [layer, sum] of [...layers].sort(([one], [other]) => one.localeCompare(other)))
    printSum(layer, sum);
  printSum('src', all);
  process.exitCode = isLow(all) ? 1 : 0;
}

/** A file without any branch has no percentage of them. */
function isLow({ lines, branches }: CoverageSummary): boolean {
  return Number(lines.pct) < enough || Number(branches.pct) < enough;
}

function printSum(name: string, { lines, branches }: CoverageSummary): void {
  console.log(
    `${name.padEnd(16)} ${percent(lines.covered, lines.total)} ${percent(branches.covered, branches.total)}`,
  );
}

function printFile(path: string, map: CoverageMap): void {
  const file = map.fileCoverageFor(path);
  const { lines, branches } = file.toSummary();
  const missed = Object.entries(file.data.b).flatMap(([id, counts]) => {
    const line = file.data.branchMap[id]?.loc.start.line;
    return counts.includes(0) && line !== undefined ? [line] : [];
  });
  const places = [`lines ${file.getUncoveredLines().join(', ')}`, `branches of ${missed.join(', ')}`].join(
    '; ',
  );
  console.log(
    `${relative(root, path)}: lines ${lines.pct} %, branches ${branches.pct} %; not run: ${places}`,
  );
}

if (!process.argv.includes('--again')) run();
report(await collect());
