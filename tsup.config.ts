import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { inEsbuild } from './scripts/page-bundles.ts';
import { markPureConstants } from './scripts/pure-constants.ts';

// Chunks have a hash in their name, so old ones would pile up and be packed. The declarations have a build of their own.
for (const name of await readdir('dist').catch(() => [])) {
  if (name !== 'types') await rm(`dist/${name}`, { recursive: true });
}

/** What merchants ship, as ES modules and as CommonJS. */
const shipped = {
  index: 'src/index.ts',
  'index.node': 'src/index.node.ts',
  'fraud/index': 'src/fraud/index.ts',
  'opentelemetry/index': 'src/opentelemetry/index.ts',
  'sandbox/msw': 'src/sandbox/msw.ts',
  'stores/index': 'src/stores/index.ts',
  'webhooks/index': 'src/webhooks/index.ts',
  'webhooks/index.node': 'src/webhooks/index.node.ts',
};

/** What only their tests use, as CommonJS alone. */
const neverShipped = { 'sandbox/index': 'src/sandbox/index.ts', 'testing/index': 'src/testing/index.ts' };

/** Dev dependencies that an entry carries inside, so that merchants do not install them. */
const bundled = [
  '@datastructures-js/heap',
  '@hono/node-server',
  '@noble/hashes',
  'commander',
  'credit-card-type',
  'hono',
  'ms',
  'preact',
  'preact-render-to-string',
  'pure-rand',
];

/** Dependencies that are ES modules alone. CommonJS carries them inside, since Jest cannot `require` an ES module. */
const bundledInCommonJs = ['is-network-error', 'ky', 'p-retry'];

