/** Node, in every supported version. */

import type { Case, Kind } from './kind.ts';
import type { Project } from './project.ts';
import { type Traits, wantedOfBoth, wantedOfProcess, wantedRun } from './wanted.ts';

export const nodeTraits: Traits = { isCarriedByFetch: false, refused: 'not_executed' };

function casesOf(version: number, project: Project): readonly Case[] {
  const node = project.path('node_modules', `node${version}`, 'bin', 'node');
  const tell = (program: string) => () => project.tellProcess(node, [program]);
  const wanted = (file: string) => wantedRun(nodeTraits, wantedOfProcess(nodeTraits), file);
  return [
    { name: `Node ${version}, import`, wanted: wanted('index.node.js'), run: tell('process.mjs') },
    { name: `Node ${version}, require`, wanted: wanted('index.node.cjs'), run: tell('process.cjs') },
    {
      name: `Node ${version}, import and require`,
      wanted: wantedOfBoth('index.node.cjs', 'index.node.js'),
      run: () => project.ask(node, ['both.mjs']),
    },
  ];
}

function kindOf(version: number): Kind {
  return {
    name: `node${version}`,
    packages: { [`node${version}`]: `npm:node@${version}` },
    isThere: (project) => project.runs(project.path('node_modules', `node${version}`, 'bin', 'node')),
    version: (project) => project.versionOf(`node${version}`),
    cases: (project) => casesOf(version, project),
  };
}

/** Its major versions, oldest first. */
export const nodeVersions: readonly number[] = [22, 24, 26];

export const nodes: readonly Kind[] = nodeVersions.map(kindOf);
