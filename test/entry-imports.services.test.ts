import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';

/** The packages that an entry loads. */
function packagesOf(entry: string): readonly string[] {
  const { metafile } = buildSync({
    entryPoints: [`src/${entry}.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    packages: 'external',
    treeShaking: true,
    metafile: true,
    outdir: 'dist',
    logLevel: 'error',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const names = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  return [...new Set(names)].filter((name) => !name.startsWith('node:')).sort();
}

it.each(['fraud/index', 'stores/index', 'webhooks/index'])(
  'loads no HTTP client for an import of %s',
  (entry) => {
    const packages = packagesOf(entry);
    expect(packages).toContain('zod/mini');
    expect(packages).not.toContain('ky');
    expect(packages).not.toContain('p-retry');
    expect(packages).not.toContain('form-data-encoder');
  },
);

it('loads the HTTP client with the client', () => {
  expect(packagesOf('index.node')).toEqual(expect.arrayContaining(['form-data-encoder', 'ky', 'p-retry']));
});
