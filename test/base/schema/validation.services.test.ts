/** Schemas work in programs that restrict, or change, how zod runs. */

import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runProgram, withPackage } from '../../support/programs.ts';

it.each([
  ['forbids code made from strings', ['--disallow-code-generation-from-strings']],
  ['compiles every zod schema ahead of time', ['--import', 'zod/compile']],
])('reports the same issues in a program that %s', async (_, options) => {
  const path = fileURLToPath(new URL('validation/program.ts', import.meta.url));
  const usual = await runProgram({ path, nodeOptions: withPackage }, []);
  expect(usual).toMatchObject({ code: 0, stderr: '' });
  expect(usual.stdout).toContain('"more":"kept"');
  expect(usual.stdout.match(/"expected"/g)).toHaveLength(5);
  expect(await runProgram({ path, nodeOptions: [...withPackage, ...options] }, [])).toEqual(usual);
});
