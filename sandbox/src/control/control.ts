import { Hono } from 'hono';
import { respondWithError } from '../api/reply.ts';
import { authenticate } from '../api/request/request-body.ts';
import { isOwnOrigin } from '../api/server/guard.ts';
import { Problem } from '../domain/problem.ts';
import { activityRoutes } from './activity-routes.ts';
import { commandRoutes, performCommand } from './command-routes.ts';
import type { ControlContext } from './control-context.ts';
import { endpointRoutes } from './endpoint-summary.ts';
import { entryRoutes } from './entry-routes.ts';
import { objectRoutes } from './object-routes.ts';
import { answer, type ReadRoute } from './read-route.ts';
import { searchRoutes } from './search.ts';
import { stateRoutes } from './state-routes.ts';
import { storyRoutes } from './story-routes.ts';

/**
 * Checks the `Origin`. Programs send none; a page must be the sandbox's own, also where an app answers with
 * `sandbox.fetch`.
 */
function checkOrigin(request: Request): void {
  const origin = request.headers.get('origin');
  if (origin === null || isOwnOrigin(request, origin)) return;
  throw new Problem(
    403,
    'ORIGIN_NOT_ALLOWED',
    `Expected no Origin header or the sandbox's own, got '${origin}'. Call it from a program, not from a page.`,
  );
}

/**
 * Checks that the caller knows one of the keys.
 *
 * @throws Problem 403 for a foreign origin, 401 without the key.
 */
function checkAccess(request: Request, keys: readonly string[]): void {
  checkOrigin(request);
  authenticate(request.headers.get('authorization') ?? undefined, keys);
}

const controlPath = '/_sandbox';

/** Every route that reads, in the order of the reference. */
export const readRoutes: readonly ReadRoute[] = [
  ...stateRoutes,
  ...storyRoutes,
  ...entryRoutes,
  ...searchRoutes,
  ...objectRoutes,
  ...activityRoutes,
  ...endpointRoutes,
  ...commandRoutes,
];

/** Creates the control API, which programs and the dashboard use to operate a sandbox. */
export function createControl(sandbox: ControlContext): (request: Request) => Promise<Response> {
  const app = new Hono().basePath(controlPath);
  app.use(async ({ req }, next) => {
    checkAccess(req.raw, sandbox.keys());
    await next();
  });
  for (const route of readRoutes) app.get(route.path, (context) => answer(route, sandbox, context));
  app.post('/commands', ({ req }) => performCommand(sandbox, req.raw));
  app.notFound(({ req }) =>
    respondWithError(new Problem(404, 'ROUTE_NOT_FOUND', `There is no ${req.method} ${req.path}.`)),
  );
  app.onError((error) => respondWithError(error));
  return async (request) => app.fetch(request);
}

export function isForControl({ url }: Request): boolean {
  // Tests the text first: most requests are for other paths, and parsing each URL costs time.
  return url.includes(`${controlPath}/`) && new URL(url).pathname.startsWith(`${controlPath}/`);
}
