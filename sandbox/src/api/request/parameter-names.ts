import type { RouteName } from 'payments-client';
import { isRecord } from '../../base/json.ts';
import * as s from '../../base/schema.ts';
import { isPlainName, meantBy, requestSchema, unknownFields } from '../../sdk.ts';
import { rejected } from './rejected.ts';

/**
 * Rejects a parameter whose name probably stands for an absent one, such as `amout`, by the rules of the client: without it, a refund
 * would be a full one.
 *
 * @param isExtra Whether the service has a parameter beside those that the client names.
 * @throws Problem that names the parameter, and the one that was probably meant.
 */
export function checkNames(
  name: RouteName,
  body: unknown,
  isExtra: ((parameter: string) => boolean) | undefined,
): void {
  const schema = requestSchema(name);
  if (schema === undefined) return;
  const misnamed = unknownFields(schema, body, isExtra).find(({ isMeant }) => isMeant);
  if (misnamed === undefined) return;
  throw rejected(
    misnamed,
    `Correct it. If the service takes it, name it in extraParameters['${name}'] of the sandbox's interface.`,
  );
}

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
 * Writes the name of each parameter that the sandbox ignores to the console, once in a process. It is not refused, since the
 * interface does not show most parameters, so the service may have more.
 *
 * @param known Returns the names that the sandbox knows.
 */
export function noticeNames(names: Iterable<string>, known: () => readonly string[]): void {
  for (const name of names) {
    if (noticed.has(name) || !isPlainName(name)) continue;
    noticed.add(name);
    const knownNames = known();
    // A known one is ignored where the sandbox takes shown fields alone.
    const hint = knownNames.includes(name) ? '' : meantBy(name, knownNames);
    // oxlint-disable-next-line no-console -- without types no one else reports a misspelt parameter
    console.warn(`payments-client sandbox: ignored the unknown parameter '${name}'${hint}.`);
  }
}

/** Writes each parameter that the sandbox did not read to the console. */
export function noticeIgnored(schema: s.Schema<unknown>, given: unknown, read: unknown): void {
  noticeNames(ignoredNames(given, read), () => s.fieldNames(schema));
}
