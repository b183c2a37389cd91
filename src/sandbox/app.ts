import { type Context, Hono } from 'hono';
import { isRouteName } from '../resources/routes.ts';
import { type Answer, Exchange, type Turn } from './api/exchange.ts';
import type { FaultQueue } from './api/faults/fault-queue.ts';
import { formPath, type Operation } from './api/operation.ts';
import type { RequestLog } from './api/request-log.ts';
import { ResourceApi } from './api/resource-api.ts';
import type { State } from './domain/state.ts';
import type { Settings } from './options.ts';
import { createPages } from './pages/pages.ts';
import { FormEndpoint } from './transact/form-endpoint.ts';

/** The parts that all endpoints share. */
export interface Parts {
  /** The sandbox's state. */
  readonly state: State;
  /** The options with defaults. */
  readonly settings: Settings;
  /** The armed faults. */
  readonly faults: FaultQueue;
  /** The request log. */
  readonly log: RequestLog;
  /** The key of the dashboard. */
  readonly dashboardKey: string;
}

/** Converts `/v1/customers/{id}` to the router's syntax. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Metadata of a request that does not come from the app. */
export interface RequestOrigin {
  readonly source: 'dashboard';
}

type Served = readonly [string, { readonly path: string }];

/** Sorts literal paths first, so that no placeholder of another route matches them. */
function literalFirst([, one]: Served, [, other]: Served): number {
  return Number(one.path.includes('{')) - Number(other.path.includes('{'));
}

/** Creates the app with every endpoint of the service. */
export function createApp({
  state,
  settings,
  faults,
  log,
  dashboardKey,
}: Parts): Hono<{ Bindings: Partial<RequestOrigin> }> {
  const app = new Hono<{ Bindings: Partial<RequestOrigin> }>();
  const api = new ResourceApi(state, settings.secretKey);
  const forms = new FormEndpoint(state, settings);
  const exchange = new Exchange(faults, log, settings.forms);
  const serve =
    (operation: Operation | undefined, answer: (context: Context, turn: Turn) => Promise<Answer>) =>
    (context: Context): Promise<Response> =>
      exchange.run(context.req, operation, (turn) => answer(context, turn), context.env?.source);

  for (const [name, { method, path }] of [...settings.forms.routes].sort(literalFirst)) {
    if (!isRouteName(name)) continue;
    app.on(
      method,
      toPattern(path),
      serve(name, ({ req }, turn) => api.answer(name, req, turn)),
    );
  }
  app.post(
    formPath,
    serve('transact.submit', ({ req }, turn) => forms.answer(req, turn)),
  );
  app.route('/', createPages({ state, settings, exchange, dashboardKey }));
  app.notFound(serve(undefined, async ({ req }) => api.refuse(req)));
  // A dropped connection arrives here as an error, and must reach the caller unchanged.
  app.onError((error) => {
    throw error;
  });
  return app;
}
