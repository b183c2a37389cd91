import { Hono } from 'hono';
import * as s from '../../base/schema.ts';
import { respond } from '../api/reply/respond.ts';
import { textOrNumber } from '../api/request/parameters.ts';
import { ActivityCount, type ActivitySummary } from './activity-count.ts';
import type { ControlContext } from './control-context.ts';
import { readInput } from './read-input.ts';
import { type Present, presentOf } from './state-routes.ts';

/** The response of `POST /clock`. */
export interface ClockMove extends Present {
  /** The activities during the advance. */
  readonly summary: ActivitySummary;
}

const parameters = s.strictObject({ advance: textOrNumber("milliseconds or a text such as '3 days'") });

async function advance(sandbox: ControlContext, duration: number | string): Promise<ClockMove> {
  const count = new ActivityCount();
  const stop = sandbox.watch((activity) => count.add(activity));
  try {
    await sandbox.clock.advance(duration);
  } finally {
    stop();
  }
  return { ...presentOf(sandbox), summary: count.summary() };
}

/** `POST /clock`: advances the clock. */
export function clockRoutes(sandbox: ControlContext): Hono {
  return new Hono().post('/clock', async ({ req }) => {
    const { advance: duration } = await readInput(req.raw, parameters);
    return respond(await advance(sandbox, duration));
  });
}
