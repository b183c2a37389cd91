/**
 * Loaded before a program of the tests: resolves both packages and their entries to the output of `bundle.ts`, and what examples
 * import to the packages of the tests.
 */

import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import sandboxManifest from '../../sandbox/package.json' with { type: 'json' };

const { PACKAGE_BUNDLE = '' } = process.env;

/** Each package, with the folder of its output. */
const packages = [
  { name: 'payments-client', exports: manifest.exports, folder: PACKAGE_BUNDLE },
  {
    name: 'payments-client-sandbox',
    exports: sandboxManifest.exports,
    folder: join(PACKAGE_BUNDLE, 'sandbox'),
  },
];

/** Returns the file that Node loads for an entry of a package, or `undefined`. */
function builtFile(specifier: string): string | undefined {
  const found = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  if (found === undefined) return undefined;
  const entry: unknown = Reflect.get(found.exports, specifier.replace(found.name, '.'));
  const { node, default: other }: { node?: string; default?: string } = Object(Object(entry).import);
  const built = typeof entry === 'string' ? entry : (node ?? other);
  return built === undefined ? undefined : join(found.folder, built.replace(/^\.\/dist\//, ''));
}

const examples = new URL('../../examples/', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => {
    const built = builtFile(specifier);
    const isOfExample = /^[@\w]/.test(specifier) && context.parentURL?.startsWith(examples);
    if (built === undefined)
      return next(specifier, isOfExample ? { ...context, parentURL: import.meta.url } : context);
    // `next` would look for the URL of a `require` as a path.
    return { url: pathToFileURL(built).href, shortCircuit: true };
  },
});
