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

/** What the endpoints share. */
export interface Parts {
  /** What the sandbox remembers. */
  readonly state: State;
  /** How it was asked to be. */
  readonly settings: Settings;
  /** What goes wrong on purpose. */
  readonly faults: FaultQueue;
  /** Where requests are noted. */
  readonly log: RequestLog;
  /** What the dashboard is let in with. */
  readonly dashboardKey: string;
}

/** `/v1/customers/{id}` as the router writes it. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** What comes along with a request that is not from the app. */
export interface RequestOrigin {
  readonly source: 'dashboard';
}

type Served = readonly [string, { readonly path: string }];

/** Puts paths without a placeholder first: else a request for one of them could meet another route's placeholder. */
function literalFirst([, one]: Served, [, other]: Served): number {
  return Number(one.path.includes('{')) - Number(other.path.includes('{'));
}

/** Every endpoint of the service, by its routes. */
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
  // What is thrown here is a dropped connection: it must reach the caller as it is.
  app.onError((error) => {
    throw error;
  });
  return app;
}
