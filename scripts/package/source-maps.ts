/** Reads the source maps of the build. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface SourceMap {
  /** The path of the map's file. */
  readonly path: string;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

function readMaps(dist: string): readonly SourceMap[] {
  const paths = globSync('**/*.map', { cwd: dist }).map((file) => join(dist, file));
  return paths.map((path) => ({ path, ...JSON.parse(readFileSync(path, 'utf8')) }));
}

/** Packages inside the sandbox and the program, whose sources the maps leave out. */
const onlyInTests =
  /\/node_modules\/(?:@datastructures-js|@hono|commander|credit-card-type|hono|ms|preact(?:-render-to-string)?|pure-rand)\//;

/** Returns the sources that a debugger cannot show: neither the map nor the package has them. */
export function missingSources(dist: string): readonly string[] {
  return readMaps(dist).flatMap(({ path, sources, sourcesContent }) =>
    sources.filter(
      (source, index) =>
        !sourcesContent[index] && !onlyInTests.test(source) && !existsSync(join(dirname(path), source)),
    ),
  );
}

/** Returns the other packages whose code is bundled. */
export function packagesInside(dist: string): readonly string[] {
  const sources = readMaps(dist).flatMap(({ sources }) => sources);
  const names = sources.flatMap((source) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  return [...new Set(names)].sort();
}
