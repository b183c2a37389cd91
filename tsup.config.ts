import { defineConfig, type Options } from 'tsup';
import { writeLicences } from './scripts/write-licences.ts';

/** Carried by the CommonJS output: ES modules alone, which Jest cannot `require`; and zod, since no bundler can shake its CommonJS. */
const carried = ['@noble/hashes', 'is-network-error', 'ky', 'p-retry', 'zod'];

// Nothing is minified: stack traces and inspected objects stay readable, and users have bundlers of their own.
const shared = {
  target: 'es2022',
  platform: 'neutral',
  removeNodeProtocol: false,
  external: [/^node:/],
} satisfies Options;

const production = {
  ...shared,
  entry: {
    index: 'src/index.ts',
    'index.node': 'src/index.node.ts',
    'fraud/index': 'src/fraud/index.ts',
    'opentelemetry/index': 'src/opentelemetry/index.ts',
    'journal/index': 'src/journal/index.ts',
    'orders/index': 'src/orders/index.ts',
    'stores/index': 'src/stores/index.ts',
    'webhooks/index': 'src/webhooks/index.ts',
    'webhooks/index.node': 'src/webhooks/index.node.ts',
  },
  splitting: true,
} satisfies Options;

/** What a page may use without the client has files of its own: webpack leaves out a whole file, and less of what is inside one. */
const alone = {
  'base/errors': 'src/base/errors.ts',
  'http/request/idempotency': 'src/http/request/idempotency.ts',
  'money/format-amount': 'src/money/format-amount.ts',
  'money/to-decimal-amount': 'src/money/to-decimal-amount.ts',
  'money/to-minor-units': 'src/money/to-minor-units.ts',
  'resources/common': 'src/resources/fields/common.ts',
  'resources/final-states': 'src/resources/fields/final-states.ts',
  'resources/timestamps': 'src/resources/fields/timestamps.ts',
  'transact/declined-error': 'src/transact/declined-error.ts',
};

/** Each is one file, so that a page can load it as it is. The React bindings import the browser entry, so that a page has one copy. */
const pages = {
  ...shared,
  entry: { 'browser/index': 'src/browser/index.ts', 'react/index': 'src/react/index.ts' },
  platform: 'browser',
  tsconfig: 'src/browser/tsconfig.json',
  external: ['payments-client/browser'],
} satisfies Options;

export default defineConfig([
  { ...pages, format: ['esm', 'cjs'] },
  { ...production, format: 'esm', entry: { ...production.entry, ...alone, cli: 'src/cli/index.node.ts' } },
  // Rollup, which shakes the tree, also converts chunks to CommonJS without changing their syntax.
  {
    ...production,
    format: 'cjs',
    noExternal: carried,
    inject: ['src/base/runtime/text-encoding.ts'],
    treeshake: true,
    onSuccess: () => writeLicences('node_modules', carried),
  },
]);
