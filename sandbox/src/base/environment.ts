/** Returns an environment variable. An empty one counts as absent, as a shell script may forward a variable that is not set. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name] || undefined;
}
