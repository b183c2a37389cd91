/** Writes the files that are generated from the code; with `--build`, those of `dist/`. A test checks that the committed ones are current. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import '../test/support/source-hook.ts';

// Loaded after the hook.
const { builtFiles, generatedFiles } = await import('./reference/generated-files.ts');
const root = resolve(import.meta.dirname, '..');
const files = process.argv.includes('--build') ? builtFiles : generatedFiles;

mkdirSync(resolve(root, 'dist'), { recursive: true });
for (const [path, write] of Object.entries(files)) writeFileSync(resolve(root, path), await write());
