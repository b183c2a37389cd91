/** Reads the types of `src/` with the compiler: the fields of each, with their doc comments. */

import { resolve } from 'node:path';
import ts from 'typescript';
import { type DocComment, defaultSource, readDocComment } from './doc-comments.ts';

/** A field of a type. */
export interface Field extends DocComment {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object' | 'unknown';
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly readonly: boolean;
  /** The values that the type names, of the items where it is an array. */
  readonly values: readonly string[];
  /** What ids of this type begin with. */
  readonly prefix: string | undefined;
  /** The fields of the object, or of each item of the array. */
  readonly fields: readonly Field[];
}

const root = resolve(import.meta.dirname, '../..');

/** The modules whose imports reach every type that the references name. */
const entries = ['src/client.ts', 'src/webhooks/events/event.ts', 'src/browser/index.ts'];

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

/** Compiles once: it takes seconds. */
function open() {
  compiled ??= compile();
  return compiled;
}

function commentOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string {
  return ts.displayPartsToString(symbol?.getDocumentationComment(checker));
}

/** The type around a field: its interface, or the alias whose text it stands in. */
function ownerOf(declaration: ts.Declaration, checker: ts.TypeChecker): ts.Symbol | undefined {
  const owner = ts.findAncestor(
    declaration.parent,
    (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
  );
  return owner && checker.getSymbolAtLocation(owner.name);
}

const isOf = (type: ts.Type, flags: ts.TypeFlags) => (type.flags & flags) !== 0;

/** A string, also one with a mark, such as a value that is not listed. */
const isText = (type: ts.Type): boolean =>
  isOf(type, ts.TypeFlags.StringLike) || (type.isIntersection() && type.types.some(isText));

/** What a type is made of, without `null` and `undefined`. */
function partsOf(type: ts.Type): readonly ts.Type[] {
  const parts = type.isUnion() ? type.types : [type];
  return parts.filter((part) => !isOf(part, ts.TypeFlags.Null | ts.TypeFlags.Undefined));
}

function kindOf(type: ts.Type, checker: ts.TypeChecker): Field['type'] {
  const [part = type] = partsOf(type);
  if (isText(part)) return 'string';
  if (isOf(part, ts.TypeFlags.NumberLike)) return 'number';
  if (isOf(part, ts.TypeFlags.BooleanLike)) return 'boolean';
  if (checker.isArrayType(part)) return 'array';
  return isOf(part, ts.TypeFlags.Object | ts.TypeFlags.Intersection) ? 'object' : 'unknown';
}

function itemOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const [part = type] = partsOf(type);
  return checker.isArrayType(part) ? checker.getIndexTypeOfType(part, ts.IndexKind.Number) : undefined;
}

function prefixOf(type: ts.Type): string | undefined {
  const template = partsOf(type).find((part) => isOf(part, ts.TypeFlags.TemplateLiteral));
  return template && 'texts' in template && Array.isArray(template.texts) ? template.texts[0] : undefined;
}

/** The type that a node names, through imports. */
function namedBy(node: ts.Node | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (node === undefined || !ts.isTypeReferenceNode(node)) return undefined;
  const symbol = checker.getSymbolAtLocation(node.typeName);
  const isImport = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  return isImport ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Adds the texts that a type is written with, also in aliases that it names, in the order of the source. */
function addTexts(node: ts.Node, checker: ts.TypeChecker, texts: Set<string>): void {
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) texts.add(node.literal.text);
  const alias = namedBy(node, checker)?.declarations?.find(ts.isTypeAliasDeclaration);
  if (alias !== undefined) addTexts(alias, checker, texts);
  ts.forEachChild(node, (child) => addTexts(child, checker, texts));
}

/** The texts that a type names, as its declaration orders them, else by their letters: the compiler's own order depends on other files. */
function valuesOf(
  type: ts.Type,
  declaration: ts.Declaration | undefined,
  checker: ts.TypeChecker,
): readonly string[] {
  const values = partsOf(type).flatMap((part) => (part.isStringLiteral() ? part.value : []));
  if (values.length < 2 || declaration === undefined) return values;
  const written = new Set<string>();
  addTexts(declaration, checker, written);
  const order = [...written];
  return values.sort().sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** The field that a symbol describes; in a union, the field as a whole has the types of all members. */
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
    nullable: type.isUnion() && type.types.some((part) => isOf(part, ts.TypeFlags.Null)),
    readonly:
      declaration !== undefined &&
      (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) !== 0,
    values: valuesOf(item, declaration, checker),
    prefix: prefixOf(item),
    fields: kindOf(item, checker) === 'object' ? fieldsOfType(item, checker) : [],
  };
}

