import { resourceSchemas } from '../../resources/schemas.ts';
import { respond } from '../api/reply/respond.ts';
import { readPage } from '../api/request/pagination.ts';
import { invalidParameter, objectNotFound, Problem } from '../domain/problem.ts';
import { isKind, type State } from '../domain/state.ts';
import { historyOf } from './history.ts';

const pageSize = 50;

/** The kinds that are shown: those of the service, and the transactions of the form endpoint. */
function isShown(kind: string): kind is keyof typeof resourceSchemas | 'transaction' {
  return kind === 'transaction' || (isKind(kind) && Object.hasOwn(resourceSchemas, kind));
}

function kindOf(name: string | null) {
  if (name !== null && isShown(name)) return name;
  throw invalidParameter(
    'kind',
    `kind: expected the kind of an object, got ${name === null ? 'none' : `'${name}'`}.`,
  );
}

/** A page of the objects of a kind, newest first. */
export function listObjects({ objects }: State, query: URLSearchParams): Response {
  const kind = kindOf(query.get('kind'));
  const { items, hasMore } = readPage<{ readonly id: string }>(objects[kind], query, { size: pageSize });
  return respond({ data: items, has_more: hasMore });
}

/** One object with the events about it. */
export function showObject(state: State, kind: string, id: string): Response {
  const object = state.objects[kindOf(kind)].get(id);
  if (object === undefined) throw objectNotFound(kind, id);
  return respond({ object, history: historyOf(state, kind, id) });
}

/** The newest entries of a log, newest last, as many as a query asks for. */
export function newest<T>(entries: readonly T[], query: URLSearchParams, usual: number): Response {
  const text = query.get('limit') ?? String(usual);
  if (!/^[1-9]\d*$/.test(text))
    throw new Problem(400, 'INVALID_PARAMETER', 'limit: expected an integer from 1.', 'limit');
  return respond({ data: entries.slice(-Number(text)) });
}
