import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { inVite } from '../../sandbox/page-bundles.ts';
import { alias, services, shared, tags, tagsFilter } from '../../vitest.config.ts';
import type { Layer } from './layers.ts';

/** The layer that `run.ts` tests. */
const { tests, without = [], isolate = true }: Layer = JSON.parse(process.env['MUTATION_LAYER'] ?? '');

/** Vitest reads it here too, but its type has it for the command line only. */
const filter = { tagsFilter };

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias },
  plugins: [inVite],
  test: {
    ...shared,
    isolate,
    tags: [...tags],
    ...filter,
    include: [...tests],
    exclude: [...without, services, '**/node_modules/**'],
  },
});
