/** Reads the types of `src/` and their doc comments with the compiler. */

import { resolve } from 'node:path';
import ts from 'typescript';
import { readDocComment } from './doc-comments.ts';

const root = resolve(import.meta.dirname, '../..');

/** The modules whose imports reach every type that the references name. */
const entries = [
  'src/client.ts',
  'src/webhooks/events/event.ts',
  'src/browser/index.ts',
  'sandbox/src/api/faults/faults.ts',
  'sandbox/src/webhooks/delivery-faults.ts',
  'sandbox/src/domain/timings.ts',
];

function compile() {
  const { config } = ts.readConfigFile(resolve(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const program = ts.createProgram(
    entries.map((entry) => resolve(root, entry)),
    options,
  );
  return { program, checker: program.getTypeChecker() };
}

let compiled: ReturnType<typeof compile> | undefined;

/** Returns the compiled program. Compiles once, since it takes seconds. */
export function compiledProgram() {
  compiled ??= compile();
  return compiled;
}

export function commentOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string {
  return ts.displayPartsToString(symbol?.getDocumentationComment(checker));
}

export const hasFlags = (type: ts.Type, flags: ts.TypeFlags) => (type.flags & flags) !== 0;

/** Returns the members of a type, without `null` and `undefined`. */
export function partsOf(type: ts.Type): readonly ts.Type[] {
  const parts = type.isUnion() ? type.types : [type];
  return parts.filter((part) => !hasFlags(part, ts.TypeFlags.Null | ts.TypeFlags.Undefined));
}

/** Returns the type that a node names, through imports. */
export function referencedSymbol(node: ts.Node | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (node === undefined || !ts.isTypeReferenceNode(node)) return undefined;
  const symbol = checker.getSymbolAtLocation(node.typeName);
  const isImport = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  return isImport ? checker.getAliasedSymbol(symbol) : symbol;
}

/** A member of a union may declare a field only to forbid it. */
export const isForbidden = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  hasFlags(checker.getTypeOfSymbol(symbol), ts.TypeFlags.Undefined | ts.TypeFlags.Never);

/** Returns the declaration of a name in a module: an interface, an alias, a class or a constant. */
function declaredIn(module: string, name: string): ts.Node {
  const source = compiledProgram().program.getSourceFile(resolve(root, module));
  const declared = (source?.statements ?? []).flatMap((node): ts.Node[] => {
    if (ts.isVariableStatement(node)) return node.declarationList.declarations.map((one) => one.name);
    const isNamed =
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
    return isNamed && node.name ? [node.name] : [];
  });
  const found = declared.find((node) => node.getText(source) === name);
  if (found === undefined) throw new Error(`Expected ${module} to declare '${name}', got no such name.`);
  return found;
}

/** Returns the type that a module declares, by its path from the root. */
export const typeOf = (module: string, name: string): ts.Type =>
  compiledProgram().checker.getTypeAtLocation(declaredIn(module, name));

/** Returns the doc comment of a type in a module. */
export function descriptionOf(module: string, name: string): string {
  const { checker } = compiledProgram();
  return readDocComment(commentOf(checker.getSymbolAtLocation(declaredIn(module, name)), checker))
    .description;
}
