/**
 * Checks the declarations as merchants get them: small strict programs against the packed package compile with
 * every supported TypeScript and module resolution, with and without the types of the DOM and of Node, and cost the
 * compiler less than the same program against stripe-node does.
 *
 * Only ratios are judged, since machines differ. The two programs take turns, so that what else the machine does
 * meanwhile falls on both.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, pack } from './tarball.ts';
import { compilers } from './types-matrix/compilers.ts';
import { compileEntries, compilePeers, type Verdict, writePrograms } from './types-matrix/matrix.ts';
import {
  type Compilation,
  type Cost,
  compile,
  hasGnuTime,
  type Measure,
  measures,
} from './types-matrix/measure.ts';
import { stripe } from './types-matrix/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'payments-client-types-'));

/** How often each program is compiled where costs are compared. */
const rounds = 3;

interface Mode {
  readonly name: string;
  readonly extension: string;
  readonly options: { readonly module: string; readonly moduleResolution: string };
}

const esm: Mode = {
  name: 'nodenext ESM',
  extension: 'mts',
  options: { module: 'nodenext', moduleResolution: 'nodenext' },
};
const bundler: Mode = {
  name: 'bundler',
  extension: 'ts',
  options: { module: 'esnext', moduleResolution: 'bundler' },
};

type Program = 'ours' | 'stripe';

let passed = 0;
let failed = 0;

function count(good: boolean): void {
  if (good) passed += 1;
  else failed += 1;
}

function judge(good: boolean, what: string): void {
  count(good);
  console.log(`${good ? 'ok  ' : 'FAIL'} ${what}`);
}

function installOurs(): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  install(
    folder,
    pack(folder).path,
    ...Object.entries(compilers).map(([alias, version]) => `${alias}@npm:${version}`),
  );
}

/** Node's types come along because stripe-node refers to them and so does not compile without. */
function installOthers(): void {
  install(folder, 'stripe@23', '@types/node@24', 'react@19', '@types/react@19', 'msw@3');
}

function versionOf(dependency: string): string {
  return JSON.parse(readFileSync(join(folder, 'node_modules', dependency, 'package.json'), 'utf8')).version;
}

function writeCounterparts(): void {
  for (const { extension } of [esm, bundler]) writeFileSync(join(folder, `stripe.${extension}`), stripe);
}

/** Named always: TypeScript 5 takes all types it finds by default, TypeScript 6 and 7 none. */
const types = ['node'];

function writeProject(program: Program, mode: Mode, skipLibCheck: boolean): string {
  const compilerOptions = {
    ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ target: 'ES2022', ...mode.options, types, lib: ['ES2022'], skipLibCheck },
  };
  const project = join(folder, `${program}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [`${program}.${mode.extension}`] }));
  return project;
}

async function judgeAll(compiler: string, verdicts: AsyncIterable<Verdict>): Promise<void> {
  for await (const { what, complaints } of verdicts) {
    judge(complaints === '', `TypeScript ${versionOf(compiler)}, ${what}`);
    if (complaints !== '') console.log(complaints);
  }
}

/** One turn of each program, in the same surroundings; those of stripe-node, which are the larger. */
function takeTurns(compiler: string, mode: Mode, skipLibCheck: boolean): Record<Program, Compilation> {
  const turn = (program: Program) => compile(folder, compiler, writeProject(program, mode, skipLibCheck));
  return { ours: turn('ours'), stripe: turn('stripe') };
}

type Pair = Readonly<Record<Program, Cost>>;

/** What each round cost, or `undefined` where a program does not compile: then there is nothing to compare. */
function compareRounds(compiler: string, mode: Mode, skipLibCheck = false): Pair[] | undefined {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { ours, stripe } = takeTurns(compiler, mode, skipLibCheck);
    if (ours.cost === undefined || stripe.cost === undefined) {
      console.log(
        `${ours.cost === undefined ? ours.output : ''}${stripe.cost === undefined ? stripe.output : ''}`,
      );
      if (ours.cost === undefined || skipLibCheck) return undefined;
      console.log('The declarations of stripe-node do not compile, so both are compared with skipLibCheck.');
      return compareRounds(compiler, mode, true);
    }
    pairs.push({ ours: ours.cost, stripe: stripe.cost });
  }
  return pairs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function costOf(cost: Cost, measure: Measure): number {
  return cost[measure] ?? Number.NaN;
}

/** What cannot be measured here is left out, and said so once. */
const measured = measures.filter((measure) => hasGnuTime || (measure !== 'peak MB' && measure !== 'CPU s'));

const widths = [12, 14, 14, 10, 10, 6];

function printRow(cells: readonly string[]): void {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column < 3 ? cell.padEnd(width) : cell.padStart(width);
  });
  console.log(padded.join('  ').trimEnd());
}

function inDigits(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

/**
 * One line of the table: the medians, and the median of each round's ratio, in which a slow minute of the machine
 * cancels out.
 */
function compareMeasure(compiler: string, mode: Mode, measure: Measure, pairs: readonly Pair[]): void {
  const ours = median(pairs.map((pair) => costOf(pair.ours, measure)));
  const stripe = median(pairs.map((pair) => costOf(pair.stripe, measure)));
  const ratio = median(pairs.map((pair) => costOf(pair.ours, measure) / costOf(pair.stripe, measure)));
  // Asked this way round, a ratio that is no number fails too.
  const good = ratio < 1;
  count(good);
  const numbers = [inDigits(ours), inDigits(stripe), ratio.toFixed(2), good ? '' : 'FAIL'];
  printRow([versionOf(compiler), mode.name, measure, ...numbers]);
}

function compareCosts(compiler: string, mode: Mode): void {
  const pairs = compareRounds(compiler, mode);
  if (pairs === undefined) {
    judge(
      false,
      `TypeScript ${versionOf(compiler)}, ${mode.name}: both programs compile with the types of Node`,
    );
    return;
  }
  for (const measure of measured) compareMeasure(compiler, mode, measure, pairs);
}

async function checkMatrix(): Promise<void> {
  writePrograms(folder);
  installOurs();
  // Run while the types of Node are not even installed, since nothing of ours may need or refer to them.
  for (const compiler of Object.keys(compilers)) {
    await judgeAll(compiler, compileEntries(folder, compiler, false));
  }
  installOthers();
  for (const compiler of Object.keys(compilers)) {
    await judgeAll(compiler, compileEntries(folder, compiler, true));
    await judgeAll(compiler, compilePeers(folder, compiler));
  }
}

function compareAll(): void {
  writeCounterparts();
  const versions = `stripe ${versionOf('stripe')}, @types/node ${versionOf('@types/node')}`;
  console.log(`\nagainst ${versions}, skipLibCheck: false, ${rounds} rounds`);
  if (!hasGnuTime) console.log('There is no GNU time here: CPU time and peak memory are not compared.');
  printRow(['TypeScript', 'mode', 'measure', 'ours', 'stripe', 'ratio']);
  for (const compiler of Object.keys(compilers)) {
    // CommonJS has the same declarations under another name, and would only make this take longer.
    for (const mode of [esm, bundler]) compareCosts(compiler, mode);
  }
}

try {
  await checkMatrix();
  compareAll();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`types: ${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
