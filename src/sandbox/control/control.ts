import { Hono } from 'hono';
import { respondWithError } from '../api/reply/respond.ts';
import { Problem } from '../domain/problem.ts';
import { checkAccess } from './check-access.ts';
import { clockRoutes } from './clock-routes.ts';
import type { ControlContext } from './control-context.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { objectRoutes } from './object-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { scenarioRoutes } from './scenario-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { stateRoutes } from './state-routes.ts';
import { storyRoutes } from './story-routes.ts';

/** The path prefix of the control API. */
const controlPath = '/_sandbox';

/** The routes of the control API, by file. */
const parts: readonly ((sandbox: ControlContext) => Hono)[] = [
  stateRoutes,
  storyRoutes,
  clockRoutes,
  searchRoutes,
  requestRoutes,
  objectRoutes,
  eventRoutes,
  deliveryRoutes,
  endpointRoutes,
  faultRoutes,
  scenarioRoutes,
];

/** Creates the control API, which programs and the dashboard use to operate a sandbox. */
export function createControl(sandbox: ControlContext): (request: Request) => Promise<Response> {
  const app = new Hono().basePath(controlPath);
  app.use(async ({ req }, next) => {
    checkAccess(req.raw, sandbox.keys());
    await next();
  });
  for (const routesOf of parts) app.route('/', routesOf(sandbox));
  app.notFound(({ req }) =>
    respondWithError(new Problem(404, 'ROUTE_NOT_FOUND', `There is no ${req.method} ${req.path}.`)),
  );
  app.onError((error) => respondWithError(error));
  return async (request) => app.fetch(request);
}

/** Whether a request is for the control API. */
export function isForControl({ url }: Request): boolean {
  // Tests the text first: most requests are for other paths, and parsing each URL costs time.
  return url.includes(`${controlPath}/`) && new URL(url).pathname.startsWith(`${controlPath}/`);
}
