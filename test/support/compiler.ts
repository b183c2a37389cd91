/**
 * The compiler of a user's strict project, for Node or a browser. A process has one language service, so it parses the
 * libraries and the package once, whatever it compiles.
 */

import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}src/browser/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: [] },
    ts.sys,
    `${root}src/browser`,
  );
  return {
    ...options,
    jsxImportSource: 'react',
    allowJs: true,
    checkJs: true,
    resolveJsonModule: true,
    // Code in a guide may declare a name only to show it, and writes `process.env.NAME`.
    noUnusedLocals: false,
    noUnusedParameters: false,
    noPropertyAccessFromIndexSignature: false,
  };
}

const options = compilerOptions();

/** The programs, which need not exist as files, by path. A program with another text has another version. */
const programs = new Map<string, { readonly text: string; readonly version: number }>();

const read = (path: string) => programs.get(path)?.text ?? ts.sys.readFile(path);

function write(path: string, text: string): void {
  programs.set(path, { text, version: (programs.get(path)?.version ?? 0) + 1 });
}

const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => [...programs.keys()],
  getScriptVersion: (path) => String(programs.get(path)?.version),
  getScriptSnapshot: (path) => {
    const text = read(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  fileExists: (path) => programs.has(path) || ts.sys.fileExists(path),
  readFile: read,
});

/** Returns the path for a program that imports the package. The packages of the tests resolve there too. */
export const pathOf = (name: string) => `${root}test/.tmp/compiled/${name}`;

const messageHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (path) => path,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};

/** Returns the program of everything that was given so far. */
function currentProgram(): ts.Program {
  const program = service.getProgram();
  if (program === undefined) throw new Error('The language service has no program.');
  return program;
}

function messagesOf(program: ts.Program, path: string): string {
  const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(path));
  const all = found.flatMap((one) => [one, ...(one.relatedInformation ?? [])]);
  return all.map((one) => ts.formatDiagnostic(one, messageHost)).join('');
}

/** Compiles programs, given by path, which may import each other. Returns the compiler's messages for each. */
export function compile(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  for (const [path, text] of texts) write(path, text);
  const program = currentProgram();
  return new Map(Array.from(texts.keys(), (path) => [path, messagesOf(program, path)]));
}

/** Returns the names that modules export, and whether each is only a type. */
export function exportsOf(specifiers: readonly string[]) {
  const path = pathOf('exports.ts');
  write(path, specifiers.map((specifier) => `import '${specifier}';\n`).join(''));
  const program = currentProgram();
  const imports = program.getSourceFile(path)?.statements.filter(ts.isImportDeclaration) ?? [];
  const checker = program.getTypeChecker();
  return imports.flatMap(({ moduleSpecifier }, index) => {
    const module = checker.getSymbolAtLocation(moduleSpecifier);
    if (module === undefined) throw new Error(`expected ${specifiers} to exist`);
    return checker.getExportsOfModule(module).map((symbol) => {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      const { flags } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
      const isType = (flags & ts.SymbolFlags.Value) === 0;
      return { name: symbol.name, specifier: specifiers[index], isType };
    });
  });
}

/** Returns the completions that an editor offers at a position of a program that was compiled. */
export function completionsAt(path: string, position: number): readonly string[] {
  const completions = service.getCompletionsAtPosition(path, position, undefined);
  return (completions?.entries ?? []).map(({ name }) => name).toSorted();
}
