/** Reads the client's collections and methods with their doc comments. */

import ts from 'typescript';
import { commentOf, compiledProgram, referencedSymbol, typeOf } from './compiler.ts';
import { readDocComment } from './doc-comments.ts';
import { type Form, formsOfType } from './exclusive-forms.ts';
import { type Field, fieldsOfType } from './source-types.ts';

export interface Method {
  readonly description: string;
  /** The doc comment of its parameter type; empty if it takes none. */
  readonly paramsDescription: string;
  /** The fields of its parameters; none if it takes none. */
  readonly fields: readonly Field[];
  /** The alternative forms of its parameters. */
  readonly forms: readonly Form[];
}

/** Returns the client's description of a collection. */
export function collectionDescription(name: string): string {
  const { checker } = compiledProgram();
  return readDocComment(commentOf(typeOf('src/client.ts', 'PaymentsClient').getProperty(name), checker))
    .description;
}

/** Returns the client's method for a name such as `refunds.create`. */
export function methodOf(path: string): Method {
  const { checker } = compiledProgram();
  const [collection = '', name = ''] = path.split('.');
  const holder = typeOf('src/client.ts', 'PaymentsClient').getProperty(collection);
  const method = holder && checker.getTypeOfSymbol(holder).getProperty(name);
  if (method === undefined) throw new Error(`Expected a method ${path} of PaymentsClient, got none.`);
  const signatures = checker.getTypeOfSymbol(method).getCallSignatures();
  const params = signatures.flatMap((one) => one.getParameters()).find((one) => one.name === 'params');
  const type = params && checker.getTypeOfSymbol(params);
  const symbol = params?.declarations
    ?.filter(ts.isParameter)
    // What narrows a type, as `Definite` does, stands behind it.
    .map(({ type: node }) => (node && ts.isIntersectionTypeNode(node) ? node.types[0] : node))
    .map((node) => referencedSymbol(node, checker))[0];
  return {
    description: readDocComment(commentOf(method, checker)).description,
    paramsDescription: readDocComment(commentOf(symbol, checker)).description,
    fields: type === undefined ? [] : fieldsOfType(type, checker),
    forms: type === undefined ? [] : formsOfType(type, checker),
  };
}
