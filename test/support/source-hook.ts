/** Loaded before a program: resolves the entries of both packages to their source, so that it needs no build. */

import { registerHooks } from 'node:module';

const entries: Readonly<Record<string, string>> = {
  '#on-node': 'sandbox/src/on-node.node.ts',
  'payments-client': 'src/index.node.ts',
  'payments-client/fraud': 'src/fraud/index.ts',
  'payments-client/journal': 'src/journal/index.ts',
  'payments-client/orders': 'src/orders/index.ts',
  'payments-client/stores': 'src/stores/index.ts',
  'payments-client/webhooks': 'src/webhooks/index.node.ts',
  'payments-client-sandbox': 'sandbox/src/index.ts',
};

registerHooks({
  resolve(specifier, context, next) {
    const entry = entries[specifier];
    if (entry === undefined) return next(specifier, context);
    return next(new URL(`../../${entry}`, import.meta.url).href, context);
  },
});
