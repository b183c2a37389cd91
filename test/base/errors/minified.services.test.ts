import { inspect } from 'node:util';
import { build } from 'esbuild';
import { minify } from 'terser';
import { describe, expect, it } from 'vitest';
import { alias } from '../../../vitest.config.ts';

/** The entries that export errors, in one ES module that imports nothing of npm. */
async function bundle(entry: string, options: { readonly minify: boolean }): Promise<string> {
  const path = alias.find(({ find }) => find.test(entry))?.replacement;
  if (path === undefined) throw new Error(`expected an entry, got ${entry}`);
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    ...options,
  });
  return outputFiles[0]?.text ?? '';
}

const minifiers = {
  esbuild: (entry: string) => bundle(entry, { minify: true }),
  terser: async (entry: string) => {
    const { code } = await minify(await bundle(entry, { minify: false }), { module: true, ecma: 2020 });
    return code ?? '';
  },
};

type ErrorClass = new (...parameters: never[]) => Error;

function isErrorClass(value: unknown): value is ErrorClass {
  return typeof value === 'function' && value.prototype instanceof Error;
}

async function errorClassesOf(code: string): Promise<[name: string, ErrorClass][]> {
  const module: object = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return Object.entries(module).filter((entry): entry is [string, ErrorClass] => isErrorClass(entry[1]));
}

describe.each(Object.entries(minifiers))('an error in a bundle that %s minified', (_, minified) => {
  it.each([
    ['payments-client', 'ApiError'],
    ['payments-client/browser', 'BrowserError'],
  ])('prints the class that %s exports', async (entry, expected) => {
    const classes = await errorClassesOf(await minified(entry));
    expect(classes.map(([name]) => name)).toContain(expected);
    for (const [name, type] of classes) {
      // Without a call of its constructor, whose parameters differ, an error has no frames, and `inspect` adds brackets.
      const error: Error = Reflect.construct(Error, ['failed'], type);
      expect({ class: type.name, name: error.name, stack: error.stack, printed: inspect(error) }).toEqual({
        class: name,
        name,
        stack: `${name}: failed`,
        printed: `[${name}: failed]`,
      });
    }
  });
});
