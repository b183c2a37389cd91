import { Hono } from 'hono';
import { suggestion } from '../../base/nearest.ts';
import * as s from '../../base/schema.ts';
import { isKnownType } from '../../webhooks/events/known.ts';
import { respond, respondWithError } from '../api/reply/respond.ts';
import { parseJsonBody } from '../api/request/json-body.ts';
import {
  integerFrom,
  openBody,
  optional,
  readParameters,
  text,
  textOrNumber,
} from '../api/request/parameters.ts';
import { readText } from '../api/request/request-body.ts';
import { invalidParameter, Problem } from '../domain/problem.ts';
import { seedInSteps } from '../scenarios/seed/seed.ts';
import { readSeedOptions } from '../scenarios/seed/seed-options.ts';
import { eventTypes } from '../scenarios/trigger/event-types.ts';
import { trigger } from '../scenarios/trigger/trigger.ts';
import { capacity } from '../webhooks/publish.ts';
import type { Activity } from './activity.ts';
import { checkAccess } from './check-access.ts';
import type { ControlContext } from './control-context.ts';
import { countObjects } from './count-objects.ts';
import { eventStream } from './event-stream.ts';
import { sandboxFigures } from './fraud-figures.ts';
import { readFault } from './inject-faults.ts';
import { listObjects, newest, showObject } from './list-objects.ts';
import { listFaults, withdrawFault } from './pending-faults.ts';
import { respondWithSeed } from './seeding.ts';
import { showEvent } from './show-event.ts';
import { storyRoutes } from './story-routes.ts';

/** Where the control API is. */
export const controlPath = '/_sandbox';

const triggerParameters = s.object({ type: text(), overrides: optional(openBody()) });
const clockParameters = s.object({ advance: textOrNumber("milliseconds or a text such as '3 days'") });
const replayParameters = s.object({ id: text() });
const count = (min: number) => s.optional(integerFrom(min));
const seedParameters = s.object({
  customers: count(0),
  intents: count(0),
  months: count(1),
  seed: s.optional(textOrNumber('a text or a number')),
});

const defaultLimit = 20;

function queryOf(url: string): URLSearchParams {
  return new URL(url).searchParams;
}

async function read<T>(request: Request, schema: s.Schema<T>): Promise<T> {
  const body = parseJsonBody(await readText(request), request.headers.get('content-type') ?? undefined);
  return readParameters(schema, body);
}

function timeOf({ clock }: ControlContext): object {
  return { now: clock.now(), time: new Date(clock.now()).toISOString() };
}

function listEvents({ state }: ControlContext, query: URLSearchParams): Response {
  const type = query.get('type');
  const { event } = state.objects;
  const all = event.page({ limit: capacity }).toReversed();
  return newest(
    all.filter((one) => type === null || one.type === type),
    query,
    defaultLimit,
  );
}

/** Requests have no type, so whoever asks for one type is not told of them. */
function matcher(type: string | null): (activity: Activity) => boolean {
  if (type === null) return () => true;
  return (activity) => {
    if (activity.kind === 'request') return false;
    return (activity.kind === 'event' ? activity.event : activity.delivery).type === type;
  };
}

function stateOf(sandbox: ControlContext): object {
  const waiting = sandbox.webhooks.deliveries().filter(({ status }) => status === 'pending').length;
  return {
    clock: { ...timeOf(sandbox), running: sandbox.isClockRunning },
    objects: countObjects(sandbox.state),
    pending_deliveries: waiting,
  };
}

/** The control API: what can be done to a sandbox from outside, besides being its customer. */
export function createControl(sandbox: ControlContext): (request: Request) => Promise<Response> {
  const app = new Hono().basePath(controlPath);
  app.use(async ({ req }, next) => {
    checkAccess(req.raw, sandbox.keys());
    await next();
  });
  app.get('/state', () => respond(stateOf(sandbox)));
  app.get('/events', ({ req }) => {
    const query = queryOf(req.url);
    if (!query.has('follow')) return listEvents(sandbox, query);
    return eventStream((listener) => sandbox.watch(listener), matcher(query.get('type')));
  });
  app.get('/events/:id', ({ req }) => showEvent(sandbox, req.param('id')));
  app.post('/trigger', async ({ req }) => {
    const { type, overrides } = await read(req.raw, triggerParameters);
    if (!isKnownType(type)) {
      const hint = suggestion(type, eventTypes);
      throw invalidParameter('type', `type: expected one of ${eventTypes.join(', ')}; got '${type}'.${hint}`);
    }
    return respond(trigger(sandbox.state, type, overrides ?? {}));
  });
  app.post('/clock', async ({ req }) => {
    await sandbox.clock.advance((await read(req.raw, clockParameters)).advance);
    return respond(timeOf(sandbox));
  });
  app.post('/replay', async ({ req }) => {
    const { id } = await read(req.raw, replayParameters);
    return respond({ data: sandbox.webhooks.replay(id) });
  });
  app.post('/seed', async ({ req }) => {
    const options = readSeedOptions(await read(req.raw, seedParameters));
    return respondWithSeed(seedInSteps(sandbox.state, options), req.header('accept') ?? null);
  });
  app.post('/faults', async ({ req }) => {
    sandbox.faults.inject(readFault(await read(req.raw, openBody())));
    return respond({ injected: true });
  });
  app.delete('/faults', () => {
    sandbox.faults.clear();
    return respond({ cleared: true });
  });
  app.get('/faults', () => listFaults(sandbox.queue, sandbox.state));
  app.delete('/faults/:id', ({ req }) => withdrawFault(sandbox.queue, sandbox.state, req.param('id')));
  app.get('/requests', ({ req }) => newest(sandbox.log.answered(), queryOf(req.url), defaultLimit));
  app.get('/deliveries', ({ req }) => newest(sandbox.webhooks.deliveries(), queryOf(req.url), defaultLimit));
  app.get('/objects', ({ req }) => listObjects(sandbox.state, queryOf(req.url)));
  app.get('/objects/:kind/:id', ({ req }) => showObject(sandbox.state, req.param('kind'), req.param('id')));
  app.get('/fraud', () => respond(sandboxFigures(sandbox.state)));
  app.route('/', storyRoutes(sandbox));
  app.notFound(({ req }) =>
    respondWithError(new Problem(404, 'ROUTE_NOT_FOUND', `There is no ${req.method} ${req.path}.`)),
  );
  app.onError((error) => respondWithError(error));
  return async (request) => app.fetch(request);
}

/** Whether a request is for the control API. */
export function isForControl({ url }: Request): boolean {
  // Most requests are not, and are told apart without taking their address to pieces.
  return url.includes(`${controlPath}/`) && new URL(url).pathname.startsWith(`${controlPath}/`);
}
