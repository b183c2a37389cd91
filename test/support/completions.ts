/** The completions of an editor at a position of a program. */

import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the language service's completions at the first `|` of a program that imports the package. */
export function completionsAt(program: string): readonly string[] {
  const position = program.indexOf('|');
  if (position === -1) throw new Error("expected a '|' in the program");
  const source = program.slice(0, position) + program.slice(position + 1);
  const file = `${root}.tmp/completions.ts`;
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [file] }, ts.sys, root);
  const read = (path: string) => (path === file ? source : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
  });
  const completions = service.getCompletionsAtPosition(file, position, undefined);
  service.dispose();
  return (completions?.entries ?? []).map(({ name }) => name).toSorted();
}
