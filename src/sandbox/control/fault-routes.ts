import { Hono } from 'hono';
import { respond } from '../api/reply/respond.ts';
import { openBody } from '../api/request/parameters.ts';
import type { ControlContext } from './control-context.ts';
import { readFault } from './inject-faults.ts';
import { listFaults, withdrawFault } from './pending-faults.ts';
import { readInput } from './read-input.ts';

/** `/faults`: injects, lists and clears faults. */
export function faultRoutes({ faults, queue, state }: ControlContext): Hono {
  const app = new Hono();
  app.post('/faults', async ({ req }) => {
    faults.inject(readFault(await readInput(req.raw, openBody())));
    return respond({ injected: true });
  });
  app.delete('/faults', () => {
    faults.clear();
    return respond({ cleared: true });
  });
  app.get('/faults', () => listFaults(queue, state));
  app.delete('/faults/:id', ({ req }) => withdrawFault(queue, state, req.param('id')));
  return app;
}
