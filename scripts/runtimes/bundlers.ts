/** What bundlers make of the package: programs for Node, for Workers and for pages, each bundled and then run. */

import { hasChromium } from '../../test/support/chromium.ts';
import { skipWithout } from '../../test/support/skip.ts';
import { hasWorkerd } from '../../test/support/workerd.ts';
import { visitSite } from './chromium.ts';
import { bundle, type Target } from './esbuild.ts';
import type { Case, Kind } from './kind.ts';
import { nodeTraits } from './node.ts';
import type { Project } from './project.ts';
import { wantedOfPage, wantedOfProcess, wantedOfWorker } from './wanted.ts';
import { tellWorker, workerTraits } from './workerd.ts';

interface Bundler {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** What it makes of a program for Node: an ES module or CommonJS, as it does by itself. */
  readonly extensionForNode: 'mjs' | 'cjs';
  /** Bundles the program for a target into a file. */
  bundle(project: Project, target: Target, outfile: string): Promise<unknown>;
}

/** A bundler that is told by a file of `configurations`, which asks the environment what to bundle. */
function configured(
  name: string,
  args: readonly string[],
  { packages, extensionForNode }: Pick<Bundler, 'packages' | 'extensionForNode'>,
): Bundler {
  return {
    ...{ name, packages, extensionForNode },
    bundle: (project, target, OUTFILE) =>
      project.run(project.bin(name), args, { TARGET: target, OUTFILE, NODE_ENV: 'production' }),
  };
}

const bundledByFile: readonly Bundler[] = [
  configured('vite', ['build'], { packages: { vite: '8' }, extensionForNode: 'mjs' }),
  configured('webpack', [], { packages: { webpack: '5', 'webpack-cli': '7' }, extensionForNode: 'cjs' }),
  configured('rollup', ['--config'], {
    packages: { rollup: '4', '@rollup/plugin-commonjs': '29', '@rollup/plugin-node-resolve': '16' },
    extensionForNode: 'mjs',
  }),
];

const esbuild: Bundler = { name: 'esbuild', packages: {}, extensionForNode: 'cjs', bundle };

interface Run {
  readonly target: Target;
  readonly title: string;
  readonly wanted: unknown;
  /** Whether what it is for does not run on this machine. */
  readonly isSkipped: boolean;
  run(project: Project, outfile: string): Promise<unknown>;
}

const file = 'scripts/runtimes/bundlers.ts';

const runs: readonly Run[] = [
  {
    ...{ target: 'node', title: 'for Node', wanted: wantedOfProcess(nodeTraits), isSkipped: false },
    run: (project, outfile) => project.tellProcess(process.execPath, [outfile]),
  },
  {
    ...{ target: 'worker', title: 'for Workers', wanted: wantedOfWorker(workerTraits) },
    ...{ isSkipped: skipWithout(hasWorkerd(), 'workerd', file).isSkipped, run: tellWorker },
  },
  {
    ...{ target: 'page', title: 'for pages, with React', wanted: wantedOfPage },
    isSkipped: skipWithout(hasChromium(), 'chromium', file).isSkipped,
    run: (project, outfile) => visitSite(project, { '/page.mjs': outfile }),
  },
];

function caseOf(bundler: Bundler, project: Project, { target, title, wanted, run }: Run): Case {
  const extension = target === 'node' ? bundler.extensionForNode : 'mjs';
  const outfile = project.path('out', `${bundler.name}-${target}.${extension}`);
  return {
    name: `${bundler.name}, ${title}`,
    wanted,
    run: async () => {
      await bundler.bundle(project, target, outfile);
      return run(project, outfile);
    },
  };
}

const react = { react: '19', 'react-dom': '19' };

function kindOf(bundler: Bundler): Kind {
  return {
    name: bundler.name,
    packages: { ...bundler.packages, ...react },
    isThere: () => true,
    cases: (project) =>
      runs.filter(({ isSkipped }) => !isSkipped).map((run) => caseOf(bundler, project, run)),
  };
}

export const bundlers: readonly Kind[] = [esbuild, ...bundledByFile].map(kindOf);
