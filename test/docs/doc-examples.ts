/** The code of every `@example` of a doc comment, as a module. */

import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { exportsOf } from '../support/compiler.ts';

const source = new URL('../../src/', import.meta.url);

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

/** Returns every example, by the name of a program for it. */
export async function readExamples(): Promise<ReadonlyMap<string, string>> {
  const examples = new Map<string, string>();
  const paths = await readdir(source, { recursive: true });
  for (const path of paths.filter((path) => /\.tsx?$/.test(path))) {
    const text = await readFile(new URL(path, source), 'utf8');
    if (!text.includes('@example')) continue;
    const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
    for (const [index, example] of examplesIn(parsed).entries()) {
      examples.set(path.replaceAll('/', '-').replace(/\.tsx?$/, `-${index + 1}.tsx`), example);
    }
  }
  return examples;
}

const manifest = JSON.parse(await readFile(new URL('../package.json', source), 'utf8'));
const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
const modules = [
  ...entries.map((name) => name.replace('.', 'payments-client')),
  fileURLToPath(new URL('placeholders.ts', import.meta.url)),
];

/** The import of each name that the package and the placeholders export. */
const imports = new Map(
  exportsOf(modules).map(({ name, specifier, isType }) => {
    return [name, `import { ${isType ? 'type ' : ''}${name} } from '${specifier}';`] as const;
  }),
);

/** Returns the imports that a code needs. */
export const importsFor = (code: string) =>
  [...new Set(code.match(/\w+/g))].flatMap((name) => imports.get(name) ?? []);

/** Writes an example as a module. It may return and await. */
export function moduleOf(example: string): string {
  const lines = example.split('\n');
  const own = lines.filter((line) => line.startsWith('import '));
  const body = lines.filter((line) => !own.includes(line)).map((line) => line.replace(/^export /, ''));
  const opened = 'export async function example() {';
  return [...importsFor(example), ...own, opened, ...body, '}\n'].join('\n');
}

/** Returns the lines that show a result, each as a pair: an expression, and a literal in a comment behind it. */
export function resultsIn(example: string): readonly string[] {
  return [...example.matchAll(/^(\w.+); \/\/ (['\d[].*)$/gm)].map(
    ([, code = '', result = '']) => `[${code}, ${result}],`,
  );
}
