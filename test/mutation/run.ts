/**
 * Mutates the code in one place at a time, and checks that a test of `npm test` fails. `npm run test:mutation` runs all
 * layers that money depends on, `npm run test:mutation -- http fraud` some of them, `-- src/http/send.ts` single files,
 * and `--short` the few files that decide about a duplicate charge. Fails below the required score, and prints the
 * surviving mutants. `--draw 40 --seed 7` draws mutants from all rooms, and prints the test that finds each. `--changed` mutates
 * the lines of the layers that changed since the last measurement, and fails for each survivor that `survivors.json` does not list. Of a layer that
 * was rewritten, it draws some lines by the commit, and the score of the layer counts.
 */

import { execFileSync } from 'node:child_process';
import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { changedRanges } from './changes.ts';
import { type DrawnMutant, drawMutants, shuffled } from './draw.ts';
import { everywhere, type Layer, layers, shortForm, usualScore } from './layers.ts';
import { isListed, measuredAt } from './survivors.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    draw: { type: 'string', default: '0' },
    seed: { type: 'string', default: '0' },
  },
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
    // Some tests read the text of files that are not mutated.
    disableTypeChecks: false,
    concurrency: 2,
    timeoutMS: 5_000,
    reporters: ['progress-append-only'],
    tempDirName: '.tmp/stryker',
    ignorePatterns: ['dist', 'docs/pictures', 'site', '.tmp', 'coverage'],
  });
  return await stryker.runMutationTest();
}

function count(mutants: readonly MutantResult[], ...statuses: MutantResult['status'][]): number {
  return mutants.filter(({ status }) => statuses.includes(status)).length;
}

const noticedIn = (mutants: readonly MutantResult[]) => count(mutants, 'Killed', 'Timeout');

const inOneLine = (text: string, length: number) => text.replaceAll(/\s+/g, ' ').slice(0, length);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const pathOf = (file: string) => file.replaceAll('\\', '/').replace(/^.*?src\//, 'src/');

/** Prints the result of a layer, and returns whether its score is sufficient. */
function report(
  name: string,
  { score: enough = usualScore }: Layer,
  mutants: readonly MutantResult[],
): boolean {
  const noticed = noticedIn(mutants);
  const unnoticed = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  for (const { fileName, location, mutatorName, replacement = '', status } of unnoticed) {
    const place = `${pathOf(fileName)}:${location.start.line}:${location.start.column}`;
    print(`${status} ${place} ${mutatorName} ${inOneLine(replacement, 100)}`);
  }
  const all = noticed + unnoticed.length;
  const score = all === 0 ? 100 : (100 * noticed) / all;
  const ignored = count(mutants, 'Ignored');
  print(
    `${name}: ${noticed} of ${all} changes noticed, ${score.toFixed(1)} %; ${ignored} static ones not tried`,
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

async function mutateLayers(): Promise<boolean> {
  const chosen = choose();
  let isEnough = chosen.length > 0;
  for (const [name, layer] of chosen) isEnough = report(name, layer, await mutate(layer)) && isEnough;
  return isEnough;
}

/** A report counts lines and columns from 1. */
function rangeInReport({ fileName, location: { start, end } }: MutantResult): string {
  return `${pathOf(fileName)}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

/** More than are needed, since Stryker leaves out those in code that runs when a module is loaded. */
async function draw(count: number, seed: number): Promise<DrawnMutant[]> {
  const drawn: DrawnMutant[] = [];
  for await (const mutant of drawMutants(seed)) {
    if (drawn.push(mutant) >= count * 1.5) break;
  }
  return drawn;
}

/** Prints the test that finds each of the drawn mutants, and returns whether each is found. */
async function mutateDrawn(wanted: number, seed: number): Promise<boolean> {
  const drawn = await draw(wanted, seed);
  const results = await mutate({ ...everywhere, mutate: drawn.map(({ range }) => range) });
  const tried = drawn.flatMap(({ range, replacement }) => {
    const result = results.find((one) => rangeInReport(one) === range && one.replacement === replacement);
    return result === undefined || result.status === 'Ignored' ? [] : [{ range, replacement, result }];
  });
  const counted = tried.slice(0, wanted);
  for (const { range, replacement, result } of counted) {
    print(`| ${range} | \`${inOneLine(replacement, 60)}\` | ${result.killedBy?.[0] ?? result.status} |`);
  }
  const found = noticedIn(counted.map(({ result }) => result));
  print(`Seed ${seed}: tests of npm test found ${found} of ${counted.length} mutants.`);
  return found === wanted;
}

/** The most places of a layer that a change mutates: more would take longer than all other checks together. */
const mostPlaces = 40;

/** How far the share in so few places may lie below that of the layer, in percent. */
const errorOfSample = 5;

/** Draws places by the commit, so that each commit draws others. */
function drawnFrom(places: readonly string[]): readonly string[] {
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' });
  return shuffled(places, Number.parseInt(commit, 16)).slice(0, mostPlaces);
}

/** Mutates the changed lines of each layer, and returns whether each survivor is listed with a reason. */
async function mutateChanged(): Promise<boolean> {
  let isEnough = true;
  for (const [name, layer] of Object.entries<Layer>(layers)) {
    const since = measuredAt[name];
    if (since === undefined) throw new Error(`expected the commit of ${name} in survivors.json, got none.`);
    const places = changedRanges(since, (path) => layer.mutate.some((glob) => matchesGlob(path, glob)));
    if (places.length === 0) continue;
    const isRewritten = places.length > mostPlaces;
    const mutants = await mutate({ ...layer, mutate: isRewritten ? drawnFrom(places) : places });
    const left = mutants.filter((mutant) => !isListed(pathOf(mutant.fileName), mutant));
    const what = isRewritten ? `${mostPlaces} of ${places.length} places` : 'lines';
    // Each survivor counts, not their share, unless they are a sample.
    const score = isRewritten ? (layer.score ?? usualScore) - errorOfSample : 100;
    isEnough = report(`${name}, ${what} changed since ${since}`, { ...layer, score }, left) && isEnough;
  }
  return isEnough;
}

async function run(): Promise<boolean> {
  const wanted = Number(values.draw);
  if (values.changed) return await mutateChanged();
  return await (wanted > 0 ? mutateDrawn(wanted, Number(values.seed)) : mutateLayers());
}

process.exitCode = (await run()) ? 0 : 1;
