/**
 * Counts the public names of the build, and fails above the bounds: each name is one more that a reader must learn. Fails too
 * if the values that the declarations state are not those of each module that the manifest names. api-extractor reports one entry
 * at a time and does not run it.
 */

import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import manifest from '../package.json' with { type: 'json' };
import { check, printCounts } from './checks.ts';

/** The most names, and the most of them that are values. Lower them when names go; never raise them for a name that an example can do without. */
const bounds = { names: 209, values: 76 };

const root = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** A name that an entry exports; a member of an exported namespace is `namespace.member`. */
interface PublicName {
  readonly name: string;
  readonly isValue: boolean;
}

/** What one way to load an entry finds, as paths. */
interface Built {
  readonly types: string;
  /** The modules: one, or one for each kind of runtime. */
  readonly modules: readonly string[];
}

interface Entry {
  /** What a program imports, such as `payments-client/stores`. */
  readonly specifier: string;
  readonly import: Built;
  readonly require: Built;
}

function built({ types, ...conditions }: { readonly types: string; readonly default: string }): Built {
  const modules = new Set<string>(Object.values(conditions));
  return { types: join(root, types), modules: [...modules].map((path) => join(root, path)) };
}

function entries(): readonly Entry[] {
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return [];
    const { import: module, require: common } = target;
    return [{ specifier: join(manifest.name, path), import: built(module), require: built(common) }];
  });
}

/** Returns the names of a module, and those within its namespaces. */
function namesOf(checker: ts.TypeChecker, module: ts.Symbol, prefix = ''): readonly PublicName[] {
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const name = prefix + exported.name;
    const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const isTypeOnly = (exported.declarations ?? []).some(ts.isTypeOnlyExportDeclaration);
    const isValue = !isTypeOnly && (target.flags & ts.SymbolFlags.Value) !== 0;
    const isModule = (target.flags & ts.SymbolFlags.Module) !== 0;
    return [{ name, isValue }, ...(isModule ? namesOf(checker, target, `${name}.`) : [])];
  });
}

function publicNames(program: ts.Program, file: string): readonly PublicName[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined)
    throw new Error(`expected the declarations ${file}, got none. Run npm run build.`);
  return namesOf(checker, module);
}

/** Fails unless the declared values exist at run time, and no other value does. */
function compareValues(declared: readonly PublicName[], loaded: object): void {
  const stated = declared.filter(({ name, isValue }) => isValue && !name.includes('.'));
  const names = stated.map(({ name }) => name);
  const existing = Object.keys(loaded);
  const missing = names.filter((name) => !existing.includes(name));
  const undeclared = existing.filter((name) => !names.includes(name));
  if (missing.length === 0 && undeclared.length === 0) return;
  throw new Error(
    `expected the values that the declarations state, got without: ${missing.join(', ')}; in excess: ${undeclared.join(', ')}`,
  );
}

const found = entries();
const program = ts.createProgram(
  found.flatMap((entry) => [entry.import.types, entry.require.types]),
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noEmit: true },
);
const total = { names: 0, values: 0 };
for (const entry of found) {
  const names = publicNames(program, entry.import.types);
  const values = names.filter(({ isValue }) => isValue);
  total.names += names.length;
  total.values += values.length;
  console.log(
    `${entry.specifier.padEnd(30)}${String(names.length).padStart(4)} names, ${String(values.length).padStart(3)} values`,
  );
  const load = { import: (file: string) => import(file), require: (file: string) => require(file) };
  for (const way of ['import', 'require'] as const) {
    const declared = publicNames(program, entry[way].types);
    for (const file of entry[way].modules) {
      await check(`${way} ${relative(root, file)} has the declared values`, async () =>
        compareValues(declared, await load[way](file)),
      );
    }
  }
}
await check(
  `${total.names} names of at most ${bounds.names}, ${total.values} values of at most ${bounds.values}`,
  () => {
    if (total.names > bounds.names || total.values > bounds.values) {
      throw new Error('expected no more public names than before, got more. Take one out, or say why not.');
    }
  },
);
printCounts('public names');
