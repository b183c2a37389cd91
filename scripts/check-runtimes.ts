/**
 * Runs the packed package on every runtime that it supports, and in what bundlers make of it: the same small program
 * each, beside a sandbox from the same package, held against what it must see. Needs the build.
 *
 * `npm run check:runtimes` runs all; `npm run check:runtimes -- bun deno` some. The end of a name may be left out, so that
 * `node` stands for each Node.
 */

import assert from 'node:assert/strict';
import { skipWithout } from '../test/support/skip.ts';
import { bun } from './runtimes/bun.ts';
import { bundlers } from './runtimes/bundlers.ts';
import { chromium } from './runtimes/chromium.ts';
import { deno } from './runtimes/deno.ts';
import type { Case, Kind } from './runtimes/kind.ts';
import { nexts } from './runtimes/next.ts';
import { nodes } from './runtimes/node.ts';
import { Project } from './runtimes/project.ts';
import { workerd } from './runtimes/workerd.ts';

const all: readonly Kind[] = [...nodes, bun, deno, workerd, ...nexts, chromium, ...bundlers];

function choose(names: readonly string[]): readonly Kind[] {
  if (names.length === 0) return all;
  const chosen = all.filter(({ name }) => names.some((start) => name.startsWith(start)));
  const unknown = names.filter((start) => !all.some(({ name }) => name.startsWith(start)));
  if (unknown.length === 0) return chosen;
  throw new RangeError(
    `Expected names of ${all.map(({ name }) => name).join(', ')}; got ${unknown.join(', ')}.`,
  );
}

let passed = 0;
let failed = 0;
const seconds: string[] = [];

async function check({ name, wanted, run }: Case): Promise<void> {
  try {
    assert.deepStrictEqual(await run(), wanted);
    passed += 1;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}`);
    console.log(error instanceof Error ? error.message : error);
  }
}

async function checkKind(kind: Kind, project: Project): Promise<void> {
  const { isSkipped } = skipWithout(kind.isThere(project), kind.name, 'scripts/check-runtimes.ts');
  if (isSkipped) return;
  const start = performance.now();
  for (const one of kind.cases(project)) await check(one);
  seconds.push(`${kind.name} ${((performance.now() - start) / 1000).toFixed(0)}`);
}

async function checkInTurn(kinds: Iterable<Kind>, project: Project): Promise<void> {
  for (const kind of kinds) await checkKind(kind, project);
}

/** Checks two kinds at a time, since CI has two cores: the apps first, which take longest and install what they need by themselves. */
async function checkAll(kinds: readonly Kind[], project: Project): Promise<void> {
  const apps = kinds.filter((kind) => nexts.includes(kind));
  const left = kinds.filter((kind) => !apps.includes(kind)).values();
  const installed = project.install(Object.assign({}, ...kinds.map(({ packages }) => packages)));
  const checkLeft = async () => {
    await installed;
    await checkInTurn(left, project);
  };
  const lanes = [checkInTurn(apps, project).then(checkLeft), checkLeft()];
  // Both end before a failure is thrown, since the project is removed then.
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}

const kinds = choose(process.argv.slice(2));
const project = new Project();
try {
  project.writePrograms();
  await checkAll(kinds, project);
} finally {
  project.remove();
}
console.log(`seconds: ${seconds.join(', ')}`);
console.log(`runtimes: ${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
