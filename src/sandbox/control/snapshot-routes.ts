import { Hono } from 'hono';
import * as s from '../../base/schema.ts';
import { respond } from '../api/reply/respond.ts';
import { text } from '../api/request/parameters.ts';
import type { ControlContext } from './control-context.ts';
import { readInput } from './read-input.ts';
import { SnapshotList } from './snapshot-list.ts';

const parameters = s.strictObject({ name: s.optional(text()) });

/** `/snapshots`: takes and restores snapshots. `POST /reset`: resets all but the snapshots. */
export function snapshotRoutes(sandbox: ControlContext): Hono {
  const app = new Hono();
  const snapshots = new SnapshotList(sandbox);
  app.get('/snapshots', () => respond({ data: snapshots.list() }));
  app.post('/snapshots', async ({ req }) => {
    const { name } = await readInput(req.raw, parameters);
    return respond(snapshots.take(name));
  });
  app.post('/snapshots/:id/restore', ({ req }) => respond(snapshots.restore(req.param('id'))));
  app.delete('/snapshots/:id', ({ req }) => {
    snapshots.remove(req.param('id'));
    return respond({ deleted: true });
  });
  app.post('/reset', () => {
    sandbox.reset();
    return respond({ reset: true });
  });
  return app;
}
