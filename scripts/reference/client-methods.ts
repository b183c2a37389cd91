/** What the client says of its collections and their methods. */

import ts from 'typescript';
import { commentOf, namedBy, open, typeOf } from './compiler.ts';
import { readDocComment } from './doc-comments.ts';
import { type Form, formsOfType } from './exclusive-forms.ts';
import { type Field, fieldsOfType } from './source-types.ts';

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
