/** Bun. */

import { bundle } from './esbuild.ts';
import {
  expectedOfBoth,
  expectedOfProcess,
  expectedOfReceiver,
  expectedRun,
  type Traits,
} from './expected.ts';
import { filesIn } from './marked-package.ts';
import { nodeTraits } from './node.ts';
import type { Case, Platform } from './platform.ts';
import type { Project } from './project.ts';

// A refused connection has a code but no system call there, so it proves nothing.
const traits: Traits = { usesFetch: true, refused: 'unknown' };

function casesOf(project: Project): readonly Case[] {
  const runProgram = (program: string) => project.runProcess(project.bin('bun'), [program]);
  const bundled = project.path('out', 'bun.cjs');
  const expected = (file: string) => expectedRun(traits, expectedOfProcess(traits), file);
  return [
    { name: 'Bun, import', expected: expected('index.js'), run: () => runProgram('process.mjs') },
    { name: 'Bun, require', expected: expected('index.cjs'), run: () => runProgram('process.cjs') },
    {
      name: 'Bun, import and require',
      expected: expectedOfBoth('index.cjs', 'index.js'),
      run: () => project.runOffline(project.bin('bun'), ['both-builds.mjs']),
    },
    {
      name: 'Bun, `Bun.serve({ fetch: receiver.fetch })`',
      expected: expectedOfReceiver,
      run: () => project.runOffline(project.bin('bun'), ['receiver.mjs']),
    },
    {
      name: 'Bun, its test runner',
      expected: { observed: 'passed', files: ['index.js'], transport: 'none' },
      run: async () => {
        const { stdout, stderr } = await project.run(project.bin('bun'), ['test', './rejects.test.mjs']);
        return { observed: 'passed', files: filesIn(`${stdout}${stderr}`), transport: 'none' };
      },
    },
    {
      name: 'Bun, a bundle for Node',
      // The bundler chose the entry for Node, and Bun has `node:http` too.
      expected: expectedRun(nodeTraits, expectedOfProcess(nodeTraits), 'index.node.js'),
      run: async () => {
        await bundle(project, 'node', bundled);
        return runProgram(bundled);
      },
    },
  ];
}

export const bun: Platform = {
  name: 'bun',
  packages: { bun: '1' },
  isAvailable: (project) => project.runs(project.bin('bun')),
  version: (project) => project.versionOf('bun'),
  cases: casesOf,
};
