/** Reads the fields of the types of `src/`, with their doc comments. */

import ts from 'typescript';
import {
  commentOf,
  compiledProgram,
  hasFlags,
  isForbidden,
  partsOf,
  referencedSymbol,
  typeOf,
} from './compiler.ts';
import { type DocComment, defaultSource, readDocComment } from './doc-comments.ts';

export interface Field extends DocComment {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object' | 'unknown';
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly readonly: boolean;
  /** The values that the type names; for an array, those of its items. */
  readonly values: readonly string[];
  /** The prefix of ids of this type. */
  readonly prefix: string | undefined;
  /** The fields of the object, or of each item of the array. */
  readonly fields: readonly Field[];
}

/** Returns the type around a field: its interface, or the alias that contains it. */
function ownerOf(declaration: ts.Declaration, checker: ts.TypeChecker): ts.Symbol | undefined {
  const owner = ts.findAncestor(
    declaration.parent,
    (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
  );
  return owner && checker.getSymbolAtLocation(owner.name);
}

/** Returns whether a type is a string, including a branded one. */
const isText = (type: ts.Type): boolean =>
  hasFlags(type, ts.TypeFlags.StringLike) || (type.isIntersection() && type.types.some(isText));

function kindOf(type: ts.Type, checker: ts.TypeChecker): Field['type'] {
  const [part = type] = partsOf(type);
  if (isText(part)) return 'string';
  if (hasFlags(part, ts.TypeFlags.NumberLike)) return 'number';
  if (hasFlags(part, ts.TypeFlags.BooleanLike)) return 'boolean';
  if (checker.isArrayType(part)) return 'array';
  return hasFlags(part, ts.TypeFlags.Object | ts.TypeFlags.Intersection) ? 'object' : 'unknown';
}

function itemOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const [part = type] = partsOf(type);
  return checker.isArrayType(part) ? checker.getIndexTypeOfType(part, ts.IndexKind.Number) : undefined;
}

function prefixOf(type: ts.Type): string | undefined {
  const members = partsOf(type).flatMap((part) => (part.isIntersection() ? part.types : [part]));
  const template = members.find((member) => hasFlags(member, ts.TypeFlags.TemplateLiteral));
  return template && 'texts' in template && Array.isArray(template.texts) ? template.texts[0] : undefined;
}

/** Adds the literals of a type, including those of aliases that it names, in source order. */
function addTexts(node: ts.Node, checker: ts.TypeChecker, texts: Set<string>): void {
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) texts.add(node.literal.text);
  const alias = referencedSymbol(node, checker)?.declarations?.find(ts.isTypeAliasDeclaration);
  if (alias !== undefined) addTexts(alias, checker, texts);
  ts.forEachChild(node, (child) => addTexts(child, checker, texts));
}

/**
 * Returns the literals of a type in the order of its declaration, otherwise sorted: the compiler's own order depends on
 * other files.
 */
function valuesOf(
  type: ts.Type,
  declaration: ts.Declaration | undefined,
  checker: ts.TypeChecker,
): readonly string[] {
  // An unlisted value is an enum.
  const listed = partsOf(type).filter((part) => !hasFlags(part, ts.TypeFlags.EnumLike));
  const values = listed.flatMap((part) => (part.isStringLiteral() ? part.value : []));
  if (values.length < 2 || declaration === undefined) return values;
  const written = new Set<string>();
  addTexts(declaration, checker, written);
  const order = [...written];
  return values.sort().sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** Returns the field of a symbol; in a union, the whole field has the types of all members. */
function toField(symbol: ts.Symbol, whole: ts.Symbol, checker: ts.TypeChecker): Field {
  const type = checker.getTypeOfSymbol(whole);
  const item = itemOf(type, checker) ?? type;
  const [declaration] = symbol.declarations ?? [];
  const owner = declaration && ownerOf(declaration, checker);
  const comment = readDocComment(commentOf(symbol, checker));
  return {
    ...comment,
    name: symbol.name,
    source: comment.source ?? defaultSource(commentOf(owner, checker)),
    type: kindOf(type, checker),
    optional: (whole.flags & ts.SymbolFlags.Optional) !== 0,
    nullable: type.isUnion() && type.types.some((part) => hasFlags(part, ts.TypeFlags.Null)),
    readonly:
      declaration !== undefined &&
      (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) !== 0,
    values: valuesOf(item, declaration, checker),
    prefix: prefixOf(item),
    fields: kindOf(item, checker) === 'object' ? fieldsOfType(item, checker) : [],
  };
}

/** Returns the fields of a type; for a union, those of each member, as the first member that allows a field describes it. */
export function fieldsOfType(type: ts.Type, checker: ts.TypeChecker): readonly Field[] {
  const symbols = partsOf(type).flatMap((part) => checker.getPropertiesOfType(part));
  const allowed = symbols.filter((symbol) => !isForbidden(symbol, checker)).reverse();
  const byName = new Map([...symbols, ...allowed].map((symbol) => [symbol.name, symbol]));
  const whole = checker.getNonNullableType(type);
  return [...byName].map(([name, symbol]) =>
    toField(symbol, checker.getPropertyOfType(whole, name) ?? symbol, checker),
  );
}

/** Returns the fields of a type in a module of `src/`. */
export function fieldsOf(module: string, name: string): readonly Field[] {
  return fieldsOfType(typeOf(module, name), compiledProgram().checker);
}
