import { Hono } from 'hono';
import { meantBy } from '../../base/nearest.ts';
import * as s from '../../base/schema.ts';
import { isKnownType } from '../../webhooks/events/known.ts';
import { respond } from '../api/reply/respond.ts';
import { idOf, integerFrom, openBody, optional, text, textOrNumber } from '../api/request/parameters.ts';
import { invalidParameter } from '../domain/problem.ts';
import { seedInSteps } from '../scenarios/seed/seed.ts';
import { readSeedOptions } from '../scenarios/seed/seed-options.ts';
import { eventTypes } from '../scenarios/trigger/event-types.ts';
import { trigger } from '../scenarios/trigger/trigger.ts';
import { recordedPay } from '../stories/recorded-facade.ts';
import type { ControlContext } from './control-context.ts';
import { readInput } from './read-input.ts';
import { respondWithSeed } from './seeding.ts';

const triggerParameters = s.strictObject({ type: text(), overrides: optional(openBody()) });
const payParameters = s.strictObject({ id: text(), payment_method: s.optional(idOf('payment_method')) });
const count = (min: number) => s.optional(integerFrom(min));
const seedParameters = s.strictObject({
  customers: count(0),
  intents: count(0),
  months: count(1),
  seed: s.optional(textOrNumber('a text or a number')),
});

/** `POST /trigger`: triggers an event. `POST /pay`: pays as the buyer. `POST /seed`: creates sample data. */
export function scenarioRoutes({ state, storyLog }: ControlContext): Hono {
  const app = new Hono();
  app.post('/trigger', async ({ req }) => {
    const { type, overrides } = await readInput(req.raw, triggerParameters);
    if (!isKnownType(type)) {
      const hint = meantBy(type, eventTypes);
      throw invalidParameter('type', `type: expected one of ${eventTypes.join(', ')}; got '${type}'${hint}.`);
    }
    const fields = overrides ?? {};
    return respond(storyLog.act('trigger', { type, fields }, () => trigger(state, type, fields)));
  });
  app.post('/pay', async ({ req }) => {
    const { id, ...options } = await readInput(req.raw, payParameters);
    return respond(recordedPay(state, storyLog, id, options));
  });
  app.post('/seed', async ({ req }) => {
    const options = readSeedOptions(await readInput(req.raw, seedParameters));
    const steps = storyLog.act('seed', { ...options }, () => seedInSteps(state, options));
    return respondWithSeed(steps, req.header('accept') ?? null);
  });
  return app;
}
