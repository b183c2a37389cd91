/** Amounts that may be undefined do not compile, for a project with `exactOptionalPropertyTypes` and for one without. */

import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = `${root}test/consumers/amounts.ts`;

/** Returns the compiler's messages for the program, with their lines. */
function messagesOf(text: string, exactOptionalPropertyTypes: boolean): readonly string[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const settings = { ...options, noEmit: true, exactOptionalPropertyTypes };
  const host = ts.createCompilerHost(settings);
  const { getSourceFile } = host;
  host.getSourceFile = (path, version, ...rest) =>
    path === program
      ? ts.createSourceFile(path, text, version)
      : Reflect.apply(getSourceFile, host, [path, version, ...rest]);
  const compiled = ts.createProgram([program], settings, host);
  const found = ts.getPreEmitDiagnostics(compiled, compiled.getSourceFile(program));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const text = ts.sys.readFile(program) ?? '';

it.each([true, false])('with exactOptionalPropertyTypes %s', (isExact) => {
  expect(messagesOf(text, isExact)).toEqual([]);
});

it.each([true, false])('the message names the type, with exactOptionalPropertyTypes %s', (isExact) => {
  const [first, second] = messagesOf(text.replaceAll('@ts-expect-error', ''), isExact);
  expect(first).toMatch(/^Type 'number \| undefined' is not assignable to type 'number'/);
  expect(second).toMatch(/^Type 'undefined' is not assignable to type 'number'/);
});
