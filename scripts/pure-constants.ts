/** Lets bundlers drop the constants and classes that a program does not use. */

import ts from 'typescript';

/** Returns whether a bundler can see that a value has no side effects. */
function isPlain(value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value)) return value.elements.every(isPlain);
  if (ts.isObjectLiteralExpression(value)) {
    return value.properties.every((field) => ts.isPropertyAssignment(field) && isPlain(field.initializer));
  }
  return ts.isLiteralExpression(value) || ts.isArrowFunction(value) || ts.isFunctionExpression(value);
}

/** Wraps a value in a function call marked as pure. A class keeps the name of its constant. */
function asPureCall(name: string, value: ts.Expression, text: string): string {
  if (ts.isObjectLiteralExpression(value)) return `/* @__PURE__ */ (() => (${text}))()`;
  const isNameless = ts.isClassExpression(value) && value.name === undefined;
  return `/* @__PURE__ */ (() => ${isNameless ? text.replace('class', `class ${name}`) : text})()`;
}

/**
 * Marks each top-level constant of a module as pure. With `sideEffects: false` a bundler drops an unused module. But a
 * chunk has many modules, in which a call or a static block could have side effects. Lines do not move, so the source
 * map stays valid.
 */
export function markPureConstants(code: string): string {
  const file = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.ESNext);
  const constants = file.statements
    .flatMap((statement) =>
      ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
    )
    .flatMap(({ name, initializer }) =>
      initializer !== undefined && ts.isIdentifier(name) && !isPlain(initializer)
        ? [{ name: name.text, value: initializer }]
        : [],
    );
  let marked = '';
  let end = 0;
  for (const { name, value } of constants) {
    const start = value.getStart(file);
    marked += code.slice(end, start) + asPureCall(name, value, code.slice(start, value.end));
    end = value.end;
  }
  return marked + code.slice(end);
}
