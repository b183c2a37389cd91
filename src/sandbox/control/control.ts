import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isKnownType } from '../../webhooks/events/known.ts';
import { parseJsonBody } from '../json-body.ts';
import { integerFrom, openBody, optional, readParameters, text } from '../parameters.ts';
import { invalidParameter, Problem } from '../problem.ts';
import { readSeedOptions } from '../seed/options.ts';
import type { Activity } from './activity.ts';
import { admit } from './admit.ts';
import type { Controlled } from './controlled.ts';
import { eventStream } from './event-stream.ts';
import { readFault } from './faults.ts';
import { respond, respondWithError } from './respond.ts';
import { respondWithSeed } from './seeding.ts';

/** Where the control API is. */
export const controlPath = '/_sandbox';

const triggerParameters = z.object(
  { type: text(), overrides: optional(openBody()) },
  'expected a JSON object',
);
const clockParameters = z.object(
  { advance: z.union([z.number(), z.string()], "expected milliseconds or a text such as '3 days'") },
  'expected a JSON object',
);
const replayParameters = z.object({ id: text() }, 'expected a JSON object');
const count = (min: number) => z.optional(integerFrom(min));
const seedParameters = z.object(
  {
    customers: count(0),
    intents: count(0),
    months: count(1),
    seed: z.optional(z.union([z.string(), z.number()], 'expected a text or a number')),
  },
  'expected a JSON object',
);

const defaultLimit = 20;

async function read<T>(request: Request, schema: z.ZodMiniType<T>): Promise<T> {
  const body = parseJsonBody(await request.text(), request.headers.get('content-type') ?? undefined);
  return readParameters(schema, body);
}

function timeOf({ clock }: Controlled): object {
  return { now: clock.now(), time: new Date(clock.now()).toISOString() };
}

function listEvents(sandbox: Controlled, query: URLSearchParams): Response {
  const type = query.get('type');
  const limit = readParameters(integerFrom(1), Number(query.get('limit') ?? defaultLimit));
  const fitting = sandbox.events().filter((event) => type === null || event.type === type);
  return respond({ data: fitting.slice(-limit) });
}

/** Requests have no type, so whoever asks for one type is not told of them. */
function matcher(type: string | null): (activity: Activity) => boolean {
  if (type === null) return () => true;
  return (activity) => {
    if (activity.kind === 'request') return false;
    return (activity.kind === 'event' ? activity.event : activity.delivery).type === type;
  };
}

function stateOf(sandbox: Controlled): object {
  const waiting = sandbox.deliveries().filter(({ status }) => status === 'pending').length;
  return { clock: timeOf(sandbox), objects: sandbox.counts(), pending_deliveries: waiting };
}

/** The control API: what can be done to a sandbox from outside, besides being its customer. */
export function createControl(sandbox: Controlled): (request: Request) => Promise<Response> {
  const app = new Hono().basePath(controlPath);
  app.use(async ({ req }, next) => {
    admit(req.raw, sandbox.keys);
    await next();
  });
  app.get('/state', () => respond(stateOf(sandbox)));
  app.get('/events', ({ req }) => {
    const { searchParams: query } = new URL(req.url);
    if (!query.has('follow')) return listEvents(sandbox, query);
    return eventStream((listener) => sandbox.watch(listener), matcher(query.get('type')));
  });
  app.post('/trigger', async ({ req }) => {
    const { type, overrides } = await read(req.raw, triggerParameters);
    if (!isKnownType(type)) {
      throw invalidParameter('type', `type: expected a type of the catalog, got '${type}'.`);
    }
    return respond(await sandbox.trigger(type, overrides ?? {}));
  });
  app.post('/clock', async ({ req }) => {
    await sandbox.clock.advance((await read(req.raw, clockParameters)).advance);
    return respond(timeOf(sandbox));
  });
  app.post('/replay', async ({ req }) => {
    const { id } = await read(req.raw, replayParameters);
    return respond({ data: await sandbox.replay(id) });
  });
  app.post('/seed', async ({ req }) => {
    const options = readSeedOptions(await read(req.raw, seedParameters));
    return respondWithSeed(sandbox.seed(options), req.header('accept') ?? null);
  });
  app.post('/faults', async ({ req }) => {
    sandbox.inject(readFault(await read(req.raw, openBody())));
    return respond({ injected: true });
  });
  app.delete('/faults', () => {
    sandbox.clearFaults();
    return respond({ cleared: true });
  });
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
