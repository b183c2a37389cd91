/** Bundled programs for Node, for Workers and for pages, each bundled and then run. */

import { version as esbuildVersion } from 'esbuild';
import { hasChromium } from '../../test/support/chromium.ts';
import { skipWithout } from '../../test/support/skip.ts';
import { hasWorkerd } from '../../test/support/workerd.ts';
import { expectedOfPageRun, visitSite } from './chromium.ts';
import { bundle, type Target } from './esbuild.ts';
import { expectedOfProcess, expectedRun } from './expected.ts';
import { nodeTraits } from './node.ts';
import type { Case, Platform, Run } from './platform.ts';
import type { Project } from './project.ts';
import { expectedOfWorkerRun, runWorker } from './workerd.ts';

interface Bundler {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** The format of a bundle for Node, by the bundler's default: an ES module or CommonJS. */
  readonly extensionForNode: 'mjs' | 'cjs';
  version(project: Project): string;
  /** Bundles the program for a target into a file. */
  bundle(project: Project, target: Target, outfile: string): Promise<unknown>;
}

/** A bundler configured by a file of `configurations`, which reads its input from the environment. */
function configured(
  name: string,
  args: readonly string[],
  { packages, extensionForNode }: Pick<Bundler, 'packages' | 'extensionForNode'>,
): Bundler {
  return {
    name,
    packages,
    extensionForNode,
    version: (project) => project.versionOf(name),
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

const esbuild: Bundler = {
  name: 'esbuild',
  packages: {},
  extensionForNode: 'cjs',
  bundle,
  version: () => esbuildVersion,
};

interface Use {
  readonly target: Target;
  readonly title: string;
  readonly expected: Run;
  isSkipped(): boolean;
  run(project: Project, outfile: string): Promise<Run>;
}

const file = 'scripts/runtimes/bundlers.ts';

const uses: readonly Use[] = [
  {
    target: 'node',
    title: 'for Node',
    isSkipped: () => false,
    expected: expectedRun(nodeTraits, expectedOfProcess(nodeTraits), 'index.node.js'),
    run: (project, outfile) => project.runProcess(process.execPath, [outfile]),
  },
  {
    target: 'worker',
    title: 'for Workers',
    expected: expectedOfWorkerRun,
    isSkipped: () => skipWithout(hasWorkerd(), 'workerd', file).isSkipped,
    run: runWorker,
  },
  {
    target: 'page',
    title: 'for pages, with React',
    expected: expectedOfPageRun,
    isSkipped: () => skipWithout(hasChromium(), 'chromium', file).isSkipped,
    run: (_project, outfile) => visitSite({ '/page.mjs': outfile }),
  },
];

function caseOf(bundler: Bundler, project: Project, { target, title, expected, run }: Use): Case {
  const extension = target === 'node' ? bundler.extensionForNode : 'mjs';
  const outfile = project.path('out', `${bundler.name}-${target}.${extension}`);
  return {
    name: `${bundler.name}, ${title}`,
    expected,
    run: async () => {
      await bundler.bundle(project, target, outfile);
      return run(project, outfile);
    },
  };
}

const react = { react: '19', 'react-dom': '19' };

function platformOf(bundler: Bundler): Platform {
  return {
    name: bundler.name,
    packages: { ...bundler.packages, ...react },
    isAvailable: () => true,
    version: (project) => bundler.version(project),
    cases: (project) => uses.filter((use) => !use.isSkipped()).map((use) => caseOf(bundler, project, use)),
  };
}

export const bundlers: readonly Platform[] = [esbuild, ...bundledByFile].map(platformOf);
