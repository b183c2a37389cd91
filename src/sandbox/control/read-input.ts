import { suggestion } from '../../base/nearest.ts';
import type * as s from '../../base/schema.ts';
import { parseJsonBody } from '../api/request/json-body.ts';
import { readParameters } from '../api/request/parameters.ts';
import { readText } from '../api/request/request-body.ts';
import { invalidParameter } from '../domain/problem.ts';

/**
 * Reads the JSON body of a request.
 *
 * @throws Problem that names the first field that is wrong, or not known to a strict schema.
 */
export async function readInput<T>(request: Request, schema: s.Schema<T>): Promise<T> {
  const body = parseJsonBody(await readText(request), request.headers.get('content-type') ?? undefined);
  return readParameters(schema, body);
}

/**
 * Reads the query of an address. A misspelt filter would show everything, so only known names are allowed.
 *
 * @throws Problem that names the first parameter that is not known.
 */
export function readQuery(url: string, known: readonly string[]): URLSearchParams {
  const query = new URL(url).searchParams;
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return query;
  const hint = suggestion(unknown, known);
  throw invalidParameter(unknown, `${unknown}: expected one of the parameters ${known.join(', ')}.${hint}`);
}
