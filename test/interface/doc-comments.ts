/** Reads the doc comments of `src/` with the parser of TypeScript. */

import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** A declared name with its doc comment. */
export interface Documented {
  /** Its file and its path in it, such as `src/resources/objects/refunds.ts#RefundFields.amount`. */
  readonly reference: string;
  /** Its marks, in order. */
  readonly marks: readonly string[];
  /** The doc comment; empty if there is none. */
  readonly comment: string;
}

/** Returns the name that a doc comment before a node describes. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.name.getText();
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const isDeclared =
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isGetAccessor(node);
  return isDeclared ? node.name?.getText() : undefined;
}

function documentedIn(file: string): readonly Documented[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Documented[] = [];
  const visit = (node: ts.Node, parents: readonly string[]): void => {
    const name = nameOf(node);
    const path = name === undefined ? parents : [...parents, name];
    const comment = ts
      .getJSDocCommentsAndTags(node)
      .filter(ts.isJSDoc)
      .map((part) => part.getText())
      .join('\n');
    if (name !== undefined || comment !== '') {
      const marks = [...comment.matchAll(/\*(shown|inferred)\*/g)].map(([, mark = '']) => mark);
      found.push({ reference: `${file}#${path.join('.')}`, marks, comment });
    }
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(source, []);
  return found;
}

/** Returns every declared name of the files of `src/` that have marks. */
export function documented(): readonly Documented[] {
  const files = globSync('src/**/*.{ts,tsx}').map((file) => file.replaceAll('\\', '/'));
  return files
    .filter((file) => /\*(?:shown|inferred)\*/.test(readFileSync(file, 'utf8')))
    .flatMap(documentedIn);
}
