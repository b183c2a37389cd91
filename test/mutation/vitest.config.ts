import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { type Layer, layers } from './layers.ts';

const layer = new Map<string, Layer>(Object.entries(layers)).get(process.env['MUTATION_LAYER'] ?? '');
if (layer === undefined) throw new Error('MUTATION_LAYER names no layer');

const { test, ...rest } = base;
export default mergeConfig(
  rest,
  defineConfig({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    test: {
      ...test,
      include: [...layer.tests],
      exclude: [...(layer.without ?? []), '**/node_modules/**'],
      typecheck: { enabled: false },
    },
  }),
);
