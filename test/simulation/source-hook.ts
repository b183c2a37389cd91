/** Loaded before the simulation: resolves `payments-client` and its entries to the source. */

import { registerHooks } from 'node:module';

const entries: Readonly<Record<string, string>> = {
  'payments-client': 'index.node.ts',
  'payments-client/sandbox': 'sandbox/index.ts',
  'payments-client/stores': 'stores/index.ts',
  'payments-client/webhooks': 'webhooks/index.ts',
};

registerHooks({
  resolve(specifier, context, next) {
    const entry = entries[specifier];
    if (entry === undefined) return next(specifier, context);
    return next(new URL(`../../src/${entry}`, import.meta.url).href, context);
  },
});
