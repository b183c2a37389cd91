/**
 * The way of each kind of call through the package: how many files and functions it runs through, and that it enters no file from another while it is
 * in it already. These are bounds: lower them with each change that shortens a way.
 */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import type { Way } from './ways.ts';

let ways: Readonly<Record<string, Way>>;

beforeAll(async () => {
  const loaded = ['../support/source-hook.ts', './instrument.ts'].flatMap((path) => [
    '--import',
    new URL(path, import.meta.url).href,
  ]);
  const program = fileURLToPath(new URL('ways.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...loaded, program]);
  ways = JSON.parse(stdout);
});

/** Still entered again: by events of a connection that the pool began, and within the room of stores. */
const stillAgain = [
  /^src\/http\/transport\/node\.node\.ts → src\/http\/transport\/pool\.node\.ts → /,
  /^src\/stores\/(?:local-store|memory)\.ts → src\/stores\//,
];

it.each([
  ['a call', 18, 110],
  ['a list', 18, 115],
  ['a request', 19, 110],
  ['a sale', 32, 130],
  ['a call with hooks', 19, 135],
  ['a journaled call', 34, 205],
  ['a journaled sale', 50, 230],
  ['a resumed call', 34, 205],
  ['a verified webhook', 16, 65],
  ['a received webhook', 38, 155],
])('%s runs through at most %i files and %i functions', (name, files, functions) => {
  const way = ways[name];
  expect(way?.files.length).toBeGreaterThan(5);
  expect(way?.files.length).toBeLessThanOrEqual(files);
  expect(way?.functions).toBeLessThanOrEqual(functions);
  expect(way?.again.filter((chain) => !stillAgain.some((known) => known.test(chain)))).toEqual([]);
});

it.each(['a call', 'a list', 'a request'])('%s enters no file again', (name) => {
  const ofConnections = stillAgain.slice(0, 1);
  expect(ways[name]?.again.filter((chain) => !ofConnections.some((known) => known.test(chain)))).toEqual([]);
});
