/** Writes the files generated from the code. A test checks that they are current. */

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeApiIndex } from './reference/api-index.ts';
import { writeInterfaceSchema } from './reference/interface-schema.ts';
import { writeOpenApi } from './reference/openapi.ts';
import { writePageBundles } from './reference/page-bundles.ts';
import { runtimesPagePath, writeRuntimesPage } from './reference/runtimes-page.ts';

const root = resolve(import.meta.dirname, '..');

writeFileSync(resolve(root, 'docs/api.md'), writeApiIndex());
writeFileSync(resolve(root, 'openapi.json'), await writeOpenApi());
writeFileSync(resolve(root, 'interface.schema.json'), writeInterfaceSchema());
writeFileSync(resolve(root, 'src/sandbox/pages/bundles.ts'), writePageBundles());
writeFileSync(runtimesPagePath, writeRuntimesPage());
