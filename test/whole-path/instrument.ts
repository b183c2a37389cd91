/**
 * Loaded before a program: each function of both packages runs within `globalThis.enterFunction`, which so learns the way of a call, the files and the
 * functions that it runs through.
 */

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Insertion {
  readonly at: number;
  readonly text: string;
}

function isAsync(node: ts.FunctionLikeDeclaration): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
}

/** Returns what to insert around the body of a function. An arrow function leaves `this`, `arguments` and `super` as they are. */
function insertionsFor(node: ts.FunctionLikeDeclaration, file: ts.SourceFile): Insertion[] {
  const { body } = node;
  // A generator cannot wait within another function.
  if (body === undefined || node.asteriskToken !== undefined) return [];
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  const name = JSON.stringify(`${node.name?.getText(file) ?? 'arrow'}:${line + 1}`);
  const begin = `globalThis.enterFunction(${JSON.stringify(file.fileName)}, ${name}, ${isAsync(node) ? 'async ' : ''}() =>`;
  const [start, end] = [body.getStart(file), body.getEnd()];
  return ts.isBlock(body)
    ? [
        { at: start + 1, text: `return ${begin} {` },
        { at: end - 1, text: '});' },
      ]
    : [
        { at: start, text: `${begin} (` },
        { at: end, text: '))' },
      ];
}

function instrumented(path: string, text: string): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const insertions: Insertion[] = [];
  const visit = (node: ts.Node): void => {
    // What encloses comes first, so at one place its end comes after the ends inside.
    if (ts.isFunctionLike(node) && 'body' in node) insertions.push(...insertionsFor(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return insertions
    .toSorted((one, other) => other.at - one.at)
    .reduce((code, { at, text: inserted }) => code.slice(0, at) + inserted + code.slice(at), text);
}

registerHooks({
  load(url, context, next) {
    const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)).replaceAll('\\', '/') : '';
    if (!/^(?:sandbox\/)?src\/.*\.ts$/.test(path)) return next(url, context);
    const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    return { format: 'module', source: instrumented(path, outputText), shortCircuit: true };
  },
});

// The package calls functions when it is loaded, before anybody wants to know their way.
Object.assign(globalThis, { enterFunction: (_file: string, _name: string, run: () => unknown) => run() });
