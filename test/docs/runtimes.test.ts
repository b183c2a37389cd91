/** Holds docs/runtimes.md to what the matrices run and compile, and to what the package says of itself. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nextVersions } from '../../scripts/runtimes/next.ts';
import { nodeVersions } from '../../scripts/runtimes/node.ts';
import { compilers } from '../../scripts/types-matrix/consumer.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/runtimes.md');
const manifest = JSON.parse(read('package.json'));

/** The cells of the row of a table that begins with a cell. */
function cellsOf(first: string): readonly string[] {
  const row = page.split('\n').find((line) => line.startsWith(`| ${first} `)) ?? '';
  return row.split('|').map((cell) => cell.trim());
}

it('names each Node, and the oldest is the one that the package asks for', () => {
  expect(cellsOf('Node')).toContain(nodeVersions.join(', '));
  expect(manifest.engines.node).toMatch(new RegExp(`^>=${nodeVersions[0]}\\b`));
});

it('names each Next.js, and the build that each of its runtimes takes', () => {
  const { 'edge-light': edge, node } = manifest.exports['.'].import;
  for (const [runtime, path] of [
    ['Next.js, Edge runtime', edge],
    ['Next.js, Node.js runtime', node],
  ]) {
    const build = `\`${path.replace('./dist/', '')}\``;
    expect(cellsOf(runtime)).toEqual(expect.arrayContaining([nextVersions.join(', '), build]));
  }
});

it('names each TypeScript', () => {
  const { dependencies } = JSON.parse(read('test/consumers/package.json'));
  const versions = compilers.map((name) => dependencies[name].replace('npm:typescript@', ''));
  expect(cellsOf('TypeScript')).toContain(versions.join(', '));
});

it('names the conditions in their order', () => {
  const { types: _, default: __, ...conditions } = manifest.exports['.'].import;
  const names = Object.keys(conditions).map((name) => `\`${name}\``);
  expect(page).toContain(`(${names.join(', ')}, in this order)`);
});

it('names the build of each runtime', () => {
  const { import: imported, require: required } = manifest.exports['.'];
  for (const [runtime, condition] of [
    ['Node', 'node'],
    ['Bun', 'bun'],
  ] as const) {
    const [esm, cjs] = [imported[condition], required[condition]].map((path) => path.replace('./dist/', ''));
    expect(cellsOf(runtime)).toContain(`\`${esm}\`; for \`require\` \`${cjs}\``);
  }
});
