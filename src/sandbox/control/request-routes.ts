import { Hono } from 'hono';
import { respond } from '../api/reply/respond.ts';
import { readCount } from '../api/request/pagination.ts';
import type { ControlContext } from './control-context.ts';
import { readQuery } from './read-input.ts';

const size = 20;

/** `GET /requests`: the latest requests of the log, newest last. */
export function requestRoutes({ log }: ControlContext): Hono {
  return new Hono().get('/requests', ({ req }) => {
    const query = readQuery(req.url, ['limit']);
    const limit = readCount(query, 'limit', 1, Number.MAX_SAFE_INTEGER) ?? size;
    return respond({ data: log.answered().slice(-limit) });
  });
}
