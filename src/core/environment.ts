/**
 * An environment variable, where the runtime has them. An empty one counts as absent, as it does in a shell
 * script that forwards a variable which may not be set.
 */
export function readEnvironment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name] || undefined;
  } catch {
    // Deno throws where the program may not read its environment.
    return undefined;
  }
}
