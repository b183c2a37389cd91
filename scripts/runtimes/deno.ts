/** Deno, with the minimal permissions. */

import { bundle } from './esbuild.ts';
import type { Case, Kind } from './kind.ts';
import type { Project } from './project.ts';
import { type Traits, wantedOfBoth, wantedOfProcess, wantedRun } from './wanted.ts';

/** Its `fetch` has no code that distinguishes a refused connection from a broken one. */
const traits: Traits = { isCarriedByFetch: true, refused: 'unknown' };

const withNetwork = ['run', '--no-prompt', '--allow-net=127.0.0.1'];
/** `require` resolves its files at run time. */
const withFiles = [...withNetwork, '--allow-read=.'];

function casesOf(project: Project): readonly Case[] {
  const env = { DENO_DIR: project.path('.deno') };
  const tell = (args: readonly string[]) => project.tellProcess(project.bin('deno'), args, env);
  const bundled = project.path('out', 'deno.cjs');
  const wanted = (file: string) => wantedRun(traits, wantedOfProcess(traits), file);
  return [
    {
      name: 'Deno, import',
      wanted: wanted('index.js'),
      run: () => tell([...withNetwork, 'process.mjs']),
    },
    {
      name: 'Deno, require',
      wanted: wanted('index.node.cjs'),
      run: () => tell([...withFiles, 'process.cjs']),
    },
    {
      name: 'Deno, import and require',
      // Its `require` ignores the condition `deno`. The entry for Node still uses `fetch` there.
      wanted: wantedOfBoth('index.js', 'index.node.cjs'),
      run: () => project.ask(project.bin('deno'), [...withFiles, 'both.mjs'], env),
    },
    {
      name: 'Deno, a bundle for Node',
      wanted: wanted('index.node.js'),
      run: async () => {
        await bundle(project, 'node', bundled);
        return tell([...withFiles, bundled]);
      },
    },
  ];
}

export const deno: Kind = {
  name: 'deno',
  packages: { deno: '2' },
  isThere: (project) => project.runs(project.bin('deno')),
  version: (project) => project.versionOf('deno'),
  cases: casesOf,
};
