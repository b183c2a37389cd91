/** Node, in every supported version. */

import { expectedOfBoth, expectedOfProcess, expectedRun, type Traits } from './expected.ts';
import type { Case, Platform } from './platform.ts';
import type { Project } from './project.ts';

export const nodeTraits: Traits = { usesFetch: false, refused: 'not_executed' };

function casesOf(version: number, project: Project): readonly Case[] {
  const node = project.path('node_modules', `node${version}`, 'bin', 'node');
  const runProgram = (program: string) => () => project.runProcess(node, [program]);
  const expected = (file: string) => expectedRun(nodeTraits, expectedOfProcess(nodeTraits), file);
  return [
    { name: `Node ${version}, import`, expected: expected('index.node.js'), run: runProgram('process.mjs') },
    {
      name: `Node ${version}, require`,
      expected: expected('index.node.cjs'),
      run: runProgram('process.cjs'),
    },
    {
      name: `Node ${version}, import and require`,
      expected: expectedOfBoth('index.node.cjs', 'index.node.js'),
      run: () => project.runOffline(node, ['both-builds.mjs']),
    },
  ];
}

function platformOf(version: number): Platform {
  return {
    name: `node${version}`,
    packages: { [`node${version}`]: `npm:node@${version}` },
    isAvailable: (project) => project.runs(project.path('node_modules', `node${version}`, 'bin', 'node')),
    version: (project) => project.versionOf(`node${version}`),
    cases: (project) => casesOf(version, project),
  };
}

/** Its major versions, oldest first. */
export const nodeVersions: readonly number[] = [22, 24, 26];

export const nodes: readonly Platform[] = nodeVersions.map(platformOf);
