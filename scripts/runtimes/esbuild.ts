/** Bundles with esbuild, a dependency of the build. */

import { type BuildOptions, build } from 'esbuild';
import type { Project } from './project.ts';

export type Target = 'node' | 'worker' | 'page';

const optionsFor: Readonly<Record<Target, BuildOptions>> = {
  node: { entryPoints: ['process.mjs'], platform: 'node' },
  worker: { entryPoints: ['worker.mjs'], format: 'esm', conditions: ['workerd'] },
  page: { entryPoints: ['react-page.mjs'], format: 'esm', minify: true },
};

/** Bundles the program for a target into a file, or as `options` say. */
export async function bundle(
  { folder }: Project,
  target: Target,
  outfile: string,
  options: BuildOptions = {},
): Promise<void> {
  const shared = { absWorkingDir: folder, bundle: true, outfile, logLevel: 'error' } as const;
  await build({ ...optionsFor[target], ...shared, ...options });
}