interface Chunk {
  readonly type: string;
  readonly path: string;
  map?: unknown;
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

/** The sources that the package has no copy of, but merchants may step into. */
const keptInMaps = /\/(?:node_modules\/(?:@noble|is-network-error|ky|p-retry)|src\/testing)\//;

/** No merchant steps through the sandbox, the program and its probe: a chunk of them has a map that says only what is inside. */
const neverStepped = /\/src\/(?:cli|probe|sandbox)(?:\.ts|\/)/;

/** Leaves sources out of the maps that the package has in `src`, which two builds share. */
const withSharedSources = {
  name: 'with-shared-sources',
  renderChunk(code: string, chunk: Chunk) {
    if (chunk.type !== 'chunk') return;
    const map: SourceMap = JSON.parse(String(chunk.map));
    // Generated texts of pages: there is nothing to step through.
    if (map.sources.every((source) => source.endsWith('/bundles.ts'))) {
      chunk.map = undefined;
      return { code };
    }
    if (map.sources.some((source) => neverStepped.test(source))) {
      const nothing = { mappings: '', names: [], sourcesContent: map.sources.map(() => '// Not here.') };
      chunk.map = JSON.stringify({ ...map, ...nothing });
      return { code };
    }
    const sourcesContent = map.sources.map((source, index) =>
      keptInMaps.test(source) ? map.sourcesContent[index] : null,
    );
    chunk.map = JSON.stringify({ ...map, sourcesContent });
    return { code };
  },
};

/** Lets a merchant's bundler leave out what is not used of a chunk. The last plugin, since it changes the form of classes. */
const withPureConstants = {
  name: 'with-pure-constants',
  renderChunk(code: string, { type }: Chunk) {
    return type === 'chunk' ? { code: markPureConstants(code) } : undefined;
  },
};

/** Returns what most of the sources of a chunk belong to: a folder of `src`, or the file itself if it is the only one. */
function subjectOf(sources: readonly string[]): string {
  const own = sources.flatMap((source) => /\/src\/(.+)\.ts$/.exec(source)?.slice(1) ?? []);
  if (own.length === 1) return basename(own.join());
  const counts = new Map<string, number>();
  for (const [folder = ''] of own.map((path) => path.split('/'))) {
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [most = ['chunk']] = [...counts].sort(([, one], [, other]) => other - one);
  return most[0];
}

/** Names each chunk after its subject, since stack traces show the name. esbuild names all of them `chunk`. */
const withNamedChunks = {
  name: 'with-named-chunks',
  async buildEnd({ writtenFiles }: { readonly writtenFiles: readonly { readonly name: string }[] }) {
    const names = new Map<string, string>();
    for (const { name } of writtenFiles) {
      const [, hash] = /\/chunk-(\w+)\.c?js\.map$/.exec(name) ?? [];
      if (hash === undefined) continue;
      const { sources }: SourceMap = JSON.parse(await readFile(name, 'utf8'));
      names.set(`chunk-${hash}`, `${subjectOf(sources)}-${hash}`);
    }
    const renamed = (text: string) => text.replaceAll(/chunk-\w+/g, (chunk) => names.get(chunk) ?? chunk);
    for (const { name } of writtenFiles) {
      if (!name.endsWith('.map')) await writeFile(name, renamed(await readFile(name, 'utf8')));
      if (renamed(name) !== name) await rename(name, renamed(name));
    }
  },
};

// Nothing is minified: stack traces and inspected objects stay readable, and users have bundlers of their own.
const shared = {
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  sourcemap: true,
  removeNodeProtocol: false,
  plugins: [withSharedSources],
  esbuildPlugins: [inEsbuild],
  external: [/^node:/],
} satisfies Options;

/**
 * Converts each chunk to CommonJS. esbuild splits ES modules only, and tsup's own conversion rewrites `?.` and `??` as well. A dynamic
 * import becomes a `require`, since Jest supports no other.
 */
const asCommonJs = {
  name: 'as-common-js',
  async renderChunk(code: string, chunk: Chunk) {
    if (chunk.type !== 'chunk') return;
    const text = String(chunk.map);
    // esbuild combines its own source map with the one that it finds in the code.
    const map = Buffer.from(text).toString('base64');
    const converted = await transform(`${code}\n//# sourceMappingURL=data:application/json;base64,${map}`, {
      format: 'cjs',
      platform: 'node',
      target: shared.target,
      supported: { 'dynamic-import': false },
      banner: '"use strict";',
      sourcefile: basename(chunk.path),
      sourcemap: 'external',
    });
    // A chunk that only re-exports has no source.
    if (JSON.parse(text).sources.length > 0) chunk.map = converted.map;
    return { code: converted.code };
  },
};

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
  external: ['payments-client/browser'],
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
  const licences = await Promise.all([...bundled, ...bundledInCommonJs].sort().map(licenceOf));
  // Some quote the words "as is" in one way, some in another.
  const same = new Set(licences.map(({ terms }) => terms.replaceAll(/[“”']/g, '"')));
  const copyrights = licences.map(({ copyright }) => copyright).join('\n');
  await writeFile('dist/THIRD-PARTY-LICENSES.txt', `${copyrights}\n\n${[...same].join('\n\n')}\n`);
}

/** Programs read it, so it comes without the blanks that make it readable in the repository. */
async function writeDescription(): Promise<void> {
  const description = JSON.parse(await readFile('openapi.json', 'utf8'));
  const compact = JSON.stringify(description);
  // That other fields may be there goes without saying.
  await writeFile('dist/openapi.json', compact.replaceAll(',"additionalProperties":{}', ''));
  await copyFile('interface.schema.json', 'dist/interface.schema.json');
}

/**
 * Gives ES modules the names of an entry that is CommonJS alone. A bundle for Workers has the imports of a module that is loaded on demand at
 * its top, so a sandbox that can listen on Node would not start there. A `require` stays where it is.
 */
async function writeNames(): Promise<void> {
  for (const entry of Object.keys(neverShipped)) {
    const names = Object.keys(createRequire(import.meta.url)(`./dist/${entry}.cjs`));
    const code = `import all from './index.cjs';\nexport const { ${names.join(', ')} } = all;\n`;
    await writeFile(`dist/${entry}.js`, code);
  }
}

export default defineConfig([
  { ...browser, format: 'esm' },
  { ...browser, format: 'cjs' },
  {
    ...shared,
    entry: shipped,
    format: 'esm',
    plugins: [...shared.plugins, withPureConstants, withNamedChunks],
  },
  {
    ...shared,
    entry: { ...shipped, ...neverShipped, cli: 'src/cli.ts' },
    format: 'esm',
    outExtension: () => ({ js: '.cjs' }),
    noExternal: bundledInCommonJs,
    plugins: [asCommonJs, withSharedSources, withNamedChunks],
    onSuccess: async () => {
      await Promise.all([writeNames(), writeLicences(), writeDescription()]);
    },
  },
]);
