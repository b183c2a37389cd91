/**
 * Loaded before a program of the tests: resolves `payments-client` and its entries to the output of `bundle.ts`, and what examples
 * import to the packages of the tests.
 */

import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };

const { PACKAGE_BUNDLE = '' } = process.env;

/** Returns the file that Node loads for an entry of the package, or `undefined`. */
function builtFile(specifier: string): string | undefined {
  const entry: unknown = Reflect.get(manifest.exports, specifier.replace(/^payments-client/, '.'));
  const { node, default: other }: { node?: string; default?: string } = Object(Object(entry).import);
  return node ?? other;
}

const examples = new URL('../../examples/', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => {
    const built = /^payments-client(?:\/|$)/.test(specifier) ? builtFile(specifier) : undefined;
    const isOfExample = /^[@\w]/.test(specifier) && context.parentURL?.startsWith(examples);
    if (built === undefined)
      return next(specifier, isOfExample ? { ...context, parentURL: import.meta.url } : context);
    const bundled = join(PACKAGE_BUNDLE, built.replace(/^\.\/dist\//, ''));
    // `next` would look for the URL of a `require` as a path.
    return { url: pathToFileURL(bundled).href, shortCircuit: true };
  },
});
