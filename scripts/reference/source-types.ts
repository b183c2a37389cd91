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

/** What a type is made of, without `null` and `undefined`. */
function partsOf(type: ts.Type): readonly ts.Type[] {
  const parts = type.isUnion() ? type.types : [type];
  return parts.filter((part) => !isOf(part, ts.TypeFlags.Null | ts.TypeFlags.Undefined));
}

/** The types that one type is at once: an id is a text and of a kind. */
function membersOf(type: ts.Type): readonly ts.Type[] {
  return type.isIntersection() ? type.types : [type];
}

function kindOf(type: ts.Type, checker: ts.TypeChecker): Field['type'] {
  const [part = type] = partsOf(type);
  if (membersOf(part).some((member) => isOf(member, ts.TypeFlags.StringLike))) return 'string';
  if (isOf(part, ts.TypeFlags.NumberLike)) return 'number';
  if (isOf(part, ts.TypeFlags.BooleanLike)) return 'boolean';
  if (checker.isArrayType(part)) return 'array';
  return membersOf(part).some((member) => isOf(member, ts.TypeFlags.Object)) ? 'object' : 'unknown';
}

function itemOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const [part = type] = partsOf(type);
  return checker.isArrayType(part) ? checker.getIndexTypeOfType(part, ts.IndexKind.Number) : undefined;
}

function prefixOf(type: ts.Type): string | undefined {
  const members = partsOf(type).flatMap(membersOf);
  const template = members.find((member) => isOf(member, ts.TypeFlags.TemplateLiteral));
  return template && 'texts' in template && Array.isArray(template.texts) ? template.texts[0] : undefined;
}

/** The text of a declaration, and of the types that it names. */
function textWithAliases(declaration: ts.Declaration, checker: ts.TypeChecker): string {
  const texts = [declaration.getText()];
  const visit = (node: ts.Node): void => {
    const symbol = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined;
    const isImported = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const named = isImported ? checker.getAliasedSymbol(symbol) : symbol;
    texts.push(...(named?.declarations ?? []).map((one) => one.getText()));
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return texts.join('\n');
}

/** The texts that a type names, as its declaration orders them, else by their letters: the compiler's own order depends on other files. */
function valuesOf(
  type: ts.Type,
  declaration: ts.Declaration | undefined,
  checker: ts.TypeChecker,
): readonly string[] {
  const text = declaration === undefined ? '' : textWithAliases(declaration, checker);
  // An unlisted value is an enum.
  const named = partsOf(type).filter((part) => !isOf(part, ts.TypeFlags.EnumLike));
  const values = named.flatMap((part) => (part.isStringLiteral() ? part.value : []));
  const order = (a: string, b: string) => text.indexOf(`'${a}'`) - text.indexOf(`'${b}'`);
  return values.sort().sort(order);
}

function toField(symbol: ts.Symbol, checker: ts.TypeChecker): Field {
  const type = checker.getTypeOfSymbol(symbol);
  const item = itemOf(type, checker) ?? type;
  const [declaration] = symbol.declarations ?? [];
  const owner = declaration && ownerOf(declaration, checker);
  const comment = readDocComment(commentOf(symbol, checker));
  return {
    ...comment,
    name: symbol.name,
    source: comment.source ?? defaultSource(commentOf(owner, checker)),
    type: kindOf(type, checker),
    optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
    nullable: type.isUnion() && type.types.some((part) => isOf(part, ts.TypeFlags.Null)),
    readonly:
      declaration !== undefined &&
      (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) !== 0,
    values: valuesOf(item, declaration, checker),
    prefix: prefixOf(item),
    fields: kindOf(item, checker) === 'object' ? fieldsOfType(item, checker) : [],
  };
}

function fieldsOfType(type: ts.Type, checker: ts.TypeChecker): readonly Field[] {
  const whole = checker.getNonNullableType(type);
  const all = partsOf(type).flatMap((part) => checker.getPropertiesOfType(part));
  return [...new Set(all.map(({ name }) => name))].flatMap((name) => {
    const symbols = all.filter((symbol) => symbol.name === name);
    // A member of a union may name a field only to forbid it.
    const allowed = symbols.filter((symbol) => partsOf(checker.getTypeOfSymbol(symbol)).length > 0);
    const [one, ...others] = allowed.length === 0 ? symbols : allowed;
    const symbol = others.length === 0 ? one : (whole.getProperty(name) ?? one);
    return symbol === undefined ? [] : toField(symbol, checker);
  });
}

/** The type that a module of `src/` declares under a name: of an interface, an alias, a class or a constant. */
function typeOf(module: string, name: string): ts.Type {
  const { program, checker } = open();
  const source = program.getSourceFile(resolve(root, 'src', module));
  const declared = (source?.statements ?? []).flatMap((node): ts.Node[] => {
    if (ts.isVariableStatement(node)) return node.declarationList.declarations.map((one) => one.name);
    const isNamed =
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
    return isNamed && node.name ? [node.name] : [];
  });
  const found = declared.find((node) => node.getText(source) === name);
  if (found === undefined) throw new Error(`src/${module} declares no '${name}'.`);
  return checker.getTypeAtLocation(found);
}

/** The fields of the type that a module of `src/` declares under a name. */
export function fieldsOf(module: string, name: string): readonly Field[] {
  return fieldsOfType(typeOf(module, name), open().checker);
}

/** A method of the client. */
export interface Method {
  readonly description: string;
  /** The fields of its parameters; none where it takes none. */
  readonly fields: readonly Field[];
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
  return {
    description: readDocComment(commentOf(method, checker)).description,
    fields: params === undefined ? [] : fieldsOfType(checker.getTypeOfSymbol(params), checker),
  };
}
