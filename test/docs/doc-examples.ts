/** The code of every `@example` of a doc comment of both packages, as a module. */

import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { exportsOf } from '../support/compiler.ts';

/** The packages, with the folder of each. */
const packages = [
  { name: 'payments-client', folder: new URL('../../', import.meta.url) },
  { name: 'payments-client-sandbox', folder: new URL('../../sandbox/', import.meta.url) },
];

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
  for (const { name, folder } of packages) {
    const source = new URL('src/', folder);
    const paths = await readdir(source, { recursive: true });
    for (const path of paths.filter((path) => /\.tsx?$/.test(path))) {
      const text = await readFile(new URL(path, source), 'utf8');
      if (!text.includes('@example')) continue;
      const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
      for (const [index, example] of examplesIn(parsed).entries()) {
        examples.set(`${name}-${path.replaceAll('/', '-').replace(/\.tsx?$/, `-${index + 1}.tsx`)}`, example);
      }
    }
  }
  return examples;
}

/** Returns the specifiers of a package's modules. */
async function entriesOf({ name, folder }: (typeof packages)[number]): Promise<readonly string[]> {
  const manifest = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
  const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'));
  return entries.map((entry) => entry.replace('.', name));
}

const modules = [
  ...(await Promise.all(packages.map(entriesOf))).flat(),
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
