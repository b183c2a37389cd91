/**
 * Optional features of the runtime. The Edge runtime of Next.js replaces members of `process` by functions that throw, and others
 * have only some of Node's modules, so anything that fails counts as absent.
 */

function ask<Answer>(question: () => Answer): Answer | undefined {
  try {
    return question();
  } catch {
    return undefined;
  }
}

/**
 * Returns an environment variable, if the program may read it. An empty one counts as absent, as a shell script may
 * forward a variable that is not set.
 */
export function environmentVariable(name: string): string | undefined {
  const value: unknown = ask(() => globalThis.process?.env?.[name]);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

type Name = 'node:crypto' | 'node:fs' | 'node:sqlite';
type Builtin<Asked extends Name> = ReturnType<typeof process.getBuiltinModule<Asked>>;

/**
 * Returns a built-in module of Node, if it is there and works. Looks it up instead of importing it, so that a bundle for
 * another runtime imports nothing.
 *
 * @param works Tries what the caller needs of the module. One that throws has failed.
 */
export function builtinModule<Asked extends Name>(
  name: Asked,
  works: (module: Builtin<Asked>) => boolean,
): Builtin<Asked> | undefined {
  return ask(() => {
    const module = globalThis.process?.getBuiltinModule?.(name);
    return module !== undefined && works(module) ? module : undefined;
  });
}

/**
 * Whether this is Deno. Its `fetch` and its `node:http` repeat a request by themselves when a kept connection breaks, which
 * could charge twice.
 */
export const isDeno = /* @__PURE__ */ ask(() => 'Deno' in globalThis) === true;

/** Whether there is a version of a runtime. Next.js warns of any code that names this member of `process`. */
function hasVersionOf(runtime: string): boolean {
  return ask(() => typeof Reflect.get(Object(globalThis.process), 'versions')[runtime] === 'string') === true;
}

/** Whether this is Node itself. Bun, Deno and Workers have a version of Node too. */
export const isNode =
  /* @__PURE__ */ ask(
    () => !isDeno && hasVersionOf('node') && !hasVersionOf('bun') && !('WorkerLocation' in globalThis),
  ) === true;

/**
 * Whether this is a web page or a worker of one. Tests with jsdom or happy-dom have a page's globals too, and the `process` of Node. A
 * bundler's substitute for `process` lacks its tag.
 */
export function isBrowser(): boolean {
  const isServer =
    isDeno || ask(() => Object.prototype.toString.call(globalThis.process)) === '[object process]';
  const isPage = 'window' in globalThis && 'document' in globalThis;
  // workerd has other names of a browser's workers: `WorkerGlobalScope`, and `importScripts` before a compatibility date.
  return !isServer && (isPage || 'WorkerLocation' in globalThis);
}
