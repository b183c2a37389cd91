/**
 * Compiles a merchant's program and the same program against stripe-node, and compares the compiler's cost. Fails
 * unless ours costs less. tsc has `--extendedDiagnostics`, but no tool compares two runs of it.
 *
 * Only ratios count, since machines differ. The two programs alternate, so that other load on the machine affects both.
 *
 *     npx node scripts/bench-types.ts
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, ratios } from '../test/bench/statistics.ts';
import { count, printCounts } from './checks.ts';
import {
  type Compiler,
  compilers,
  installConsumer,
  resolutions,
  versionOf,
} from './types-matrix/consumer.ts';
import { type Cost, compile, hasGnuTime, type Measure, measures } from './types-matrix/measure.ts';

const folder = mkdtempSync(join(tmpdir(), 'payments-client-types-'));

const rounds = 3;

/** The project of each program, in `test/consumers`. Both get the types of Node, since stripe-node refers to them. */
const projects = { ours: 'bench-merchant.json', stripe: 'bench-stripe.json' };

type Program = keyof typeof projects;

// CommonJS has the same declarations under another name, and would only take longer.
const modes = ['nodenext', 'bundler'] as const;

type Mode = (typeof modes)[number];

type Pair = Readonly<Record<Program, Cost>>;

/** Returns the costs of each round; `undefined` if a program does not compile. */
function compareRounds(compiler: Compiler, mode: Mode, skipLibCheck = false): Pair[] | undefined {
  const options = [...resolutions[mode], '--skipLibCheck', String(skipLibCheck)];
  const compileProgram = (program: Program) => compile(folder, compiler, projects[program], options);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [ours, stripe] = [compileProgram('ours'), compileProgram('stripe')];
    if (ours.cost === undefined || stripe.cost === undefined) {
      for (const { cost, output } of [ours, stripe]) if (cost === undefined) console.log(output);
      if (ours.cost === undefined || skipLibCheck) return undefined;
      console.log('The declarations of stripe-node do not compile, so both are compared with skipLibCheck.');
      return compareRounds(compiler, mode, true);
    }
    pairs.push({ ours: ours.cost, stripe: stripe.cost });
  }
  return pairs;
}

/** Measures that this machine does not support are left out, with one message. */
const measured = measures.filter((measure) => hasGnuTime || (measure !== 'peak MB' && measure !== 'CPU s'));

const widths = [12, 14, 14, 10, 10, 6];

function printRow(cells: readonly string[]): void {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column < 3 ? cell.padEnd(width) : cell.padStart(width);
  });
  console.log(padded.join('  ').trimEnd());
}

function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

/**
 * Prints one line of the table: the medians, and the median of the rounds' ratios, which cancels out slow phases of the
 * machine.
 *
 * @returns Whether ours costs less.
 */
function compareMeasure(compiler: Compiler, mode: Mode, measure: Measure, pairs: readonly Pair[]): boolean {
  const costs = (program: Program) => pairs.map((pair) => pair[program][measure] ?? Number.NaN);
  const ratio = median(ratios(costs('ours'), costs('stripe')));
  // NaN fails too.
  const isLess = ratio < 1;
  const numbers = [median(costs('ours')), median(costs('stripe'))].map(formatNumber);
  printRow([versionOf(folder, compiler), mode, measure, ...numbers, ratio.toFixed(2), isLess ? '' : 'FAIL']);
  return isLess;
}

function compareCosts(compiler: Compiler, mode: Mode): void {
  const pairs = compareRounds(compiler, mode);
  if (pairs === undefined) {
    count(false);
    console.log(`FAIL TypeScript ${versionOf(folder, compiler)}, ${mode}: a program does not compile`);
    return;
  }
  for (const measure of measured) count(compareMeasure(compiler, mode, measure, pairs));
}

try {
  await installConsumer(folder);
  const versions = `stripe ${versionOf(folder, 'stripe')}, @types/node ${versionOf(folder, '@types/node')}`;
  console.log(`against ${versions}, skipLibCheck: false, ${rounds} rounds`);
  if (!hasGnuTime) console.log('GNU time is not installed, so CPU time and peak memory are not compared.');
  printRow(['TypeScript', 'mode', 'measure', 'ours', 'stripe', 'ratio']);
  for (const compiler of compilers) for (const mode of modes) compareCosts(compiler, mode);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printCounts('types');
