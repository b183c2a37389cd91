import { meantBy } from '../../base/nearest.ts';
import type * as s from '../../base/schema.ts';
import { parseJsonBody } from '../api/request/json-body.ts';
import { readParameters } from '../api/request/parameters.ts';
import { readText } from '../api/request/request-body.ts';
import { invalidParameter } from '../domain/problem.ts';

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
 * Reads the query of a URL. It rejects unknown names, since a misspelt filter would match everything.
 *
 * @throws Problem that names the first unknown parameter.
 */
export function readQuery(url: string, known: readonly string[]): URLSearchParams {
  const query = new URL(url).searchParams;
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return query;
  const hint = meantBy(unknown, known);
  throw invalidParameter(unknown, `${unknown}: expected one of the parameters ${known.join(', ')}${hint}.`);
}
