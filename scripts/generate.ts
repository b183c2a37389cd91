/** Writes the files generated from the code. A test checks that they are current. */

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { generatedFiles } from './reference/generated-files.ts';

const root = resolve(import.meta.dirname, '..');

for (const [path, write] of Object.entries(generatedFiles)) writeFileSync(resolve(root, path), await write());
