/** Loaded before a program: `payments-client` and its entries are the project's source, so that nothing needs a build. */

import { registerHooks } from 'node:module';
import manifest from '../../package.json' with { type: 'json' };

/** What Node loads for an entry of the package, or `undefined` where it is none. */
function builtFile(specifier: string): string | undefined {
  const entry: unknown = Reflect.get(manifest.exports, specifier.replace(/^payments-client/, '.'));
  const { node, default: other }: { node?: string; default?: string } = Object(Object(entry).import);
  return node ?? other;
}

registerHooks({
  resolve: (specifier, context, next) => {
    const built = /^payments-client(?:\/|$)/.test(specifier) ? builtFile(specifier) : undefined;
    if (built === undefined) return next(specifier, context);
    const source = built.replace(/^\.\/dist\//, '../../src/').replace(/\.js$/, '.ts');
    return next(new URL(source, import.meta.url).href, context);
  },
});
