import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { alias, shared } from '../../vitest.config.ts';
import { type Layer, layers } from './layers.ts';

const layer = new Map<string, Layer>(Object.entries(layers)).get(process.env['MUTATION_LAYER'] ?? '');
if (layer === undefined) throw new Error('MUTATION_LAYER names no layer');

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias },
  test: {
    ...shared,
    include: [...layer.tests],
    exclude: [...(layer.without ?? []), '**/node_modules/**'],
  },
});
