/** Loaded before a program of the examples: its sandboxes use the forms in the variable `SANDBOX_FORMS`. */

import { registerHooks } from 'node:module';

const self = import.meta.url;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'payments-client-sandbox' && context.parentURL !== self
      ? { url: self, shortCircuit: true }
      : next(specifier, context),
});

const real = await import('payments-client-sandbox');

/** Creates a sandbox with these forms, whatever its program passes. */
export function createSandbox(options?: Parameters<typeof real.createSandbox>[0]) {
  return real.createSandbox({ ...options, interface: JSON.parse(process.env['SANDBOX_FORMS'] ?? '{}') });
}
