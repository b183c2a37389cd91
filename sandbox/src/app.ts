import { type Context, Hono } from 'hono';
import { type Answer, Exchange, type Turn } from './api/exchange.ts';
import type { FaultQueue } from './api/faults/fault-queue.ts';
import { anyForm, formPath, type Operation } from './api/operation.ts';
import type { RequestLog } from './api/request-log.ts';
import { ResourceApi } from './api/resource-api.ts';
import { isRouteName } from './base/known-names.ts';
import type { State } from './domain/state.ts';
import type { Settings } from './options.ts';
import { FormEndpoint } from './transact/form-endpoint.ts';

/** Where the pages are. */
const pagePaths = ['/', '/_pages/*', '/js/*', '/browser/*', '/checkout/*'];

/** The parts that all endpoints share. */
interface Parts {
  readonly state: State;
  readonly settings: Settings;
  readonly faults: FaultQueue;
  readonly log: RequestLog;
  readonly dashboardKey: string;
}

/** Converts `/v1/customers/{id}` to the router's syntax. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Metadata of a request that does not come from the app. */
interface RequestOrigin {
  readonly source: 'dashboard';
}

type Served = readonly [string, { readonly path: string }];

/** Sorts literal paths first, so that no placeholder of another route matches them. */
function literalFirst([, one]: Served, [, other]: Served): number {
  return Number(one.path.includes('{')) - Number(other.path.includes('{'));
}

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
  app.post(formPath, async ({ req, env }) => {
    // Its type is its operation, which faults choose requests by.
    const form = forms.read(req);
    const { operation, text } = await form.catch(() => ({ operation: anyForm, text: undefined }) as const);
    return exchange.run(req, operation, async (turn) => forms.answer(await form, turn), env?.source, text);
  });
  const refuse = serve(undefined, async ({ req }) => api.refuse(req));
  // A dropped connection arrives here as an error, and must reach the caller unchanged.
  const rethrow = (error: Error) => {
    throw error;
  };
  // They load on the first request of one, since few sandboxes show a page.
  const loadPages = async () => {
    const { createPages } = await import('./pages/pages.ts');
    return createPages({ state, settings, exchange, dashboardKey }).notFound(refuse).onError(rethrow);
  };
  let pages: ReturnType<typeof loadPages> | undefined;
  app.on('ALL', pagePaths, async ({ req, env }) => {
    pages ??= loadPages();
    return (await pages).fetch(req.raw, env);
  });
  app.notFound(refuse);
  app.onError(rethrow);
  return app;
}
