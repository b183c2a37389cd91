/** Compiles the `@example` of every doc comment: editors show it on hover, and users copy it. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}.tmp/doc-examples/`;

/** Returns the examples in a source file. */
function examplesIn(source: ts.SourceFile): string[] {
  const examples = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { tagName, pos, comment } of ts.getJSDocTags(node)) {
      if (tagName.text === 'example') examples.set(pos, ts.getTextOfJSDocComment(comment) ?? '');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...examples.values()];
}

/** Returns every example, by the name of a file for it. */
async function readExamples(): Promise<Map<string, string>> {
  const examples = new Map<string, string>();
  const paths = await readdir(`${root}src`, { recursive: true });
  for (const path of paths.filter((path) => /\.tsx?$/.test(path))) {
    const text = await readFile(`${root}src/${path}`, 'utf8');
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
    for (const [index, example] of examplesIn(source).entries()) {
      const name = path.replaceAll('/', '-').replace(/\.tsx?$/, `-${index + 1}.tsx`);
      examples.set(`${folder}${name}`, example);
    }
  }
  return examples;
}

const placeholders = '../../test/docs/placeholders.ts';

/** Returns the compiler's options for a user's strict project. */
function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.browser.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  return {
    ...options,
    jsxImportSource: 'react',
    resolveJsonModule: true,
    // An example may declare a name only to show it, and imports types and values alike.
    noUnusedLocals: false,
    verbatimModuleSyntax: false,
    isolatedModules: false,
    noPropertyAccessFromIndexSignature: false,
  };
}

/** Returns the names that the package and the placeholders export, each with the specifier of an import. */
function exportedNames(options: ts.CompilerOptions): Map<string, string> {
  const entries = Object.entries(options.paths ?? {}).map(
    ([name, [path = '']]) => [name, root + path] as const,
  );
  const modules = [...entries, [placeholders, `${folder}${placeholders}`] as const];
  const program = ts.createProgram(
    modules.map(([, path]) => path),
    options,
  );
  const checker = program.getTypeChecker();
  return new Map(
    modules.flatMap(([specifier, path]) => {
      const source = program.getSourceFile(path);
      const module = source && checker.getSymbolAtLocation(source);
      return module ? checker.getExportsOfModule(module).map(({ name }) => [name, specifier] as const) : [];
    }),
  );
}

const options = compilerOptions();
const names = exportedNames(options);
const examples = await readExamples();

/** Returns the imports that a code needs. */
function importsFor(code: string): string[] {
  return [...new Set(code.match(/\w+/g))].flatMap((name) => {
    const specifier = names.get(name);
    return specifier === undefined ? [] : [`import { ${name} } from '${specifier}';`];
  });
}

/** Writes an example as a module. It may return and await. */
function moduleOf(example: string): string {
  const lines = example.split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const body = lines.filter((line) => !imports.includes(line)).map((line) => line.replace(/^export /, ''));
  const opened = 'export async function example() {';
  return [...importsFor(example), ...imports, opened, ...body, '}\n'].join('\n');
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
});

it('every example compiles', { timeout: 300_000 }, async () => {
  await writeFile(`${folder}payments.interface.json`, '{ "webhooks": { "scheme": "standardWebhooks" } }');
  for (const [file, example] of examples) await writeFile(file, moduleOf(example));
  const files = [...examples.keys()];
  expect(files.length).toBeGreaterThan(70);
  const program = ts.createProgram(files, options);
  const errors = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
  expect(ts.formatDiagnostics(errors, ts.createCompilerHost(options))).toBe('');
});

/** The lines of examples that show a result: an expression, and a literal in a comment behind it. */
const results = [...examples.values()].flatMap((example) =>
  [...example.matchAll(/^(\w.+); \/\/ (['\d[].*)$/gm)].map(([, code = '', result = '']) => ({
    code,
    result,
  })),
);

it('every result in an example is right', async () => {
  expect(results.length).toBeGreaterThan(10);
  const file = `${folder}results.ts`;
  const rows = results.map(({ code, result }) => `[${code}, ${result}],`);
  await writeFile(
    file,
    [...importsFor(rows.join('\n')), 'export const rows = [', ...rows, '];\n'].join('\n'),
  );
  const { rows: pairs }: { rows: [unknown, unknown][] } = await import(/* @vite-ignore */ file);
  expect(pairs.map(([value]) => value)).toEqual(pairs.map(([, result]) => result));
});
