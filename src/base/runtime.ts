/**
 * What the runtime may have. The Edge runtime of Next.js replaces members of `process` by functions that throw, and others
 * have a part of Node's modules, so anything that fails counts as absent.
 */

function ask<Answer>(question: () => Answer): Answer | undefined {
  try {
    return question();
  } catch {
    return undefined;
  }
}

/**
 * An environment variable, where the program may read it. An empty one counts as absent, as it does in a shell script
 * that forwards a variable which may not be set.
 */
export function environmentVariable(name: string): string | undefined {
  const value: unknown = ask(() => globalThis.process?.env?.[name]);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

type Name = 'node:crypto' | 'node:diagnostics_channel';
type Builtin<Asked extends Name> = ReturnType<typeof process.getBuiltinModule<Asked>>;

/**
 * A built-in module of Node, where it is there and works. It is asked for by its name and not imported, so that a bundle
 * for another runtime imports nothing.
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
 * Whether this is Deno. Its `fetch` and its `node:http` send a request a second time, by themselves, where a kept connection
 * breaks, and a charge might be made twice.
 */
export const isDeno = ask(() => 'Deno' in globalThis) === true;
