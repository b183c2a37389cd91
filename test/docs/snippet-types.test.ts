/** Type-checks every TypeScript snippet of README and guides: whoever copies one into a strict project sees no error. */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readSnippets, writeSnippets } from './snippets.ts';

const folder = new URL('../../.tmp/snippet-types/', import.meta.url);
const compiler = new URL('../../node_modules/.bin/tsc', import.meta.url);

const project = {
  extends: '../../tsconfig.json',
  compilerOptions: {
    // A snippet shows what there is, and need not use it.
    ...{ noUnusedLocals: false, noUnusedParameters: false },
  },
  include: ['**/*.ts'],
  exclude: [],
};

it('no snippet has an error of types', { timeout: 300_000 }, async () => {
  await writeSnippets(await readSnippets(), folder);
  const file = new URL('tsconfig.json', folder);
  await writeFile(file, JSON.stringify(project));
  const output = await promisify(execFile)(fileURLToPath(compiler), ['--project', fileURLToPath(file)]).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
  expect(output).toBe('');
});
