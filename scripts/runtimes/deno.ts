/** Deno, with the minimal permissions. */

import { bundle } from './esbuild.ts';
import {
  expectedOfBoth,
  expectedOfProcess,
  expectedOfReceiver,
  expectedRun,
  type Traits,
} from './expected.ts';
import type { Case, Platform } from './platform.ts';
import type { Project } from './project.ts';

/** Its `fetch` has no code that distinguishes a refused connection from a broken one. */
const traits: Traits = { usesFetch: true, refused: 'unknown' };

const withNetwork = ['run', '--no-prompt', '--allow-net=127.0.0.1'];
/** `require` resolves its files at run time. */
const withFiles = [...withNetwork, '--allow-read=.'];

function casesOf(project: Project): readonly Case[] {
  const env = { DENO_DIR: project.path('.deno') };
  const runProgram = (args: readonly string[]) => project.runProcess(project.bin('deno'), args, env);
  const bundled = project.path('out', 'deno.cjs');
  const expected = (file: string) => expectedRun(traits, expectedOfProcess(traits), file);
  return [
    {
      name: 'Deno, import',
      expected: expected('index.js'),
      run: () => runProgram([...withNetwork, 'process.mjs']),
    },
    {
      name: 'Deno, require',
      expected: expected('index.node.cjs'),
      run: () => runProgram([...withFiles, 'process.cjs']),
    },
    {
      name: 'Deno, import and require',
      // Its `require` ignores the condition `deno`. The entry for Node still uses `fetch` there.
      expected: expectedOfBoth('index.js', 'index.node.cjs'),
      run: () => project.runOffline(project.bin('deno'), [...withFiles, 'both-builds.mjs'], env),
    },
    {
      name: 'Deno, `Deno.serve(receiver.fetch)`',
      expected: expectedOfReceiver,
      run: () => project.runOffline(project.bin('deno'), [...withNetwork, 'receiver.mjs'], env),
    },
    {
      name: 'Deno, a bundle for Node',
      expected: expected('index.node.js'),
      run: async () => {
        await bundle(project, 'node', bundled);
        return runProgram([...withFiles, bundled]);
      },
    },
  ];
}

export const deno: Platform = {
  name: 'deno',
  packages: { deno: '2' },
  isAvailable: (project) => project.runs(project.bin('deno')),
  version: (project) => project.versionOf('deno'),
  cases: casesOf,
};