/** A member of a union may name a field only to forbid it. */
const isForbidden = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  isOf(checker.getTypeOfSymbol(symbol), ts.TypeFlags.Undefined | ts.TypeFlags.Never);

/** The fields of a type; of a union those of each member, as the first that allows one describes it. */
function fieldsOfType(type: ts.Type, checker: ts.TypeChecker): readonly Field[] {
  const symbols = partsOf(type).flatMap((part) => checker.getPropertiesOfType(part));
  const allowed = symbols.filter((symbol) => !isForbidden(symbol, checker)).reverse();
  const byName = new Map([...symbols, ...allowed].map((symbol) => [symbol.name, symbol]));
  const whole = checker.getNonNullableType(type);
  return [...byName].map(([name, symbol]) =>
    toField(symbol, checker.getPropertyOfType(whole, name) ?? symbol, checker),
  );
}

/** What one member of a union of parameters asks for, and what it forbids. */
export interface Form {
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
}

function toForm(type: ts.Type, checker: ts.TypeChecker): Form {
  const symbols = checker.getPropertiesOfType(type);
  const isRequired = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Optional) === 0;
  return {
    required: symbols.filter(isRequired).map(({ name }) => name),
    forbidden: symbols.filter((symbol) => isForbidden(symbol, checker)).map(({ name }) => name),
  };
}

function formsOfType(type: ts.Type, checker: ts.TypeChecker): readonly Form[] {
  return partsOf(type).map((part) => toForm(part, checker));
}

/** Where a module of `src/` declares a name: of an interface, an alias, a class or a constant. */
function declaredIn(module: string, name: string): ts.Node {
  const source = open().program.getSourceFile(resolve(root, 'src', module));
  const declared = (source?.statements ?? []).flatMap((node): ts.Node[] => {
    if (ts.isVariableStatement(node)) return node.declarationList.declarations.map((one) => one.name);
    const isNamed =
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
    return isNamed && node.name ? [node.name] : [];
  });
  const found = declared.find((node) => node.getText(source) === name);
  if (found === undefined) throw new Error(`src/${module} declares no '${name}'.`);
  return found;
}

const typeOf = (module: string, name: string): ts.Type =>
  open().checker.getTypeAtLocation(declaredIn(module, name));

/** The fields of the type that a module of `src/` declares under a name. */
export function fieldsOf(module: string, name: string): readonly Field[] {
  return fieldsOfType(typeOf(module, name), open().checker);
}

/** What the type says of itself that a module of `src/` declares under a name. */
export function descriptionOf(module: string, name: string): string {
  const { checker } = open();
  return readDocComment(commentOf(checker.getSymbolAtLocation(declaredIn(module, name)), checker))
    .description;
}

/** The forms that the type takes which a module of `src/` declares under a name: one, or one for each member of a union. */
export function formsOf(module: string, name: string): readonly Form[] {
  return formsOfType(typeOf(module, name), open().checker);
}

/** A method of the client. */
export interface Method {
  readonly description: string;
  /** What the type of its parameters says of itself; empty where it takes none. */
  readonly paramsDescription: string;
  /** The fields of its parameters; none where it takes none. */
  readonly fields: readonly Field[];
  /** The forms that its parameters take. */
  readonly forms: readonly Form[];
}

/** What the client says of the collection with a name. */
export function collectionDescription(name: string): string {
  const { checker } = open();
  return readDocComment(commentOf(typeOf('client.ts', 'PaymentsClient').getProperty(name), checker))
    .description;
}

/** The method of the client that a name such as `refunds.create` leads to. */
export function methodOf(path: string): Method {
  const { checker } = open();
  const [collection = '', name = ''] = path.split('.');
  const holder = typeOf('client.ts', 'PaymentsClient').getProperty(collection);
  const method = holder && checker.getTypeOfSymbol(holder).getProperty(name);
  if (method === undefined) throw new Error(`PaymentsClient has no ${path}.`);
  const signatures = checker.getTypeOfSymbol(method).getCallSignatures();
  const params = signatures.flatMap((one) => one.getParameters()).find((one) => one.name === 'params');
  const type = params && checker.getTypeOfSymbol(params);
  const named = params?.declarations?.filter(ts.isParameter).map((one) => namedBy(one.type, checker))[0];
  return {
    description: readDocComment(commentOf(method, checker)).description,
    paramsDescription: readDocComment(commentOf(named, checker)).description,
    fields: type === undefined ? [] : fieldsOfType(type, checker),
    forms: type === undefined ? [] : formsOfType(type, checker),
  };
}
