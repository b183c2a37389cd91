import { isRecord } from '../../../base/json.ts';
import { meantBy } from '../../../base/nearest.ts';
import { fieldNames, type Schema } from '../../../base/schema.ts';
import { isPlainName } from '../../../base/unknown-names.ts';

/** Deeper than the parameters of any request; a body may be nested without end. */
const maxDepth = 4;

/** Returns the names that are in the given value and not in the part that the sandbox read. */
function ignoredNames(given: unknown, read: unknown, depth = 1): readonly string[] {
  if (depth > maxDepth || given === read) return [];
  if (Array.isArray(given) && Array.isArray(read)) {
    return given.flatMap((item: unknown, index) => ignoredNames(item, read[index], depth + 1));
  }
  if (!isRecord(given) || !isRecord(read)) return [];
  return Object.entries(given).flatMap(([name, value]) =>
    Object.hasOwn(read, name) ? ignoredNames(value, read[name], depth + 1) : [name],
  );
}

const noticed = new Set<string>();

/**
 * Writes each parameter that the sandbox ignores to the console, once in a process: a misspelt one would pass unnoticed. It is not
 * refused, since the interface does not show most parameters, so the service may have more.
 */
export function noticeIgnored(schema: Schema<unknown>, given: unknown, read: unknown): void {
  for (const name of ignoredNames(given, read)) {
    if (noticed.has(name) || !isPlainName(name)) continue;
    noticed.add(name);
    const hint = meantBy(name, fieldNames(schema));
    // biome-ignore lint/suspicious/noConsole: without types no one else reports a misspelt parameter
    console.warn(`payments-client sandbox: ignored the unknown parameter '${name}'${hint}.`);
  }
}
