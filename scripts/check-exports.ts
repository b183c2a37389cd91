/**
 * Fails if the manifest names a file that the build lacks. npm runs it before it packs, and packs without such a file. publint, which
 * finds most of them in the tarball, does not read `typesVersions`, and is not installed with the project.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');

/** Returns the texts in a value. */
function textsIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);
}

const { bin, main, module, types, exports, typesVersions } = manifest;
const files = new Set(textsIn([bin, main, module, types, exports, typesVersions]));
const missing = [...files].filter((file) => !existsSync(resolve(root, file)));
if (missing.length > 0) {
  console.error(
    `expected each file that package.json names, got no ${missing.join(', ')}. Run npm run build.`,
  );
  process.exitCode = 1;
}
