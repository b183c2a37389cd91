/**
 * The way of each kind of call through the package: how many files and functions it runs through, and that it enters no file from another while it is
 * in it already. These are bounds: lower them with each change that shortens a way.
 */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
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

/** A connection is made within the pool, so its events count as calls of the pool. */
const byEvents =
  'src/http/transport/node.node.ts → src/http/transport/pool.node.ts → src/http/transport/node.node.ts';

/**
 * Which layer calls which, in any kind of call. `http` calls what it has interfaces for: the journal that a client was given (`call-journal.ts`), and
 * what encodes and reads a call of `transact`. Every layer calls `base`, and `base` calls none.
 */
const mayCall = [
  'client → http',
  'resources → http',
  'transact → http',
  'transact → fraud',
  'transact → money',
  'http → transact',
  'http → journal',
  'journal → http',
  'journal → stores',
  'webhooks → stores',
  'sandbox/ → sandbox/stories',
  'sandbox/stories → sandbox/api',
  'sandbox/stories → sandbox/domain',
  'sandbox/stories → sandbox/store',
  'sandbox/domain → money',
];

const bounds: readonly (readonly [kind: string, files: number, functions: number])[] = [
  ['a call', 24, 131],
  ['a list', 20, 133],
  ['a request', 22, 126],
  ['a sale', 38, 149],
  ['a call with hooks', 26, 168],
  ['a journaled call', 44, 264],
  ['a journaled sale', 61, 290],
  ['a resumed call', 43, 264],
  ['a verified webhook', 15, 55],
  ['a received webhook', 40, 166],
  ['a story', 25, 174],
];

it('has a bound for each kind of call', () => {
  expect(Object.keys(ways)).toEqual(bounds.map(([kind]) => kind));
});

describe.each(bounds)('%s', (kind, files, functions) => {
  it(`runs through at most ${files} files and ${functions} functions`, () => {
    expect(ways[kind]?.files.length).toBeGreaterThan(10);
    expect(ways[kind]?.files.length).toBeLessThanOrEqual(files);
    expect(ways[kind]?.functions).toBeLessThanOrEqual(functions);
  });

  it('enters no file again', () => {
    expect(ways[kind]?.again.filter((chain) => chain !== byEvents)).toEqual([]);
  });

  it('takes only the arrows between layers that are listed', () => {
    expect(ways[kind]?.arrows.filter((arrow) => !mayCall.includes(arrow))).toEqual([]);
  });
});
