/** Bun. */

import { bundle } from './esbuild.ts';
import type { Case, Kind } from './kind.ts';
import { filesIn } from './marked-package.ts';
import { nodeTraits } from './node.ts';
import type { Project } from './project.ts';
import { type Traits, wantedOfBoth, wantedOfProcess, wantedRun } from './wanted.ts';

// A refused connection has a code but no system call there, so it proves nothing.
const traits: Traits = { isCarriedByFetch: true, refused: 'unknown' };

function casesOf(project: Project): readonly Case[] {
  const tell = (program: string) => project.tellProcess(project.bin('bun'), [program]);
  const bundled = project.path('out', 'bun.cjs');
  const wanted = (file: string) => wantedRun(traits, wantedOfProcess(traits), file);
  return [
    { name: 'Bun, import', wanted: wanted('index.js'), run: () => tell('process.mjs') },
    { name: 'Bun, require', wanted: wanted('index.cjs'), run: () => tell('process.cjs') },
    {
      name: 'Bun, import and require',
      wanted: wantedOfBoth('index.cjs', 'index.js'),
      run: () => project.ask(project.bin('bun'), ['both.mjs']),
    },
    {
      name: 'Bun, its test runner',
      wanted: { seen: 'passed', files: ['index.js'], transport: 'none' },
      run: async () => {
        const { stdout, stderr } = await project.run(project.bin('bun'), ['test', './rejects.test.mjs']);
        return { seen: 'passed', files: filesIn(`${stdout}${stderr}`), transport: 'none' };
      },
    },
    {
      name: 'Bun, a bundle for Node',
      // The bundler chose the entry for Node, and Bun has `node:http` too.
      wanted: wantedRun(nodeTraits, wantedOfProcess(nodeTraits), 'index.node.js'),
      run: async () => {
        await bundle(project, 'node', bundled);
        return tell(bundled);
      },
    },
  ];
}

export const bun: Kind = {
  name: 'bun',
  packages: { bun: '1' },
  isThere: (project) => project.runs(project.bin('bun')),
  version: (project) => project.versionOf('bun'),
  cases: casesOf,
};
