/** Writes the references that are generated from the code. A test holds that they are current. */

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeApiIndex } from './reference/api-index.ts';
import { writeOpenApi } from './reference/openapi.ts';

const root = resolve(import.meta.dirname, '..');

writeFileSync(resolve(root, 'docs/api.md'), writeApiIndex());
writeFileSync(resolve(root, 'openapi.json'), writeOpenApi());
