/** Reads what the source maps of the build say about it. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

function readMaps(dist: string): readonly SourceMap[] {
  const files = globSync('**/*.map', { cwd: dist });
  return files.map((file) => JSON.parse(readFileSync(join(dist, file), 'utf8')));
}

/** The sources that a map names and does not hold. They are not in the package, so nobody can look at them. */
export function missingSources(dist: string): readonly string[] {
  return readMaps(dist).flatMap(({ sources, sourcesContent }) =>
    sources.filter((_, index) => !sourcesContent[index]),
  );
}

/** The other packages whose code is inside. */
export function packagesInside(dist: string): readonly string[] {
  const sources = readMaps(dist).flatMap(({ sources }) => sources);
  const names = sources.flatMap((source) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  return [...new Set(names)].sort();
}
