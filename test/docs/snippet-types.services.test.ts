/** Type-checks every snippet of README and guides, so that it compiles in a strict project. */

import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { readSnippets, writeSnippets } from './snippets.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = new URL('../../.tmp/snippet-types/', import.meta.url);

it('every snippet compiles', { timeout: 300_000 }, async () => {
  const snippets = await readSnippets();
  await writeSnippets(snippets, folder);
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
  const files = snippets.map(({ path }) => fileURLToPath(new URL(path, folder)));
  const program = ts.createProgram(files, lenient);
  // Only the used parts of the imported source are checked; the project checks all of it elsewhere.
  const errors = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
  expect(ts.formatDiagnostics(errors, ts.createCompilerHost(options))).toBe('');
});
