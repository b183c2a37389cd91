import { Hono } from 'hono';
import { respond } from '../api/reply/respond.ts';
import { readCount } from '../api/request/pagination.ts';
import type { ControlContext } from './control-context.ts';
import { readQuery } from './read-input.ts';
import { search } from './search.ts';

const size = 10;
const mostFound = 100;

/** `GET /search`: what an id, an operation id, an e-mail address, a name or an amount leads to. */
export function searchRoutes({ state }: ControlContext): Hono {
  return new Hono().get('/search', ({ req }) => {
    const query = readQuery(req.url, ['q', 'limit']);
    const wanted = query.get('q') ?? '';
    const limit = readCount(query, 'limit', 1, mostFound) ?? size;
    return respond({ data: wanted.trim() === '' ? [] : search(state, wanted, limit) });
  });
}
