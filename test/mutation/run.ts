/**
 * Mutates the code in one place at a time, and checks that a test fails. `npm run test:mutation` runs all layers that
 * money depends on, `npm run test:mutation -- http fraud` some of them, `-- src/http/retry.ts` single files, and
 * `--short` the few files that decide about a duplicate charge. Fails below the required score, and prints the
 * surviving mutants.
 */

import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { type Layer, layers, shortForm } from './layers.ts';

/** The required share of killed mutants, in percent. */
const enough = 85;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
});

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

async function mutate(layer: Layer): Promise<readonly MutantResult[]> {
  process.env['MUTATION_LAYER'] = JSON.stringify(layer);
  const stryker = new Stryker({
    mutate: [...layer.mutate],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    // Static mutants would need all tests in a new process each.
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS: 5_000,
    reporters: ['progress-append-only'],
    tempDirName: '.tmp/stryker',
    ignorePatterns: ['dist', 'docs', 'examples', 'test/bench', '.tmp', 'coverage'],
  });
  return await stryker.runMutationTest();
}

function count(mutants: readonly MutantResult[], ...statuses: MutantResult['status'][]): number {
  return mutants.filter(({ status }) => statuses.includes(status)).length;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints the result of a layer, and returns whether its score is sufficient. */
function report(name: string, mutants: readonly MutantResult[]): boolean {
  const noticed = count(mutants, 'Killed', 'Timeout');
  const unnoticed = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  for (const { fileName, location, mutatorName, replacement = '', status } of unnoticed) {
    const place = `${fileName.replace(/^.*?src\//, 'src/')}:${location.start.line}:${location.start.column}`;
    print(`${status} ${place} ${mutatorName} ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}`);
  }
  const score = (100 * noticed) / (noticed + unnoticed.length);
  const ignored = count(mutants, 'Ignored');
  print(
    `${name}: ${noticed} of ${noticed + unnoticed.length} changes noticed, ${score.toFixed(1)} %; ${ignored} static ones not tried`,
  );
  return score >= enough;
}

/** Returns the selected layers, reduced to the selected files. */
function choose(): [name: string, layer: Layer][] {
  const all: Readonly<Record<string, Layer>> = values.short ? shortForm : layers;
  return Object.entries(all).flatMap(([name, layer]) => {
    if (positionals.length === 0 || positionals.some((given) => `${name}/`.startsWith(`${given}/`)))
      return [[name, layer]];
    const files = positionals.filter((path) => layer.mutate.some((glob) => matchesGlob(path, glob)));
    return files.length === 0 ? [] : [[name, { ...layer, mutate: files }]];
  });
}

const chosen = choose();
let isEnough = chosen.length > 0;
for (const [name, layer] of chosen) isEnough = report(name, await mutate(layer)) && isEnough;
process.exitCode = isEnough ? 0 : 1;
