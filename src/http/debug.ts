import { type Logger, logLevels } from '../base/logger.ts';
import { environmentVariable } from '../base/runtime.ts';

/**
 * Returns a logger that writes to the console, from the level in the environment variable `PAYMENTS_DEBUG` on: `debug` or `1`, `info`,
 * `warn` or `error`. Ignores any other value, since a debugging aid must not stop a shop.
 */
export function debugLogger(): Logger | undefined {
  const level = environmentVariable('PAYMENTS_DEBUG');
  const names: readonly string[] = logLevels;
  const from = level === '1' ? 0 : names.indexOf(level ?? '');
  if (from === -1) return undefined;
  return Object.fromEntries(
    // biome-ignore lint/suspicious/noConsole: the user asked for the console
    logLevels.slice(from).map((name) => [name, (...line: unknown[]) => console[name](...line)]),
  );
}
