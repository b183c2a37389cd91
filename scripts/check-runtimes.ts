/**
 * Runs the packed package on every supported runtime, bundled, and in frameworks, each with a sandbox. Compares the
 * results with the expected ones and with docs/runtimes.md. Needs the build.
 *
 * `npm run check:runtimes` runs the cases of CI; `-- --all` adds the frameworks; `-- bun express` selects some. A name
 * may be a prefix, so `node` selects each Node. `--write` updates the tables of docs/runtimes.md.
 */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { skipWithout } from '../test/support/skip.ts';
import { runtimesPagePath, writeRuntimesPage } from './reference/runtimes-page.ts';
import { NotInstalledError } from './runtimes/app.ts';
import type { Case, Kind } from './runtimes/kind.ts';
import { all, standsAlone } from './runtimes/matrix.ts';
import { Project } from './runtimes/project.ts';
import { findWrongRow, mergeResults, type Result, readResults, resultsPath } from './runtimes/results.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});

function choose(names: readonly string[]): readonly Kind[] {
  if (names.length === 0) return all.filter(({ isLong }) => values.all || !isLong);
  const unknown = names.filter((start) => !all.some(({ name }) => name.startsWith(start)));
  if (unknown.length === 0) return all.filter(({ name }) => names.some((start) => name.startsWith(start)));
  throw new RangeError(
    `Expected names of ${all.map(({ name }) => name).join(', ')}; got ${unknown.join(', ')}.`,
  );
}

const rows = readResults();
const results: Result[] = [];
const seconds: string[] = [];
let failed = 0;
let skipped = 0;

/** A machine that gates changes must not skip. */
const maySkip = (process.env['CI'] ?? '') === '';

async function run({ name, wanted, run }: Case, kind: Kind, project: Project): Promise<void> {
  const { seen, files, transport } = await run();
  assert.deepStrictEqual({ seen, files, transport }, wanted);
  const result = { name, version: await kind.version(project), files, transport };
  const wrong = values.write ? undefined : findWrongRow(result, rows);
  if (wrong !== undefined) throw new Error(wrong);
  results.push(result);
  console.log(`ok   ${name} (${result.version})`);
}

async function check(one: Case, kind: Kind, project: Project): Promise<void> {
  try {
    await run(one, kind, project);
  } catch (error) {
    const isSkipped = error instanceof NotInstalledError && maySkip;
    if (isSkipped) skipped += 1;
    else failed += 1;
    console.log(`${isSkipped ? 'skip' : 'FAIL'} ${one.name}`);
    console.log(error instanceof Error ? error.message : error);
  }
}

async function checkKind(kind: Kind, project: Project): Promise<void> {
  const { isSkipped } = skipWithout(kind.isThere(project), kind.name, 'scripts/check-runtimes.ts');
  if (isSkipped) return;
  const start = performance.now();
  for (const one of kind.cases(project)) await check(one, kind, project);
  seconds.push(`${kind.name} ${((performance.now() - start) / 1000).toFixed(0)}`);
}

/** Checks two kinds at a time, since CI has two cores. Kinds that need no shared project run first, while it installs. */
async function checkAll(kinds: readonly Kind[], project: Project): Promise<void> {
  const alone = kinds.filter(standsAlone);
  const left = [...alone, ...kinds.filter((kind) => !alone.includes(kind))].values();
  const installed = project.install(Object.assign({}, ...kinds.map(({ packages }) => packages)));
  const checkLeft = async () => {
    for (const kind of left) {
      if (!standsAlone(kind)) await installed;
      await checkKind(kind, project);
    }
  };
  const lanes = [checkLeft(), checkLeft(), installed];
  // All must end before a failure is thrown, since that removes the project.
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}

const kinds = choose(positionals);
const project = new Project();
try {
  project.writeAll();
  await checkAll(kinds, project);
  if (values.write) {
    const merged = mergeResults(results, kinds, project);
    writeFileSync(resultsPath, `${JSON.stringify(merged, null, 2)}\n`);
    writeFileSync(runtimesPagePath, writeRuntimesPage());
  }
} finally {
  project.remove();
}
console.log(`seconds: ${seconds.join(', ')}`);
console.log(
  `runtimes: ${results.length} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
if (failed > 0) process.exitCode = 1;
