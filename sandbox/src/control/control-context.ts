import { readParameters } from '../api/request/parameters.ts';
import { parseJsonBody, readText } from '../api/request/request-body.ts';
import type * as s from '../base/schema.ts';
import type { World } from '../commands/world.ts';
import { invalidParameter } from '../domain/problem.ts';
import { meantBy } from '../sdk.ts';

export interface ControlContext extends World {
  /** The accepted keys: the secret key, and the dashboard's key while only this machine can reach the sandbox. */
  keys(): readonly string[];
  readonly isClockRunning: boolean;
  /** The options that the sandbox was created with. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Reads the JSON body of a request.
 *
 * @throws Problem that names the first field that is invalid, or unknown to a strict schema.
 */
export async function readInput<T>(request: Request, schema: s.Schema<T>): Promise<T> {
  const body = parseJsonBody(await readText(request), request.headers.get('content-type') ?? undefined);
  return readParameters(schema, body);
}

/**
 * Returns a parameter that has one of some values; `null` without it.
 *
 * @throws Problem for another value, which would match nothing. It names the one that was probably meant.
 */
export function readChoice<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly Word[],
): Word | null {
  const given = query.get(name) || null;
  const word = words.find((one) => one === given) ?? null;
  if (given === null || word !== null) return word;
  throw invalidParameter(
    name,
    `${name}: expected one of ${words.join(', ')}; got '${given}'${meantBy(given, words)}.`,
  );
}

/**
 * Reads the query of a URL. It rejects unknown names, since a misspelt filter would match everything.
 *
 * @throws Problem that names the first unknown parameter.
 */
export function readQuery(url: string, known: readonly string[]): URLSearchParams {
  const query = new URL(url).searchParams;
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return query;
  const expected = known.length === 0 ? 'no parameter' : `one of the parameters ${known.join(', ')}`;
  throw invalidParameter(unknown, `${unknown}: expected ${expected}${meantBy(unknown, known)}.`);
}
