/**
 * Runs the packed package on every supported runtime, bundled, and in frameworks, each with a sandbox. Compares the
 * results with the expected ones and with test/frameworks/results.json. Needs the build.
 *
 * `npm run check:runtimes` runs the cases of CI; `-- --all` adds the frameworks; `-- bun express` selects some. A name
 * may be a prefix, so `node` selects each Node. `--write` updates that file and the versions in docs/deploying.md.
 */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { skipWithout } from '../test/support/skip.ts';
import { deployingPagePath, writeDeployingPage } from './reference/tested-versions.ts';
import { NotInstalledError } from './runtimes/app.ts';
import { all, isStandalone } from './runtimes/matrix.ts';
import type { Case, Platform } from './runtimes/platform.ts';
import { Project } from './runtimes/project.ts';
import { findWrongRow, mergeResults, type Result, readResults, resultsPath } from './runtimes/results.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});

function choose(names: readonly string[]): readonly Platform[] {
  if (names.length === 0) return all.filter(({ isLong }) => values.all || !isLong);
  const unknown = names.filter((prefix) => !all.some(({ name }) => name.startsWith(prefix)));
  if (unknown.length === 0) return all.filter(({ name }) => names.some((prefix) => name.startsWith(prefix)));
  throw new RangeError(
    `Expected names of ${all.map(({ name }) => name).join(', ')}; got ${unknown.join(', ')}.`,
  );
}

const rows = readResults();
const results: Result[] = [];
const seconds: string[] = [];
let failed = 0;
let skipped = 0;

/** CI must not skip a case. */
const maySkip = (process.env['CI'] ?? '') === '';

async function runCase({ name, expected, run }: Case, platform: Platform, project: Project): Promise<void> {
  const { observed, files, transport } = await run();
  assert.deepStrictEqual({ observed, files, transport }, expected);
  const result = { name, version: await platform.version(project), files, transport };
  const wrong = values.write ? undefined : findWrongRow(result, rows);
  if (wrong !== undefined) throw new Error(wrong);
  results.push(result);
  console.log(`ok   ${name} (${result.version})`);
}

async function checkCase(testCase: Case, platform: Platform, project: Project): Promise<void> {
  try {
    await runCase(testCase, platform, project);
  } catch (error) {
    const isSkipped = error instanceof NotInstalledError && maySkip;
    if (isSkipped) skipped += 1;
    else failed += 1;
    console.log(`${isSkipped ? 'skip' : 'FAIL'} ${testCase.name}`);
    console.log(error instanceof Error ? error.message : error);
  }
}

async function checkPlatform(platform: Platform, project: Project): Promise<void> {
  const { isSkipped } = skipWithout(
    platform.isAvailable(project),
    platform.name,
    'scripts/check-runtimes.ts',
  );
  if (isSkipped) return;
  const start = performance.now();
  for (const testCase of platform.cases(project)) await checkCase(testCase, platform, project);
  seconds.push(`${platform.name} ${((performance.now() - start) / 1000).toFixed(0)}`);
}

/** Checks two platforms at a time, since CI has two cores. Those that need no shared project run first, while it installs. */
async function checkAll(platforms: readonly Platform[], project: Project): Promise<void> {
  const standalone = platforms.filter(isStandalone);
  const queue = [...standalone, ...platforms.filter((platform) => !standalone.includes(platform))].values();
  const installed = project.install(Object.assign({}, ...platforms.map(({ packages }) => packages)));
  const checkQueued = async () => {
    for (const platform of queue) {
      if (!isStandalone(platform)) await installed;
      await checkPlatform(platform, project);
    }
  };
  const work = [checkQueued(), checkQueued(), installed];
  // All must end before a failure is thrown, since that removes the project.
  await Promise.allSettled(work);
  await Promise.all(work);
}

const platforms = choose(positionals);
const project = new Project();
try {
  project.writeAll();
  await checkAll(platforms, project);
  if (values.write) {
    const merged = mergeResults(results, platforms, project);
    writeFileSync(resultsPath, `${JSON.stringify(merged, null, 2)}\n`);
    writeFileSync(resolve(import.meta.dirname, '..', deployingPagePath), writeDeployingPage());
  }
} finally {
  project.remove();
}
console.log(`seconds: ${seconds.join(', ')}`);
console.log(
  `runtimes: ${results.length} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
if (failed > 0) process.exitCode = 1;
