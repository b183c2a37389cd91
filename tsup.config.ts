import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defineConfig, type Options } from 'tsup';

// Chunks have a hash in their name, so old ones would pile up and be packed.
await rm('dist', { recursive: true, force: true });

/** What merchants ship, as ES modules and as CommonJS. */
const shipped = {
  index: 'src/index.ts',
  'index.node': 'src/index.node.ts',
  'fraud/index': 'src/fraud/index.ts',
  'webhooks/index': 'src/webhooks/index.ts',
  'sandbox/msw': 'src/sandbox/msw.ts',
};

const { 'index.node': _, ...others } = shipped;

/** What has declarations: the program is run and never imported, and Node's entry has the names of the other one. */
const declared = { ...others, 'sandbox/index': 'src/sandbox/index.ts' };

/** Dev dependencies that an entry carries inside, so that merchants install nothing but this package. */
const bundled = [
  '@hono/node-server',
  '@noble/hashes',
  'form-data-encoder',
  'hono',
  'is-network-error',
  'zod',
];

const shared = {
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  removeNodeProtocol: false,
  external: [/^node:/],
  noExternal: bundled,
  // Names stay, for those who read a stack trace or look at an object.
  minify: 'terser',
  terserOptions: {
    module: true,
    ecma: 2020,
    keep_classnames: true,
    keep_fnames: true,
    compress: { passes: 2, directives: false },
  },
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

/** What is carried inside keeps its licence: one file with all of them goes along. */
async function writeLicences(): Promise<void> {
  const texts = bundled.map(async (name) => {
    const folder = new URL(`./node_modules/${name}/`, import.meta.url);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file.`);
    return `${name}\n\n${await readFile(new URL(file, folder), 'utf8')}`;
  });
  await writeFile('dist/THIRD-PARTY-LICENSES.txt', (await Promise.all(texts)).join('\n---\n\n'));
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

/** The sandbox is there once as well: nobody ships it, so it need not be an ES module that a bundler can take apart. */
async function writeModuleOfSandbox(): Promise<void> {
  const names = Object.keys(createRequire(import.meta.url)('./dist/sandbox/index.cjs'));
  const code = `import sandbox from './index.cjs';\nexport const { ${names.join(', ')} } = sandbox;\n`;
  await writeFile('dist/sandbox/index.js', code);
}

/** Programs read it, so it comes without the blanks that make it readable in the repository. */
async function writeDescription(): Promise<void> {
  await writeFile('dist/openapi.json', JSON.stringify(JSON.parse(await readFile('openapi.json', 'utf8'))));
}

export default defineConfig(({ dts: wanted = true }) => [
  { ...browser, format: 'esm' },
  {
    ...browser,
    format: 'cjs',
    dts: wanted,
    onSuccess: () => writeDeclarationsOfModules(Object.keys(browser.entry)),
  },
  { ...shared, entry: shipped, format: 'esm' },
  {
    ...shared,
    entry: { ...declared, 'index.node': shipped['index.node'], cli: 'src/cli.ts' },
    format: 'cjs',
    dts: wanted && { entry: declared },
    onSuccess: async () => {
      await Promise.all([writeLicences(), writeModuleOfSandbox(), writeDescription()]);
      await writeDeclarationsOfModules(Object.keys(declared));
    },
  },
]);
