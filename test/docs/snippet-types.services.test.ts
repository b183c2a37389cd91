/** Type-checks every snippet of README and guides, and the examples on queues, so that they compile in a strict project. */

import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { readSnippets, writeSnippets } from './snippets.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The packages of the tests resolve there. */
const folder = new URL('../.tmp/snippet-types/', import.meta.url);

/** The examples that `npm run typecheck` leaves out, because they need these packages. */
const queues = ['bullmq.ts', 'graphile-worker.ts'];

it('every snippet and every example on a queue compiles', { timeout: 300_000 }, async () => {
  const snippets = await readSnippets();
  await writeSnippets(snippets, folder);
  for (const name of queues) await copyFile(`${root}examples/webhooks/${name}`, new URL(name, folder));
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  // Snippets may declare unused names, and README's snippets are JavaScript.
  const lenient = {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowJs: true,
    checkJs: true,
  };
  const paths = [...snippets.map(({ path }) => path), ...queues];
  const files = paths.map((path) => fileURLToPath(new URL(path, folder)));
  const program = ts.createProgram(files, lenient);
  // Only the used parts of the imported source are checked; the project checks all of it elsewhere.
  const errors = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
  expect(ts.formatDiagnostics(errors, ts.createCompilerHost(options))).toBe('');
});
