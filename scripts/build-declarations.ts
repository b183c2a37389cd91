/**
 * The first step of a build: empties `dist/` of a package, and writes its declarations: `node scripts/build-declarations.ts sandbox`. No tool
 * gives both module kinds the same types: these are CommonJS, which both can import, and an entry has a second file for ES modules.
 */

import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..', process.argv[2] ?? '.');
const types = join(root, 'dist/types');

/** Returns the entries of a package, as `webhooks/index`. */
function entries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap((entry) => {
    const [, name] = /^\.\/dist\/types\/(.+)\.d\.cts$/.exec(Object(Object(entry).require).types) ?? [];
    return name === undefined ? [] : [name];
  });
}

/** Returns the names that a source exports as types: a class among them can be named, and neither called nor extended. */
function typesOf(source: string): ReadonlySet<string> {
  const { statements } = ts.createSourceFile(source, readFileSync(source, 'utf8'), ts.ScriptTarget.ES2022);
  const names = statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause) return [];
    if (!ts.isNamedExports(statement.exportClause)) return [];
    const { isTypeOnly, exportClause } = statement;
    return exportClause.elements.filter((one) => isTypeOnly || one.isTypeOnly).map(({ name }) => name.text);
  });
  return new Set(names);
}

/** Marks the types among the exports of an entry, which rollup-plugin-dts exports without the mark. */
function markTypes(entry: string): void {
  const typeNames = typesOf(join(root, 'src', `${entry}.ts`));
  const file = join(types, `${entry}.d.cts`);
  const marked = readFileSync(file, 'utf8').replace(/^export \{ (.+) \}/gm, (_all, list: string) => {
    const names = list.split(', ').map((name) => {
      const own = name.replace(/^.* as /, '');
      return typeNames.has(own) ? `type ${name}` : name;
    });
    return `export { ${names.join(', ')} }`;
  });
  writeFileSync(file, marked);
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
const names = entries();
const bundle = await rollup({
  input: Object.fromEntries(names.map((name) => [name, join(root, 'src', `${name}.ts`)])),
  external: [/^payments-client/, 'msw'],
  // The compiler prints an inferred union in the order in which it met the members: one file after the other, the same
  // in every build.
  maxParallelFileOps: 1,
  plugins: [
    dts({
      tsconfig: join(root, root.endsWith('sandbox') ? 'tsconfig.json' : 'src/browser/tsconfig.json'),
      compilerOptions: { paths: {} },
    }),
  ],
});
await bundle.write({
  dir: types,
  format: 'es',
  entryFileNames: '[name].d.cts',
  preserveModules: true,
  preserveModulesRoot: join(root, 'src'),
});

for (const name of names) {
  markTypes(name);
  // msw is ESM-only, which no CommonJS declaration may import.
  if (name === 'msw') copyFileSync(join(types, 'msw.d.cts'), join(types, 'msw.d.ts'));
  else writeFileSync(join(types, `${name}.d.ts`), `export * from './${basename(name)}.cjs';\n`);
}
