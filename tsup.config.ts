import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { type MinifyOptions, minify } from 'terser';
import { defineConfig, type Options } from 'tsup';

// Chunks have a hash in their name, so old ones would pile up and be packed.
await rm('dist', { recursive: true, force: true });

/** What merchants ship, as ES modules and as CommonJS. */
const shipped = {
  index: 'src/index.ts',
  'index.node': 'src/index.node.ts',
  'fraud/index': 'src/fraud/index.ts',
  'opentelemetry/index': 'src/opentelemetry/index.ts',
  'webhooks/index': 'src/webhooks/index.ts',
  'sandbox/msw': 'src/sandbox/msw.ts',
};

/** What they do not: only their tests use it. */
const neverShipped = { 'sandbox/index': 'src/sandbox/index.ts', 'testing/index': 'src/testing/index.ts' };

const { 'index.node': _, ...others } = shipped;

/** What has declarations: the program is run and never imported, and Node's entry has the names of the other one. */
const declared = { ...others, ...neverShipped };

/** Dev dependencies that an entry carries inside, so that merchants install nothing but this package. */
const bundled = ['@hono/node-server', '@noble/hashes', 'hono', 'is-network-error'];

const compress = { passes: 2, directives: false };

/**
 * Names stay, for those who read a stack trace or look at an object. Functions stay where they are: bundles are packed with gzip,
 * and inlined ones pack worse.
 */
const terserOptions = {
  ...{ module: true, ecma: 2020, keep_classnames: true, keep_fnames: true },
  compress: { ...compress, reduce_funcs: false },
  // An error that nobody catches shows the line that threw it.
  format: { max_line_len: 1000 },
} satisfies MinifyOptions;

const shared = {
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  removeNodeProtocol: false,
  external: [/^node:/, '@opentelemetry/api'],
  noExternal: bundled,
  minify: 'terser',
  terserOptions,
} satisfies Options;

/**
 * What runs in browsers. Each is one file that imports nothing of the package, so that a page can load it as it is; the React
 * bindings import the browser entry by its name, so that a page has one copy of it.
 */
const browser = {
  ...shared,
  entry: { 'browser/index': 'src/browser/index.ts', 'react/index': 'src/react/index.ts' },
  platform: 'browser',
  splitting: false,
  tsconfig: 'tsconfig.browser.json',
  external: ['payments-client/browser', 'react'],
} satisfies Options;

/** The copyright of a package that is carried inside, and the terms of its licence. */
async function licenceOf(name: string): Promise<{ readonly copyright: string; readonly terms: string }> {
  const folder = new URL(`./node_modules/${name}/`, import.meta.url);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : await readFile(new URL(file, folder), 'utf8');
  const terms = text.slice(text.indexOf('Permission is hereby granted')).replaceAll(/\s+/g, ' ').trim();
  const [copyright] = /^.*Copyright.*$/im.exec(text) ?? [];
  if (copyright === undefined || !terms.startsWith('Permission'))
    throw new Error(`${name} has no MIT licence.`);
  return { copyright: `${name}: ${copyright.trim()}`, terms };
}

/** What is carried inside keeps its licence. All have the same terms, so these stand there once. */
async function writeLicences(): Promise<void> {
  const licences = await Promise.all(bundled.map(licenceOf));
  // Some quote the words "as is" in one way, some in another.
  const same = new Set(licences.map(({ terms }) => terms.replaceAll(/[“”]/g, '"')));
  const copyrights = licences.map(({ copyright }) => copyright).join('\n');
  await writeFile('dist/THIRD-PARTY-LICENSES.txt', `${copyrights}\n\n${[...same].join('\n\n')}\n`);
}

/**
 * Declarations are there once, for CommonJS, and ES modules refer to them: a CommonJS file may be imported by both, an ES module
 * not.
 */
async function writeDeclarationsOfModules(entries: readonly string[]): Promise<void> {
  const write = (entry: string) =>
    writeFile(`dist/${entry}.d.ts`, `export * from './${entry.replace(/^.*\//, '')}.cjs';\n`);
  await Promise.all(entries.map(write));
}

/** Programs read it, so it comes without the blanks that make it readable in the repository. */
async function writeDescription(): Promise<void> {
  const description = JSON.parse(await readFile('openapi.json', 'utf8'));
  const compact = JSON.stringify(description);
  // That other fields may be there goes without saying.
  await writeFile('dist/openapi.json', compact.replaceAll(',"additionalProperties":{}', ''));
}

/** A module and all that it imports, by their paths in `dist`. */
async function withImports(path: string, seen: Set<string>): Promise<void> {
  if (seen.has(path)) return;
  seen.add(path);
  const code = await readFile(join('dist', path), 'utf8');
  for (const [, specifier = ''] of code.matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)) {
    await withImports(join(dirname(path), specifier), seen);
  }
}

/**
 * The same module as CommonJS. A dynamic import becomes a `require`, since test runners know no other. Nobody reads the names of the
 * sandbox's functions but we.
 */
async function writeCommonJs(path: string, isShipped: boolean): Promise<void> {
  const code = await readFile(join('dist', path), 'utf8');
  const { code: converted } = await transform(code.replaceAll(/"(\.{1,2}\/[^"]+)\.js"/g, '"$1.cjs"'), {
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    supported: { 'dynamic-import': false },
  });
  const { code: minified = '' } = await minify(converted, {
    ...terserOptions,
    ...{ module: false, toplevel: true, keep_fnames: isShipped, compress },
  });
  await writeFile(join('dist', path.replace(/\.js$/, '.cjs')), minified);
}

/**
 * Everything is there as CommonJS, and what merchants ship as ES modules too. The sandbox and what it serves, which nobody ships, need not
 * be ES modules that a bundler can take apart: theirs have no more than names.
 */
async function writeFormats(): Promise<void> {
  const all = (await readdir('dist', { recursive: true })).filter(
    (path) => path.endsWith('.js') && !/^(?:browser|react)\//.test(path),
  );
  const kept = new Set<string>();
  for (const entry of Object.keys(shipped)) await withImports(`${entry}.js`, kept);
  await Promise.all(all.map((path) => writeCommonJs(path, kept.has(path))));
  await Promise.all(all.filter((path) => !kept.has(path)).map((path) => rm(join('dist', path))));
  for (const entry of Object.keys(neverShipped)) {
    const names = Object.keys(createRequire(import.meta.url)(`./dist/${entry}.cjs`));
    const code = `import all from './index.cjs';\nexport const { ${names.join(', ')} } = all;\n`;
    await writeFile(`dist/${entry}.js`, code);
  }
}

export default defineConfig(({ dts: wanted = true }) => [
  { ...browser, format: 'esm' },
  {
    ...browser,
    format: 'cjs',
    dts: wanted,
    onSuccess: () => writeDeclarationsOfModules(Object.keys(browser.entry)),
  },
  {
    ...shared,
    entry: { ...declared, 'index.node': shipped['index.node'], cli: 'src/cli.ts' },
    format: 'esm',
    onSuccess: async () => {
      await Promise.all([writeLicences(), writeFormats(), writeDescription()]);
      if (wanted !== false) await writeDeclarationsOfModules(Object.keys(declared));
    },
  },
  ...(wanted === false
    ? []
    : [
        {
          ...shared,
          entry: declared,
          format: 'cjs' as const,
          dts: { only: true },
        },
      ]),
]);
