/** Bun. */

import { bundle } from './esbuild.ts';
import type { Case, Kind } from './kind.ts';
import type { Project } from './project.ts';
import { type Traits, wantedOfBoth, wantedOfProcess } from './wanted.ts';

// A refused connection has a code and no system call there, which is no proof.
const traits: Traits = { isCarriedByFetch: true, refused: 'unknown' };

function casesOf(project: Project): readonly Case[] {
  const tell = (program: string) => project.tellProcess(project.bin('bun'), [program]);
  const bundled = project.path('out', 'bun.cjs');
  const wanted = wantedOfProcess(traits);
  return [
    { name: 'Bun, import', wanted, run: () => tell('process.mjs') },
    { name: 'Bun, require', wanted, run: () => tell('process.cjs') },
    {
      name: 'Bun, import and require',
      wanted: wantedOfBoth('index.js', 'index.cjs'),
      run: async () => JSON.parse(await project.run(project.bin('bun'), ['both.mjs'])),
    },
    {
      name: 'Bun, its test runner',
      wanted: 'passed',
      run: async () => {
        await project.run(project.bin('bun'), ['test', './rejects.test.mjs']);
        return 'passed';
      },
    },
    {
      name: 'Bun, a bundle for Node',
      // The bundler chose the entry for Node, and Bun has `node:http` too.
      wanted: wantedOfProcess({ isCarriedByFetch: false, refused: 'not_executed' }),
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
  cases: casesOf,
};
