import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeApiIndex } from '../../scripts/reference/api-index.ts';
import { writeInterfaceSchema } from '../../scripts/reference/interface-schema.ts';
import { writeOpenApi } from '../../scripts/reference/openapi.ts';
import { bundlePages } from '../../scripts/reference/page-bundles.ts';
import { writeRuntimesPage } from '../../scripts/reference/runtimes-page.ts';
import { bundles } from '../../src/sandbox/pages/bundles.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the generated file', () => {
  it.each([
    ['docs/api.md', writeApiIndex],
    ['docs/runtimes.md', writeRuntimesPage],
    ['openapi.json', writeOpenApi],
    ['interface.schema.json', writeInterfaceSchema],
  ])('%s is current (npm run generate updates it)', async (path, write) => {
    expect(read(path) === (await write())).toBe(true);
  });
});

it('the bundles of the sandbox pages are current (npm run generate updates them)', () => {
  // Compares the decompressed text, because another machine may compress it differently.
  expect(JSON.parse(gunzipSync(Buffer.from(bundles, 'base64')).toString())).toEqual(bundlePages());
});
