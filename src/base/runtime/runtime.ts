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

/** The address that `sandbox.url` has while the sandbox does not listen. */
export const unlistenedAddress = 'http://localhost';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether a host is this machine, by its name alone: `localhost`, `127.x.x.x` or `[::1]`. No name is resolved, since a name
 * that resolves to loopback now may resolve to another address later.
 *
 * @param hostname As `URL` writes it, so that `0x7f.1` is `127.0.0.1`.
 */
export function isLoopbackHost(hostname: string): boolean {
  return loopback.test(hostname);
}

/**
 * Web types, taken from the consumer's own globals, so that declarations compile with the DOM library, with
 * Node's types, or with neither.
 */
type Global<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : unknown;

export type WebHeaders = Global<'Headers'>;
export type WebRequest = Global<'Request'>;
export type WebResponse = Global<'Response'>;
export type WebAbortSignal = Global<'AbortSignal'>;

/**
 * A type without a name of its own. Where a package exports what a function of ours returns, its declarations contain
 * the type itself: they cannot import a name that no entry exports (TS2883).
 */
export type Inline<T> = { readonly type: T }['type'];
